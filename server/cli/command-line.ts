// Reads the words of a command line: global flags, the command, and its input.

import { parseArgs, type ParseArgsConfig } from "node:util";
import { Failure } from "../core/failure.ts";
import type { Command } from "./command.ts";
import { fieldsOf, type Field } from "./fields.ts";
import {
  globalFlagList,
  type globalFlags,
  type GlobalFlagName,
} from "./global-flags.ts";

export type GlobalValues = {
  readonly [
    Name in GlobalFlagName
  ]?: (typeof globalFlags)[Name]["type"] extends "string" ? string : boolean;
};

/** The first words that aren't flags or their values: `["screens", "list"]`; the rest is everything else. */
export function splitWords(words: readonly string[]): {
  readonly command: readonly string[];
  readonly rest: readonly string[];
} {
  const takesValue = (word: string): boolean =>
    globalFlagList.some(
      ({ name, type }) => type === "string" && word === `--${name}`,
    );
  let at = 0;
  while (words[at]?.startsWith("-")) at += takesValue(words[at] ?? "") ? 2 : 1;
  const end = words.slice(at, at + 2).findIndex((word) => word.startsWith("-"));
  const count = end < 0 ? 2 : end;
  return {
    command: words.slice(at, at + count),
    rest: [...words.slice(0, at), ...words.slice(at + count)],
  };
}

/** Flags only, for what isn't a command of the table; throws `malformed`. */
export function readFlags<Name extends string>(
  words: readonly string[],
  own: Readonly<Record<Name, { readonly type: "boolean" }>>,
): {
  readonly values: GlobalValues & { readonly [Key in Name]?: boolean };
  readonly positionals: readonly string[];
} {
  const { values, positionals } = parsed(words, { ...globalOptions, ...own });
  return { values: values as never, positionals };
}

export function readInput(
  command: Command,
  words: readonly string[],
): { readonly globals: GlobalValues; readonly input: object } {
  const fields = fieldsOf(command);
  const options = Object.fromEntries(
    fields
      .filter(({ flag }) => flag !== null)
      .map(({ name, type, isList }) => [
        name,
        {
          type: type === "switch" ? ("boolean" as const) : ("string" as const),
          multiple: isList,
        },
      ]),
  );
  const { values, positionals } = parsed(words, {
    ...globalOptions,
    ...options,
  });
  const globals = values as GlobalValues;
  // Help is shown whatever else is missing.
  if (globals.help) return { globals, input: {} };
  const placed = placedInput(command, fields, positionals);
  const input = Object.fromEntries(
    fields.flatMap((field) => {
      const raw = field.flag === null ? placed[field.name] : values[field.name];
      return raw === undefined ? [] : [[field.name, valueOf(field, raw)]];
    }),
  );
  return { globals, input };
}

const globalOptions = Object.fromEntries(
  globalFlagList.map(({ name, type }) => [name, { type }]),
);

function parsed(
  words: readonly string[],
  options: NonNullable<ParseArgsConfig["options"]>,
) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    // The first sentence; the rest is about quoting.
    const [first = ""] = (error as Error).message.split(". ");
    throw new Failure("malformed", `${first.replace(/\.$/, "")}. See --help.`);
  }
}

function placedInput(
  { name, positions }: Command,
  fields: readonly Field[],
  given: readonly string[],
): Readonly<Record<string, string | readonly string[]>> {
  const input: Record<string, string | readonly string[]> = {};
  const places = fields.filter(({ flag }) => flag === null);
  places.forEach((field, at) => {
    const words = field.isList ? given.slice(at) : given.slice(at, at + 1);
    if (words.length === 0)
      throw new Failure(
        "malformed",
        `${field.name.toUpperCase()} is missing. See "${name} --help".`,
      );
    input[field.name] = field.isList ? words : (words[0] ?? "");
  });
  const takesAll = places.some(({ isList }) => isList);
  const extra = given[positions.length];
  if (!takesAll && extra !== undefined) refuseSurplus(name, [extra]);
  return input;
}

/** Throws `malformed` where there is any. */
export function refuseSurplus(
  name: string | undefined,
  [surplus]: readonly string[],
): void {
  if (surplus === undefined) return;
  throw new Failure(
    "malformed",
    `Unexpected argument "${surplus}". Put a name with spaces in quotes. See "${name} --help".`,
  );
}

function valueOf(field: Field, raw: unknown): unknown {
  for (const each of [raw].flat())
    if (field.choices.length > 0 && !field.choices.includes(each as string))
      throw new Failure(
        "malformed",
        `${labelOf(field)} must be one of ${field.choices.join(", ")}; got "${String(each)}".`,
      );
  if (field.type !== "number") return raw;
  const number = Number(raw);
  if (raw === "" || !Number.isFinite(number))
    throw new Failure(
      "malformed",
      `${labelOf(field)} must be a number; got "${String(raw)}".`,
    );
  return number;
}

export function labelOf({ flag, name, isList }: Field): string {
  return flag ?? `${name.toUpperCase()}${isList ? "…" : ""}`;
}
