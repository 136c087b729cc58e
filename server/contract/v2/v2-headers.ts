// Request headers of an asset: which names and values are accepted (V2-100).

import { fieldSentences } from "../sentences/field-sentences.ts";
import { composeSentence } from "../sentence-templates.ts";
import { assetLimits } from "../../core/asset-limits.ts";
import { got } from "../field-error.ts";
import { reader, type JsonSchema, type Reading } from "../reader.ts";
import { jsonOf } from "./v2-values.ts";

/** The HTTP client sets the headers that control the connection; the others are forbidden to pages, too. */
const reservedNames = [
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];
const reservedBeginnings = ["proxy-", "sec-"];

/** The characters of an HTTP token. */
const nameLetters = `[!#$%&'*+.^_\`|~0-9A-Za-z-]{1,${assetLimits.headerNameLetters}}`;
/** Printable ASCII: nothing that could start another line. */
const valueLetters = "^[ -~]*$";
const maxHeaders = assetLimits.headers;
const maxValueLength = assetLimits.headerValueLetters;

/** JSON Schema has no case-insensitive patterns. */
function inAnyCase(word: string): string {
  return word.replace(
    /[a-z]/g,
    (letter) => `[${letter.toUpperCase()}${letter}]`,
  );
}

const namePattern = `^(?!(?:${reservedNames.map(inAnyCase).join("|")})$)(?!${reservedBeginnings.map(inAnyCase).join("|")})${nameLetters}$`;

const schema: JsonSchema = {
  type: "object",
  propertyNames: { type: "string", pattern: namePattern },
  additionalProperties: {
    ...{ type: "string", maxLength: maxValueLength, pattern: valueLetters },
  },
  maxProperties: maxHeaders,
};

const isName = new RegExp(namePattern);
const isValue = new RegExp(valueLetters);

/** Header values by name, as an object or its JSON text; of two spellings of one name the last counts. */
export const readHeaders = reader<Readonly<Record<string, string>>>(
  schema,
  (raw) => {
    const given = jsonOf(raw);
    if (typeof given !== "object" || given === null || Array.isArray(given))
      return {
        sentence: `must be an object of header names and values${got(given)}`,
      };
    const headers = new Map<string, readonly [name: string, value: string]>();
    for (const [name, value] of Object.entries(given)) {
      const reading = readHeader(name, value);
      if ("sentence" in reading) return reading;
      headers.set(name.toLowerCase(), [name, reading.value]);
    }
    if (headers.size > maxHeaders)
      return {
        sentence: composeSentence(fieldSentences.headers, {
          limit: maxHeaders,
        }),
      };
    return { value: Object.fromEntries(headers.values()) };
  },
);

function readHeader(name: string, value: unknown): Reading<string> {
  if (!isName.test(name))
    return {
      sentence: composeSentence(fieldSentences.header, { name: quoted(name) }),
    };
  if (typeof value !== "string" || !isValue.test(value))
    return {
      sentence: composeSentence(fieldSentences["header-ascii"], { name }),
    };
  return value.length > maxValueLength
    ? {
        sentence: composeSentence(fieldSentences["header-length"], {
          limit: maxValueLength,
          name,
        }),
      }
    : { value: value.trim() };
}

/** Of headers vouched for by somebody else, those that can be sent; and a sentence for each of the others (V2-548). */
export function goodHeaders(given: unknown): {
  readonly value: Readonly<Record<string, string>>;
  readonly leftOut: readonly string[];
} {
  if (given === undefined || given === null) return { value: {}, leftOut: [] };
  if (typeof given !== "object" || Array.isArray(given))
    return {
      value: {},
      leftOut: ["must be an object of header names and values"],
    };
  const headers = new Map<string, readonly [name: string, value: string]>();
  const leftOut: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    const reading = readHeader(name, value);
    const key = name.toLowerCase();
    if ("sentence" in reading) leftOut.push(reading.sentence);
    else if (headers.size < maxHeaders || headers.has(key))
      headers.set(key, [name, reading.value]);
    else
      leftOut.push(
        composeSentence(fieldSentences.headers, { limit: maxHeaders }),
      );
  }
  return {
    value: Object.fromEntries(headers.values()),
    leftOut: [...new Set(leftOut)].slice(0, maxSentences),
  };
}

const maxSentences = 5;

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}
