// Local changes: what a person changed here of something that a content service wants, remembered until it is given up (V2-560).

import type { AssetFacts, PlaylistFacts } from "./desired-content.ts";

/** Of one asset or playlist of a connection. */
export interface LocalChanges {
  /** It is deleted here, or in the trash: it stays away. */
  readonly isDeleted: boolean;
  /** The value that was set, by field; fields of fields as in `presentation.volume`. */
  readonly fields: ReadonlyMap<string, unknown>;
}

/** Of each asset or playlist that was changed here, by the service's identifier. */
export type AllLocalChanges = ReadonlyMap<string, LocalChanges>;

/** The field under which another file or address in an asset is remembered: which one stands in the asset itself. */
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
/** They are one thing, and are changed as `source`. */
const ofSource: ReadonlySet<string> = new Set(["uri", "mimetype"]);

/** Everything that can be changed by itself, by its name. */
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

/** The facts with the changed fields as they were set here. */
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

/** Equal by structure; the order of an object's members means nothing. */
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
