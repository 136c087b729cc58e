// Texts of the user interface: ICU messages from the catalogue of the operator's language, with their placeholders filled in.

import { IntlMessageFormat } from "intl-messageformat";
import type en from "./en.json";
import { isolateWhereNeeded } from "./isolate.ts";
import { catalogue, direction, language } from "./language.ts";

/** The path of a message in the catalogue: `takeover.title`. */
export type MessageKey = PathsIn<typeof en>;

type PathsIn<Part, Prefix extends string = ""> = {
  [Name in keyof Part & string]: Part[Name] extends string
    ? `${Prefix}${Name}`
    : PathsIn<Part[Name], `${Prefix}${Name}.`>;
}[keyof Part & string];

/** Values by the name of their placeholder. */
export type MessageValues = Readonly<Record<string, string | number | boolean>>;

/**
 * The message in the operator's language. A text value of another direction (a name, an address) is isolated, so that it does not
 * reorder the sentence.
 */
export function t(key: MessageKey, values: MessageValues = {}): string {
  const isolated = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === "string" ? isolateWhereNeeded(value, direction) : value,
    ]),
  );
  const text = formatted(key, isolated);
  // There is no right-to-left catalogue yet: the text keeps its own direction in a right-to-left layout.
  return direction === "rtl" ? isolateWhereNeeded(text, direction) : text;
}

/** The message without invisible characters, for what is stored or used elsewhere: names, files, commands. */
export function plainMessage(
  key: MessageKey,
  values: MessageValues = {},
): string {
  return formatted(key, values);
}

/** The message for a code that may come from another version; undefined where the catalogue has none. */
export function messageFor(
  group: string,
  code: string,
  values: MessageValues = {},
): string | undefined {
  const key = `${group}.${code}`;
  return messages.has(key) ? t(key as MessageKey, values) : undefined;
}

const messages = new Map(entriesOf(catalogue));
const compiled = new Map<string, IntlMessageFormat>();

function formatted(key: string, values: MessageValues): string {
  const message = messages.get(key) ?? key;
  // Most messages have nothing to fill in or to unescape.
  if (!/[{}']/.test(message)) return message;
  let format = compiled.get(key);
  if (format === undefined) {
    format = new IntlMessageFormat(message, language, undefined, {
      ignoreTag: true,
    });
    compiled.set(key, format);
  }
  return String(format.format(values));
}

function entriesOf(part: object, prefix = ""): (readonly [string, string])[] {
  return Object.entries(part).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "string"
      ? [[`${prefix}${name}`, value] as const]
      : entriesOf(value as object, `${prefix}${name}.`),
  );
}
