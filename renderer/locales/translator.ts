// Texts of one language: ICU messages from its catalogue with their placeholders filled in, and its formats.

import { IntlMessageFormat } from "intl-messageformat";
import { baseOf } from "./base-language.ts";
import { catalogueOf, type Catalogue } from "./catalogues.ts";
import { formatsFor, type Formats } from "./formats.ts";
import { isolateWhereNeeded } from "./isolate.ts";

/** The path of a message in the catalogue: `takeover.title`. */
export type MessageKey = PathsIn<Catalogue>;

type PathsIn<Part, Prefix extends string = ""> = {
  [Name in keyof Part & string]: Part[Name] extends string
    ? `${Prefix}${Name}`
    : PathsIn<Part[Name], `${Prefix}${Name}.`>;
}[keyof Part & string];

/** Values by the name of their placeholder. */
export type MessageValues = Readonly<Record<string, string | number | boolean>>;

export interface Translator {
  /** As requested, such as `de-AT`; `en` where there is no catalogue for it. */
  readonly language: string;
  /** Of the requested language, whether it has a catalogue or not: a right-to-left language is laid out right to left. */
  readonly direction: "ltr" | "rtl";
  readonly formats: Formats;
  /**
   * The message in the operator's language. A text value of another direction (a name, an address) is isolated, so that it does not
   * reorder the sentence.
   */
  readonly t: (key: MessageKey, values?: MessageValues) => string;
  /** The message without invisible characters, for what is stored or used elsewhere: names, files, commands. */
  readonly plainMessage: (key: MessageKey, values?: MessageValues) => string;
  /** The message for a code that may come from another version; undefined where the catalogue has none. */
  readonly messageFor: (
    group: string,
    code: string,
    values?: MessageValues,
  ) => string | undefined;
}

export function translatorFor(requestedLanguage: string): Translator {
  const { name, catalogue } = catalogueOf(requestedLanguage);
  const base = baseOf(requestedLanguage);
  const language = name === base ? requestedLanguage : name;
  const direction = rightToLeft.has(base) ? "rtl" : "ltr";
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

  function t(key: MessageKey, values: MessageValues = {}): string {
    const isolated = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        typeof value === "string"
          ? isolateWhereNeeded(value, direction)
          : value,
      ]),
    );
    const text = formatted(key, isolated);
    // There is no right-to-left catalogue yet: the text keeps its own direction in a right-to-left layout.
    return direction === "rtl" ? isolateWhereNeeded(text, direction) : text;
  }

  return {
    ...{ language, direction, formats: formatsFor(language), t },
    plainMessage: (key, values = {}) => formatted(key, values),
    messageFor: (group, code, values = {}) => {
      const key = `${group}.${code}`;
      return messages.has(key) ? t(key as MessageKey, values) : undefined;
    },
  };
}

const rightToLeft = new Set(["ar", "dv", "fa", "he", "ps", "ur", "yi"]);

function entriesOf(part: object, prefix = ""): (readonly [string, string])[] {
  return Object.entries(part).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "string"
      ? [[`${prefix}${name}`, value] as const]
      : entriesOf(value as object, `${prefix}${name}.`),
  );
}
