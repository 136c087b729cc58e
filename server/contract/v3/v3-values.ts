// Readers of single values of a version 3 body, whether JSON or the text of a form (V3-6, V3-7).

import * as z from "zod";
import { fieldSentences } from "../sentences/field-sentences.ts";
import { composeSentence } from "../sentence-templates.ts";
import { isZone } from "./zone-name.ts";
import { got, sentenceFor } from "../field-error.ts";
import {
  reader,
  type JsonSchema,
  type Reader,
  type Reading,
} from "../reader.ts";

/** A field validated by a function: its value, or the sentence that says what is wrong. */
export function read<T>(judge: Reader<T>) {
  return z
    .unknown()
    .transform((raw, context): T => {
      const reading = judge(raw);
      if ("value" in reading) return reading.value;
      context.addIssue({ code: "custom", message: reading.sentence });
      return z.NEVER;
    })
    .meta(judge.schema);
}

/** A required field. */
export function required<T>(judge: Reader<T>) {
  return read(
    reader<T>(judge.schema, (raw) =>
      raw === undefined || raw === null
        ? { sentence: fieldSentences.required }
        : judge(raw),
    ),
  );
}

export function text(most: number): Reader<string> {
  return reader({ type: "string", maxLength: most }, (raw) => {
    if (typeof raw !== "string")
      return { sentence: fieldSentences.text + got(raw) };
    return raw.length <= most
      ? { value: raw }
      : {
          sentence: composeSentence(fieldSentences.characters, { limit: most }),
        };
  });
}

/** Text that is neither empty nor blank. */
export function filledText(most: number): Reader<string> {
  const schema = { type: "string", maxLength: most, pattern: "\\S" };
  const readText = text(most);
  return reader(schema, (raw) => {
    const reading = readText(raw);
    return "value" in reading && reading.value.trim() === ""
      ? { sentence: fieldSentences["not-blank"] }
      : reading;
  });
}

/** Null stands for the empty text. */
export function textOrNull(most: number): Reader<string> {
  const readText = text(most);
  return reader({ type: ["string", "null"], maxLength: most }, (raw) =>
    raw === null ? { value: "" } : readText(raw),
  );
}

/** true, false, 1 and 0, also as texts in any case. */
export const flag = reader<boolean>({ type: "boolean" }, (raw) => {
  if (raw === true || raw === false) return { value: raw };
  const word = String(raw).toLowerCase();
  const isText = typeof raw === "string" || typeof raw === "number";
  if (isText && (word === "true" || word === "1")) return { value: true };
  if (isText && (word === "false" || word === "0")) return { value: false };
  return { sentence: fieldSentences.boolean + got(raw) };
});

export function number(least: number, most: number): Reader<number> {
  const schema = { type: "number", minimum: least, maximum: most };
  return reader(schema, (raw) => {
    const isDigits =
      typeof raw === "string" && /^-?\d{1,15}(\.\d{1,15})?$/.test(raw.trim());
    const value = isDigits ? Number(raw) : raw;
    return typeof value === "number" && value >= least && value <= most
      ? { value }
      : {
          sentence:
            composeSentence(fieldSentences.number, { least, most }) + got(raw),
        };
  });
}

export function integer(least: number, most: number): Reader<number> {
  const readNumber = number(least, most);
  return reader({ ...readNumber.schema, type: "integer" }, (raw) => {
    const reading = readNumber(raw);
    return "value" in reading && Number.isInteger(reading.value)
      ? reading
      : {
          sentence:
            composeSentence(fieldSentences["whole-number"], { least, most }) +
            got(raw),
        };
  });
}

const moment = z.iso.datetime({ offset: true });

const instantSchema = {
  anyOf: [
    { type: "string", format: "date-time" },
    { type: "integer", description: "Milliseconds since 1970" },
  ],
};

/** Milliseconds since 1970, from a moment in either form. */
export const instant = reader<number>(instantSchema, (raw) => {
  const isDigits = typeof raw === "string" && /^-?\d{1,16}$/.test(raw);
  const ms = isDigits ? Number(raw) : raw;
  if (typeof ms === "number")
    return Number.isInteger(ms) && Math.abs(ms) <= 8.64e15
      ? { value: ms }
      : {
          sentence: `must be a whole number of milliseconds since 1970${got(raw)}`,
        };
  const parsed = moment.safeParse(raw);
  return parsed.success
    ? { value: Date.parse(parsed.data) }
    : {
        sentence: `must be an ISO 8601 date and time with an offset, or milliseconds since 1970${got(raw)}`,
      };
});

/** An IANA time zone. */
export const zone = reader<string>(
  { type: "string", examples: ["Europe/Berlin"] },
  (raw) =>
    typeof raw === "string" && isZone(raw)
      ? { value: raw }
      : {
          sentence: fieldSentences["iana-zone"] + got(raw),
        },
);

/** `2026-05-01` */
export const calendarDay = reader<string>(
  { type: "string", format: "date" },
  (raw) => {
    const isDay =
      typeof raw === "string" &&
      /^[1-9]\d{3}-\d\d-\d\d$/.test(raw) &&
      z.iso.date().safeParse(raw).success;
    return isDay
      ? { value: raw }
      : { sentence: `must be a day such as 2026-05-01${got(raw)}` };
  },
);

/** One of these words. */
export function oneOf<Word extends string>(
  words: readonly Word[],
): Reader<Word> {
  return reader({ type: "string", enum: words }, (raw) => {
    const word = words.find((each) => each === raw);
    return word === undefined
      ? {
          sentence:
            composeSentence(fieldSentences.choice, {
              choices: words.join(", "),
            }) + got(raw),
        }
      : { value: word };
  });
}

/** Of a list that spreadsheets read, too. */
export const tableFormat = reader<"json" | "csv">(
  { type: "string", enum: ["json", "csv"] },
  (raw) =>
    raw === "json" || raw === "csv"
      ? { value: raw }
      : { sentence: `must be json or csv${got(raw)}` },
);

export function listSchema(most: number, items: JsonSchema): JsonSchema {
  return { type: "array", maxItems: most, items };
}

/** Parameters of a query that may be repeated, each one of the values that `judge` accepts. */
export function repeated<T>(
  most: number,
  judge: Reader<T>,
): Reader<readonly T[]> {
  return reader(listSchema(most, judge.schema), (raw) => {
    const raws: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
    if (raws.length > most)
      return { sentence: `must be sent at most ${most} times` };
    const values: T[] = [];
    for (const each of raws) {
      const reading = judge(each);
      if ("sentence" in reading) return reading;
      values.push(reading.value);
    }
    return { value: values };
  });
}

/** Maximum nesting of a body (V3-18). */
const maxDepth = 100;
/** JSON within a text is parsed synchronously (V4-315). */
const maxJsonLength = 1024 * 1024;

/** JSON as received, or as the text of a form; JSON that cannot be stored is rejected. */
export function jsonOf(raw: unknown): unknown {
  if (typeof raw !== "string" || raw.length > maxJsonLength) return raw;
  try {
    const json = JSON.parse(raw) as unknown;
    return isKept(json, 0) ? json : raw;
  } catch {
    return raw;
  }
}

/** Escapes within the text may hide what a body itself may not contain. */
function isKept(json: unknown, depth: number): boolean {
  if (typeof json === "string") return isStorable(json);
  if (typeof json !== "object" || json === null) return true;
  return (
    depth < maxDepth &&
    Object.entries(json).every(
      ([name, each]) => isStorable(name) && isKept(each, depth + 1),
    )
  );
}

/** Contains neither NUL nor lone surrogates. */
function isStorable(text: string): boolean {
  return !/[\0\p{Cs}]/u.test(text);
}

/** Any JSON in a response. */
export const anyJson: z.ZodType<z.core.util.JSONType> = z.any();

export type Texts = ReadonlyMap<string, string>;

const maxTexts = 1000;
const maxTextLength = 65_536;

const textsSchema = {
  type: ["object", "null"],
  maxProperties: maxTexts,
  additionalProperties: { type: "string", maxLength: maxTextLength },
};

/** An object of texts with any keys; null stands for an empty one. */
function texts(
  complaint: (name: string, value: string) => string | null,
): Reader<Texts> {
  return reader(textsSchema, (raw) => {
    const json = jsonOf(raw);
    if (json === null) return { value: new Map() };
    if (typeof json !== "object" || Array.isArray(json))
      return { sentence: `must be an object of strings${got(json)}` };
    const entries = Object.entries(json);
    if (entries.length > maxTexts)
      return { sentence: `must have at most ${maxTexts} entries` };
    for (const [name, value] of entries) {
      if (typeof value !== "string")
        return {
          sentence: `must have a string as the value of "${shortened(name)}"${got(value)}`,
        };
      if (name.length > maxTextLength || value.length > maxTextLength)
        return {
          sentence: `must have names and values of at most ${maxTextLength} characters`,
        };
      const sentence = complaint(name, value);
      if (sentence !== null) return { sentence };
    }
    return { value: new Map(entries as [string, string][]) };
  });
}

function shortened(text: string): string {
  return text.slice(0, 100);
}

/** Valid as request headers: names are tokens, values contain no line break. */
export const headerTexts = texts((name, value) => {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
    return composeSentence(fieldSentences.header, {
      name: `name "${shortened(name)}"`,
    });
  return /[\r\n\0]/.test(value)
    ? `must not have a line break or NUL in the value of "${shortened(name)}"`
    : null;
});

export const plainTexts = texts(() => null);

/** Objects with an `id`, and the other members with these schemas; any further ones are ignored. */
export function elements<T>(
  most: number,
  judge: (element: Readonly<Record<string, unknown>>, id: string) => Reading<T>,
  others: Readonly<Record<string, JsonSchema>> = {},
): Reader<readonly T[]> {
  const element = {
    type: "object",
    properties: { id: { type: "string", minLength: 1 }, ...others },
    required: ["id"],
  };
  return reader(listSchema(most, element), (raw) => {
    const json = jsonOf(raw);
    if (!Array.isArray(json))
      return { sentence: `must be an array of objects${got(json)}` };
    if (json.length > most)
      return {
        sentence: composeSentence(fieldSentences.elements, { limit: most }),
      };
    const values: T[] = [];
    for (const [at, each] of (json as unknown[]).entries()) {
      const element = each as Readonly<Record<string, unknown>> | null;
      const id = typeof each === "object" && element ? element["id"] : null;
      if (typeof id !== "string" || id === "" || id.length > 100)
        return { sentence: `[${at}] must be an object with an id` };
      const reading = judge(element ?? {}, id);
      if ("sentence" in reading)
        return { sentence: sentenceFor(`[${at}]`, reading.sentence) };
      values.push(reading.value);
    }
    return { value: values };
  });
}
