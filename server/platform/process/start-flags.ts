// Start options from flags and environment, as one value: flags override the environment, the environment overrides defaults.

import * as z from "zod";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Source {
  /** An option without one can only be set by a flag. */
  readonly env?: string;
  /** Former name of the variable: used when `env` is not set. */
  readonly formerEnv?: string;
  readonly flag?: string;
  /** Placeholder for its value in the list of flags; a flag without one takes no value. */
  readonly value?: string;
  readonly expected: string;
  /** What the flag does, for the list of flags. */
  readonly help?: string;
  /** An error message does not repeat its value. */
  readonly isSecret?: true;
}

export type Reading<Value> =
  | { readonly ok: true; readonly value: Readonly<Value> }
  | { readonly ok: false; readonly message: string };

/** `fields` and `sources` have the same keys; an empty environment variable counts as not set. */
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
    const { env: name = "", formerEnv = "", flag = name } = source;
    const variable = env[name] || !env[formerEnv] ? name : formerEnv;
    const value = fromFlag ?? (env[variable] || undefined);
    if (value === undefined) continue;
    values[field] = value;
    names[field] = fromFlag === undefined ? variable : flag;
  }
  const parsed = z.object(fields).safeParse(values);
  if (parsed.success) return { ok: true, value: Object.freeze(parsed.data) };
  const field = String(parsed.error.issues[0]?.path[0]);
  const { expected, flag, isSecret } = (sources as Record<string, Source>)[
    field
  ] as Source;
  const value = values[field];
  if (value === undefined)
    return { ok: false, message: `${flag} is missing: ${expected}.` };
  const wrong = isSecret ? "not valid" : `"${value}"`;
  return {
    ok: false,
    message: `${names[field]} is ${wrong}; expected ${expected}.`,
  };
}

function entriesOf<Name extends string>(
  sources: Readonly<Record<Name, Source>>,
): readonly [Name, Source][] {
  return Object.entries(sources) as [Name, Source][];
}

/** Values by field, or a sentence with what is wrong. */
function readFlags(
  sources: Readonly<Record<string, Source>>,
  words: readonly string[],
): ReadonlyMap<string, string> | string {
  const given = new Map<string, string>();
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (!word.startsWith("--"))
      return `Unknown argument "${word}". ${listOf(sources)}`;
    const [flag = "", ...rest] = word.split("=");
    const known = entriesOf(sources).find(([, source]) => source.flag === flag);
    if (!known) return `Unknown option ${flag}. ${listOf(sources)}`;
    const [field, source] = known;
    if (source.value === undefined) {
      if (rest.length > 0) return `${flag} does not take a value.`;
      given.set(field, "1");
      continue;
    }
    const value = rest.length > 0 ? rest.join("=") : words[++index];
    if (!value || (rest.length === 0 && value.startsWith("--")))
      return `${flag} requires a value: ${source.expected}.`;
    given.set(field, value);
  }
  return given;
}

function listOf(sources: Readonly<Record<string, Source>>): string {
  const flags = listed(sources).map(({ notation }) => notation);
  return `Options: ${flags.join(", ")}.`;
}

interface ListedFlag {
  readonly notation: string;
  /** The corresponding environment variable, or "". */
  readonly env: string;
  readonly help: string;
}

function listed(
  sources: Readonly<Record<string, Source>>,
): readonly ListedFlag[] {
  return Object.values(sources).flatMap(
    ({ flag, value, env = "", help = "" }) => {
      if (flag === undefined) return [];
      const notation = value === undefined ? flag : `${flag} ${value}`;
      return [{ notation, env, help }];
    },
  );
}

/** For `--help`: every flag with the equivalent environment variable, and what it does in the line below. */
export function flagLines(sources: Readonly<Record<string, Source>>): string {
  const lines = listed(sources).flatMap(({ notation, env, help }) => [
    `  ${notation.padEnd(34)}${env}`.trimEnd(),
    ...(help === "" ? [] : [`      ${help}`]),
  ]);
  return `Options, and the environment variable for each:\n${lines.join("\n")}\n`;
}
