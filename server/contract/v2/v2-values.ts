// Readers of single values of the version 2 interface: what they accept, and the sentence for what they reject.

import { fieldSentences } from "../sentences/field-sentences.ts";
import { composeSentence } from "../sentence-templates.ts";
import { assetLimits } from "../../core/asset-limits.ts";
import { got, sentenceFor } from "../field-error.ts";
import {
  reader,
  type JsonSchema,
  type Reader,
  type Reading,
} from "../reader.ts";

/** Trimmed text; numbers count as text (V2-6). */
export function readText(lengthLimit: number): Reader<string> {
  const schema = {
    ...{ type: "string", minLength: 1, maxLength: lengthLimit },
    pattern: "\\S",
  };
  return reader(schema, (raw) => {
    if (raw === null) return { sentence: fieldSentences["not-null"] };
    if (typeof raw !== "string" && typeof raw !== "number")
      return { sentence: fieldSentences.text + got(raw) };
    const text = String(raw).trim();
    if (text === "") return { sentence: fieldSentences["not-empty"] };
    if (text.includes("\0"))
      return { sentence: fieldSentences["null-character"] };
    // With the u flag this matches only lone surrogates.
    if (/[\uD800-\uDFFF]/u.test(text))
      return { sentence: "must be well-formed Unicode" };
    // Counted as in JSON Schema: a character outside the basic plane is one.
    if (text.length > lengthLimit && [...text].length > lengthLimit)
      return {
        sentence: composeSentence(fieldSentences.characters, {
          limit: lengthLimit,
        }),
      };
    return { value: text };
  });
}

/** Text that matches this pattern, or else this sentence and the text; a secret text is not repeated. */
export function readMatching(
  schema: JsonSchema,
  lengthLimit: number,
  pattern: RegExp,
  sentence: string,
  isSecret = false,
): Reader<string> {
  const read = readText(lengthLimit);
  return reader(schema, (raw) => {
    const reading = read(raw);
    return "sentence" in reading || pattern.test(reading.value)
      ? reading
      : { sentence: isSecret ? sentence : sentence + got(raw) };
  });
}

/** A whole number, as a number or its digits; `2.0` is accepted, `1.5` and true are not (V2-6). */
export function readInteger(least: number, most: number): Reader<number> {
  const schema = { type: "integer", minimum: least, maximum: most };
  return reader(schema, (raw) => {
    if (raw === null) return { sentence: fieldSentences["not-null"] };
    const isDigits =
      typeof raw === "string" && /^[+-]?\d{1,16}(\.0+)?$/.test(raw.trim());
    const number = typeof raw === "number" ? raw : isDigits ? Number(raw) : NaN;
    if (!Number.isSafeInteger(number) || number < least || number > most)
      return {
        sentence:
          composeSentence(fieldSentences["whole-number"], { least, most }) +
          got(raw),
      };
    // No negative zero: it would not survive JSON.
    return { value: number === 0 ? 0 : number };
  });
}

/** Seconds on the screen: at most a year, since longer waits overflow timers (V2-7). */
export const readDuration = readInteger(0, assetLimits.durationSeconds);

/** The whole numbers that SQLite, JSON and every client represent alike. */
export const readPlayOrder = readInteger(-2_147_483_648, 2_147_483_647);

const trueTexts = new Set(["true", "1", "yes", "on", "t", "y"]);
const falseTexts = new Set(["false", "0", "no", "off", "f", "n"]);

/** true and false, 1 and 0, or their texts (V2-6). */
export const readBoolean = reader<boolean>({ type: "boolean" }, (raw) => {
  if (raw === null) return { sentence: fieldSentences["not-null"] };
  if (typeof raw === "boolean") return { value: raw };
  if (typeof raw === "string" || typeof raw === "number") {
    const text = String(raw).trim().toLowerCase();
    if (trueTexts.has(text)) return { value: true };
    if (falseTexts.has(text)) return { value: false };
  }
  return { sentence: fieldSentences.boolean + got(raw) };
});

/** One of a few choices; numbers may be sent as their digits. */
export function readOneOf<const Choice extends string | number>(
  ...choices: readonly Choice[]
): Reader<Choice> {
  return reader({ enum: choices }, (raw) => {
    const value = choices.find(
      (choice) =>
        choice === raw ||
        (typeof choice === "number" && String(choice) === raw),
    );
    return value === undefined
      ? {
          sentence:
            composeSentence(fieldSentences.choice, {
              choices: choices.join(", "),
            }) + got(raw),
        }
      : { value };
  });
}

export function schemaOrNull(schema: JsonSchema): JsonSchema {
  const { enum: choices, type } = schema;
  return Array.isArray(choices)
    ? { ...schema, enum: [...(choices as readonly unknown[]), null] }
    : { ...schema, type: [type, "null"] };
}

/** Null and empty text, the only way for a form to send nothing, stand for `cleared`. */
export function readOr<T>(read: Reader<T>, cleared: T): Reader<T> {
  return reader(schemaOrNull(read.schema), (raw) =>
    raw === null || (typeof raw === "string" && raw.trim() === "")
      ? { value: cleared }
      : read(raw),
  );
}

/** Parses what a form can only send as text; text that is not JSON stays as it is. */
export function jsonOf(raw: unknown): unknown {
  if (typeof raw !== "string") return raw;
  try {
    return JSON.parse(raw);
  } catch {
    return raw;
  }
}

/** Distinct and in order, as an array, its JSON text, or separated by commas. */
export function readNumbers(
  least: number,
  most: number,
): Reader<readonly number[]> {
  const read = readInteger(least, most);
  const schema = {
    ...{ type: "array", items: read.schema, minItems: 1 },
    maxItems: maxNumbers,
  };
  return reader<readonly number[]>(schema, (raw) => {
    const given = jsonOf(raw);
    const list = typeof given === "string" ? given.split(",") : [given].flat();
    if (list.length === 0) return { sentence: fieldSentences["not-empty"] };
    if (list.length > maxNumbers)
      return { sentence: `must have at most ${maxNumbers} numbers` };
    const numbers = new Set<number>();
    for (const [index, one] of list.entries()) {
      const reading = read(one);
      if ("sentence" in reading)
        return { sentence: sentenceFor(`[${index}]`, reading.sentence) };
      numbers.add(reading.value);
    }
    return { value: [...numbers].sort((a, b) => a - b) };
  });
}

const maxNumbers = 10_000;

const isoMoment =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

const earliest = Date.parse("0001-01-01T00:00:00Z");
const latest = Date.parse("9999-12-31T23:59:59.999Z");

/** ISO 8601 to milliseconds since 1970; a bare date is midnight, no zone is UTC (V2-8). */
export const readMoment = reader(
  { type: "string", format: "date-time" },
  momentOf,
);

/** In a query, where a plus sign that was not percent-encoded arrives as a space. */
export const readMomentOfQuery = reader(readMoment.schema, (raw) =>
  readMoment(
    typeof raw === "string"
      ? raw.replace(/(:\d\d\S*) (?=\d\d:?\d\d$)/, "$1+")
      : raw,
  ),
);

function momentOf(raw: unknown): Reading<number> {
  if (raw === null) return { sentence: fieldSentences["not-null"] };
  const invalidMoment = {
    sentence: fieldSentences.moment + got(raw),
  };
  if (typeof raw !== "string") return invalidMoment;
  const parts = isoMoment.exec(raw.trim());
  if (!parts) return invalidMoment;
  const [, year, month, day, hour, minute, second, fraction, zone] = parts;
  const at = [year, month, day, hour, minute, second].map((part) =>
    Number(part ?? 0),
  ) as [number, number, number, number, number, number];
  const [years, months, days, hours, minutes, seconds] = at;
  if (years < 1 || hours > 23 || minutes > 59 || seconds > 59)
    return invalidMoment;
  const date = new Date(0);
  date.setUTCFullYear(years, months - 1, days);
  // February 30 rolls over into March: then the parts no longer match.
  if (date.getUTCMonth() !== months - 1 || date.getUTCDate() !== days)
    return invalidMoment;
  const milliseconds = Number((fraction ?? "").padEnd(3, "0").slice(0, 3));
  const offset = zoneMinutes(zone);
  if (offset === null) return invalidMoment;
  const value = date.setUTCHours(
    hours,
    minutes - offset,
    seconds,
    milliseconds,
  );
  // A zone offset has shifted it beyond these limits, and no client could read the answer.
  return value < earliest || value > latest ? invalidMoment : { value };
}

/** Minutes east of UTC; null for an offset that does not exist. */
function zoneMinutes(zone: string | undefined): number | null {
  if (zone === undefined || zone.toUpperCase() === "Z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", "") || 0);
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

/** UTC with `Z`; milliseconds only if they are not zero (V2-8). */
export function momentToText(moment: number): string {
  return new Date(moment).toISOString().replace(".000Z", "Z");
}
