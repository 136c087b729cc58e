// Start flags and environment, read into one value: flags win over the environment, the environment over defaults.

import * as z from "zod";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Source {
  readonly env: string;
  readonly flag?: string;
  /** How its value is written in the list of flags; a flag without one takes no value. */
  readonly value?: string;
  readonly expected: string;
}

export type Reading<Value> =
  | { readonly ok: true; readonly value: Readonly<Value> }
  | { readonly ok: false; readonly message: string };

/** `fields` and `sources` have the same keys; what is empty in the environment counts as not given. */
export function readStart<Fields extends z.ZodRawShape>(
  fields: Fields,
  sources: Readonly<Record<keyof Fields & string, Source>>,
  flags: readonly string[],
  env: Environment,
): Reading<z.output<z.ZodObject<Fields>>> {
  const given = readFlags(sources, flags);
  if (typeof given === "string") return { ok: false, message: given };
  const values: Record<string, string> = {};
  const names: Record<string, string> = {};
  for (const [field, source] of entriesOf(sources)) {
    const fromFlag = given.get(field);
    const value = fromFlag ?? (env[source.env] || undefined);
    if (value === undefined) continue;
    values[field] = value;
    names[field] =
      fromFlag === undefined ? source.env : (source.flag ?? source.env);
  }
  const parsed = z.object(fields).safeParse(values);
  if (parsed.success) return { ok: true, value: Object.freeze(parsed.data) };
  const field = String(parsed.error.issues[0]?.path[0]);
  const { expected, flag } = (sources as Record<string, Source>)[
    field
  ] as Source;
  // A value may be a secret: it is not said again.
  return {
    ok: false,
    message:
      field in values
        ? `${names[field]} is not right; expected ${expected}.`
        : `${flag} is missing: ${expected}.`,
  };
}

function entriesOf<Name extends string>(
  sources: Readonly<Record<Name, Source>>,
): readonly [Name, Source][] {
  return Object.entries(sources) as [Name, Source][];
}

/** Values by field, or the sentence that says what is wrong. */
function readFlags(
  sources: Readonly<Record<string, Source>>,
  words: readonly string[],
): ReadonlyMap<string, string> | string {
  const given = new Map<string, string>();
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (!word.startsWith("--"))
      return `"${word}" is not a flag. ${listOf(sources)}`;
    const [flag = "", ...rest] = word.split("=");
    const known = entriesOf(sources).find(([, source]) => source.flag === flag);
    if (!known) return `There is no flag ${flag}. ${listOf(sources)}`;
    const [field, source] = known;
    if (source.value === undefined) {
      if (rest.length > 0) return `${flag} takes no value.`;
      given.set(field, "1");
      continue;
    }
    const value = rest.length > 0 ? rest.join("=") : words[++index];
    if (!value || (rest.length === 0 && value.startsWith("--")))
      return `${flag} needs a value: ${source.expected}.`;
    given.set(field, value);
  }
  return given;
}

function listOf(sources: Readonly<Record<string, Source>>): string {
  const flags = entriesOf(sources).flatMap(([, { flag, value }]) =>
    flag === undefined ? [] : value === undefined ? flag : `${flag} ${value}`,
  );
  return `The flags are: ${flags.join(", ")}.`;
}
