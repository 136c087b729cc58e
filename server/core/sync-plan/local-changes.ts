// Local changes: what a person changed in content of a service, kept until it is discarded (V2-560).

import type { AssetFacts, PlaylistFacts } from "./desired-content.ts";

/** Changes of one asset or playlist of a connection. */
export interface LocalChanges {
  /** It was deleted here, or is in the trash: it stays deleted. */
  readonly isDeleted: boolean;
  /** The values that were set, by field; nested fields as in `presentation.volume`. */
  readonly fields: ReadonlyMap<string, unknown>;
}

/** For each asset or playlist that was changed here, by the service's identifier. */
export type AllLocalChanges = ReadonlyMap<string, LocalChanges>;

/** The field for a replaced file or address of an asset; the asset itself contains which one. */
export const sourceField = "source";

const unchanged: LocalChanges = { isDeleted: false, fields: new Map() };

export function changesOf(
  all: AllLocalChanges,
  remoteId: string,
): LocalChanges {
  return all.get(remoteId) ?? unchanged;
}

export function hasLocalSource({ fields }: LocalChanges): boolean {
  return fields.has(sourceField);
}

/** Parts of an asset whose fields are changed one by one. */
const parts: ReadonlySet<string> = new Set(["presentation", "web"]);
/** These belong together and are changed as `source`. */
const ofSource: ReadonlySet<string> = new Set(["uri", "mimetype"]);

/** Everything that can be changed separately, by field name. */
export function fieldsOf(
  facts: AssetFacts | PlaylistFacts,
): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [name, value] of Object.entries(facts) as [string, unknown][]) {
    if (ofSource.has(name) || name === "createdAt") continue;
    if (!parts.has(name)) fields.set(name, value);
    else
      for (const [part, own] of Object.entries(value as object))
        fields.set(`${name}.${part}`, own);
  }
  return fields;
}

/** The facts with the local values of the changed fields. */
export function withFields<Facts extends AssetFacts | PlaylistFacts>(
  facts: Facts,
  fields: ReadonlyMap<string, unknown>,
): Facts {
  const after: Record<string, unknown> = { ...facts };
  for (const [name, value] of fields) {
    const [field = "", part] = name.split(".");
    if (!(field in facts)) continue;
    after[field] =
      part === undefined
        ? value
        : { ...(after[field] as object), [part]: value };
  }
  return after as unknown as Facts;
}

/** Structural equality; the order of an object's members is ignored. */
export function isEqual<T>(a: T, b: T): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || !a || !b) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.entries(a);
  const right = Object.keys(b);
  return (
    left.length === right.length &&
    left.every(
      ([key, value]) =>
        key in (b as object) &&
        isEqual(value, (b as Record<string, unknown>)[key]),
    )
  );
}
