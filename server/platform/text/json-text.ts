// Lossless JSON: numbers keep their digits, keys are plain data, and equal values are written alike.
//
// Written by hand, since no library parses untrusted JSON in pieces (V4-288). `JSON.parse` with access to the source text, which
// the project's Node and Electron 33 (Node 20) have, blocked everything else for 200 ms with 10,000 rows of twenty columns, where
// this takes as long in total and pauses after every 8,192 characters; it also puts members whose names are numbers first.
// `@streamparser/json` 0.0.26 took 2.9 s instead of 0.1 s for 16 MiB of escapes, and its tokens come without grammar.
// `JSON.rawJSON` cannot write the whitespace and the order of members that PostgreSQL has.

import { charactersInPiece, type PieceByPiece } from "./incremental.ts";

/** A number as decimal digits, without exponent, at the length it was sent with. */
export class JsonNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

export type Json =
  | null
  | boolean
  | string
  | JsonNumber
  | readonly Json[]
  | ReadonlyMap<string, Json>;

export type JsonFault = "syntax" | "depth" | "values" | "number" | "character";

export class JsonError extends Error {
  readonly fault: JsonFault;
  readonly position: number;

  constructor(fault: JsonFault, position: number, message: string) {
    super(message);
    this.name = "JsonError";
    this.fault = fault;
    this.position = position;
  }
}

export function isJsonObject(json: Json): json is ReadonlyMap<string, Json> {
  return json instanceof Map;
}

export function isJsonArray(json: Json): json is readonly Json[] {
  return Array.isArray(json);
}

/** No application calculates with a number that is longer than this when written out. */
const longestNumber = 1000;

/** Longer than any number that was ever accepted, with its exponent written out. */
const longestStored = 10 * longestNumber;

/** Stored JSON was validated when it arrived, with the limits of that time. */
export function readStoredJson(text: string, deepest = Infinity): Json {
  return readJson(text, deepest, longestStored);
}

/** `maxValues`: on all levels together, since a value costs more memory than its characters do. */
export function readJson(
  text: string,
  deepest: number,
  longest = longestNumber,
  maxValues = Infinity,
): Json {
  const reader = createReader(text, deepest, longest, maxValues);
  reader.run(Infinity);
  return reader.result();
}

/** The same for a long text, in pieces. */
export function* jsonInPieces(
  text: string,
  deepest: number,
  maxValues: number,
): PieceByPiece<Json> {
  const reader = createReader(text, deepest, longestNumber, maxValues);
  while (!reader.run(charactersInPiece)) yield;
  return reader.result();
}

interface Frame {
  readonly items: Json[] | null;
  readonly members: Map<string, Json> | null;
  key: string;
}

interface Reader {
  /** Continues for about this many characters; returns whether that was the end. */
  run(characters: number): boolean;
  /** Of a text that was read to its end. */
  result(): Json;
}

/** What is expected at this position; a text may itself be read in pieces. */
type Task =
  | "value"
  | "text"
  | "first item"
  | "first key"
  | "key"
  | "colon"
  | "after";

/** Without recursion, so that it can stop anywhere and resume later. */
function createReader(
  text: string,
  deepest: number,
  longest: number,
  maxValues: number,
): Reader {
  /** Digits written out beyond what was sent: a short exponent is a long number. */
  const maxSpelledOut = 10 * maxValues;
  const stack: Frame[] = [];
  let task: Task | "end" = "value";
  let at = 0;
  let pauseAt = 0;
  let values = 0;
  let spelledOutDigits = 0;
  let textStart = 0;
  let hasEscapes = false;
  let isKey = false;
  let read: Json = null;

  const fail = (fault: JsonFault, message: string): never => {
    throw new JsonError(fault, at, message);
  };
  const expect = (character: string): void => {
    if (text[at] !== character) fail("syntax", `"${character}" is missing`);
    at += 1;
  };

  function beginText(asKey: boolean): void {
    textStart = at;
    at += 1;
    hasEscapes = false;
    isKey = asKey;
    task = "text";
  }

  /** Returns whether the end of the text was reached. */
  function scanText(): boolean {
    for (; at < pauseAt; at += 1) {
      const code = text.charCodeAt(at);
      if (code === 34) {
        at += 1;
        return true;
      }
      if (code === 92) {
        hasEscapes = true;
        at += 1;
      } else if (code < 32 || Number.isNaN(code))
        fail("syntax", "A string is not terminated");
    }
    return false;
  }

  function takeText(): string {
    const found = hasEscapes
      ? unescaped(text.slice(textStart, at))
      : text.slice(textStart + 1, at - 1);
    if (!isStorable(found))
      fail("character", "A string contains a character that cannot be stored");
    return found;
  }

  function unescaped(literal: string): string {
    try {
      return JSON.parse(literal) as string;
    } catch {
      return fail("syntax", "A string has an invalid escape sequence");
    }
  }

  function beginValue(): void {
    values += 1;
    if (values > maxValues)
      fail("values", `The JSON has more than ${maxValues} values`);
    const character = text[at];
    if (character === '"') beginText(false);
    else if (character === "{" || character === "[") {
      if (stack.length >= deepest)
        fail("depth", "The JSON is nested too deeply");
      at += 1;
      const isList = character === "[";
      stack.push({
        items: isList ? [] : null,
        members: isList ? null : new Map<string, Json>(),
        key: "",
      });
      task = isList ? "first item" : "first key";
    } else
      complete(word("true", true) ?? word("false", false) ?? nullOrNumber());
  }

  function word<T>(spelling: string, meaning: T): T | undefined {
    if (!text.startsWith(spelling, at)) return undefined;
    at += spelling.length;
    return meaning;
  }

  function nullOrNumber(): null | JsonNumber {
    if (text.startsWith("null", at)) {
      at += 4;
      return null;
    }
    numberPattern.lastIndex = at;
    const match = numberPattern.exec(text);
    if (!match) return fail("syntax", "A value is missing");
    const digits = spelledOut(match[0], longest);
    if (digits === null) return fail("number", "The number is too long");
    spelledOutDigits += Math.max(0, digits.length - match[0].length);
    if (spelledOutDigits > maxSpelledOut)
      fail("number", "The numbers are too long when written without exponents");
    at += match[0].length;
    return new JsonNumber(digits);
  }

  function complete(json: Json): void {
    const frame = stack.at(-1);
    if (frame === undefined) {
      read = json;
      task = "end";
      return;
    }
    if (frame.items) frame.items.push(json);
    else frame.members?.set(frame.key, json);
    task = "after";
  }

  function close(): void {
    const frame = stack.pop();
    complete(frame?.items ?? frame?.members ?? null);
  }

  /** The next step; false when a text continues beyond this piece. */
  function step(): boolean {
    switch (task) {
      case "value":
        beginValue();
        return true;
      case "text": {
        if (!scanText()) return false;
        const found = takeText();
        const frame = stack.at(-1);
        if (isKey && frame) {
          frame.key = found;
          task = "colon";
        } else complete(found);
        return true;
      }
      case "first item":
      case "first key": {
        const isList = task === "first item";
        if (text[at] === (isList ? "]" : "}")) {
          at += 1;
          close();
        } else task = isList ? "value" : "key";
        return true;
      }
      case "key":
        if (text[at] !== '"') fail("syntax", "A key is missing");
        beginText(true);
        return true;
      case "colon":
        expect(":");
        task = "value";
        return true;
      case "after": {
        const isList = stack.at(-1)?.items !== null;
        if (text[at] === ",") {
          at += 1;
          task = isList ? "value" : "key";
        } else {
          expect(isList ? "]" : "}");
          close();
        }
        return true;
      }
      case "end":
        return true;
    }
  }

  return {
    run: (characters) => {
      pauseAt = at + characters;
      for (;;) {
        if (task !== "text")
          for (; at < pauseAt; at += 1) {
            const code = text.charCodeAt(at);
            if (code !== 32 && code !== 10 && code !== 13 && code !== 9) break;
          }
        if (at >= pauseAt && at < text.length) return false;
        if (task === "end") {
          if (at < text.length)
            fail("syntax", "There is more text after the JSON");
          return true;
        }
        if (!step()) return false;
      }
    },
    result: () => read,
  };
}

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** A database stores neither NUL nor half a surrogate pair. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Cs}]/u.test(text);
}

/** Without exponent and negative zero, as PostgreSQL stores it; null when that is too long. */
function spelledOut(literal: string, longest: number): string | null {
  const [mantissa = "", exponentText] = literal.split(/[eE]/);
  const exponent = Number(exponentText ?? 0);
  if (Math.abs(exponent) > longest) return null;
  const isNegative = mantissa.startsWith("-");
  const [integer = "", fraction = ""] = mantissa
    .slice(isNegative ? 1 : 0)
    .split(".");
  const all = integer + fraction;
  const point = integer.length + exponent;
  const front = all
    .slice(0, Math.max(point, 0))
    .padEnd(Math.max(point, 0), "0");
  const back = point < 0 ? "0".repeat(-point) + all : all.slice(point);
  const digits = `${front.replace(/^0+(?=\d)/, "") || "0"}${back ? `.${back}` : ""}`;
  if (digits.length > longest) return null;
  return isNegative && /[1-9]/.test(digits) ? `-${digits}` : digits;
}

/** One notation for equal values: keys by length, then by bytes; spaces as PostgreSQL writes them. */
export function writeJson(json: Json): string {
  if (json === null || typeof json === "boolean") return String(json);
  if (typeof json === "string") return JSON.stringify(json);
  if (json instanceof JsonNumber) return json.digits;
  if (isJsonArray(json)) return `[${json.map(writeJson).join(", ")}]`;
  return `{${sortedMembers(json)
    .map(([key, value]) => `${JSON.stringify(key)}: ${writeJson(value)}`)
    .join(", ")}}`;
}

/** As it was sent, without whitespace: the members in their own order. */
export function writeJsonInOrder(json: Json): string {
  if (isJsonArray(json)) return `[${json.map(writeJsonInOrder).join(",")}]`;
  if (!isJsonObject(json)) return writeJson(json);
  return `{${[...json].map(([key, value]) => `${JSON.stringify(key)}:${writeJsonInOrder(value)}`).join(",")}}`;
}

export function sortedMembers(
  json: ReadonlyMap<string, Json>,
): readonly (readonly [string, Json])[] {
  if (json.size < 2) return [...json];
  return [...json]
    .map(([key, value]) => ({ bytes: Buffer.from(key), key, value }))
    .sort(
      (a, b) =>
        a.bytes.length - b.bytes.length || Buffer.compare(a.bytes, b.bytes),
    )
    .map(({ key, value }) => [key, value] as const);
}
