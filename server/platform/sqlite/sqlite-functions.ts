// SQL functions that make SQLite behave as PostgreSQL does: JSON, patterns, words and casts.

import { RE2JS } from "re2js";
import { DatabaseError } from "../database/database.ts";
import {
  contains,
  at,
  sortKeyOf,
  textOf,
  type JsonStep,
} from "../text/json-compare.ts";
import {
  isJsonObject,
  readStoredJson,
  writeJson,
  type Json,
} from "../text/json-text.ts";
import type { Sqlite } from "./sqlite.ts";
import { matchesWords, wordsOf, type WordQuery } from "../text/word-match.ts";

export interface QueryFunctions {
  /** A statement begins: its time limit starts now. */
  begin(): void;
}

/** A statement that calls them after this time is cancelled, as on PostgreSQL. */
export function addQueryFunctions(
  database: Sqlite,
  maxMs: number,
): QueryFunctions {
  let until = Infinity;
  const inTime = <T>(work: () => T): T => {
    if (performance.now() > until)
      throw new DatabaseError(
        "57014",
        "canceling statement due to statement timeout",
        undefined,
      );
    return work();
  };
  const add = (
    name: string,
    work: (...values: readonly string[]) => unknown,
  ): void => {
    database.function(
      name,
      { deterministic: true, varargs: true },
      (...values: unknown[]) =>
        values.some((value) => value === null)
          ? null
          : inTime(() => work(...values.map(textFrom))),
    );
  };
  // Called periodically while rows are scanned, so that simple but endless statements end too.
  database.function("in_time", { deterministic: false }, () => inTime(() => 1));
  add("json_at", (json, path) => {
    const value = at(read(json), pathFrom(path));
    return value === undefined ? null : writeJson(value);
  });
  add("json_text_at", (json, path) => textOf(at(read(json), pathFrom(path))));
  add("json_sort_key", (json) => sortKeyOf(read(json)));
  add("json_contains", (whole, part) =>
    contains(read(whole), readOnce(part)) ? 1 : 0,
  );
  add("json_texts", textsIn);
  add("json_strings", (json) => stringsOf(read(json)).join(" "));
  add("lower_text", (text) => text?.toLowerCase() ?? null);
  add("matches_pattern", (text, pattern) =>
    compiled(pattern ?? "")
      .matcher(text ?? "")
      .find()
      ? 1
      : 0,
  );
  add("decimal_text", (number) => decimalText(Number(number)));
  add("decimal_as_whole", (number) => integerFrom(Number(number)));
  add("text_as_whole", (text) => integerOf(text ?? ""));
  add("text_as_decimal", (text) => decimalOf(text ?? ""));
  add("text_as_flag", (text) => flagOf(text ?? ""));
  add("matches_words", (text, query) =>
    matchesWords(wordsOf(text ?? ""), queryFrom(query ?? "")) ? 1 : 0,
  );
  return {
    begin: () => {
      until = performance.now() + maxMs;
    },
  };
}

function textFrom(value: unknown): string {
  return typeof value === "string" ? value : String(value);
}

/** Stored JSON was checked when it arrived; anything nested deeper was not stored by this service. */
const deepestStored = 1000;

function read(text: string | undefined): Json {
  return readStoredJson(text ?? "null", deepestStored);
}

const readOnce = remembering(read);
const pathFrom = remembering(
  (text: string | undefined) => JSON.parse(text ?? "[]") as readonly JsonStep[],
);
const queryFrom = remembering((text: string) => JSON.parse(text) as WordQuery);
const compiled = remembering((pattern: string) =>
  RE2JS.compile(pattern, RE2JS.DOTALL),
);

/** A statement uses the same pattern for row after row. */
function remembering<K, V>(make: (key: K) => V): (key: K) => V {
  const cache = new Map<K, V>();
  return (key) => {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    if (cache.size >= 100) cache.clear();
    const value = make(key);
    cache.set(key, value);
    return value;
  };
}

/** With all its digits: a JavaScript number has too few of them. */
function integerOf(text: string): bigint {
  const [, sign, all] = /^\s*([+-]?)(\d+)\s*$/.exec(text) ?? [];
  if (all === undefined) throw noCast(text, "bigint");
  const digits = all.replace(/^0+(?=\d)/, "");
  const whole = digits.length > 19 ? null : BigInt(digits);
  const signed = sign === "-" && whole !== null ? -whole : whole;
  if (signed !== null && BigInt.asIntN(64, signed) === signed) return signed;
  const message = `value "${text.slice(0, 200)}" is out of range for type bigint`;
  throw new DatabaseError("22003", message, undefined);
}

/** Halves are rounded away from zero, as in PostgreSQL. */
function integerFrom(number: number): bigint {
  const rounded = Math.sign(number) * Math.round(Math.abs(number));
  const whole = Number.isFinite(rounded) ? BigInt(rounded) : null;
  if (whole !== null && BigInt.asIntN(64, whole) === whole) return whole;
  throw new DatabaseError("22003", "bigint out of range", undefined);
}

/** In PostgreSQL's notation: the shortest that parses to the same number, with an exponent below -4 and from 15 on. */
function decimalText(number: number): string {
  const [digits = "", exponent = "0"] = number.toExponential().split("e");
  const power = Number(exponent);
  if (!Number.isFinite(number) || (power >= -4 && power < 15))
    return String(number);
  const sign = power < 0 ? "-" : "+";
  return `${digits}e${sign}${String(Math.abs(power)).padStart(2, "0")}`;
}

function decimalOf(text: string): number {
  const [, digits] =
    /^\s*[+-]?(\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i.exec(text) ?? [];
  if (digits === undefined) throw noCast(text, "double precision");
  const number = Number(text);
  const isLost = number === 0 && /[1-9]/.test(digits);
  if (Number.isFinite(number) && !isLost) return number;
  const message = `"${text.slice(0, 200)}" is out of range for type double precision`;
  throw new DatabaseError("22003", message, undefined);
}

function flagOf(text: string): number {
  const word = text.trim().toLowerCase();
  if (/^(?:t|tr|tru|true|y|ye|yes|on|1)$/.test(word)) return 1;
  if (/^(?:f|fa|fal|fals|false|n|no|of|off|0)$/.test(word)) return 0;
  throw noCast(text, "boolean");
}

function noCast(text: string, type: string): DatabaseError {
  const message = `invalid input syntax for type ${type}: "${text.slice(0, 200)}"`;
  return new DatabaseError("22P02", message, undefined);
}

/** An object with its values as texts; an empty one for anything else. */
function textsIn(text: string | undefined): string {
  const quick: unknown = JSON.parse(text ?? "null");
  if (typeof quick !== "object" || quick === null) return "{}";
  // Most contain only texts, and stay as they are.
  const isDone =
    !Array.isArray(quick) &&
    Object.values(quick).every((value) => typeof value === "string");
  if (isDone && text !== undefined) return text;
  const json = read(text);
  if (!isJsonObject(json)) return "{}";
  const members = [...json].map(
    ([key, value]) => [key, textOf(value) ?? "null"] as const,
  );
  return writeJson(new Map(members));
}

/** All texts in a JSON value, in order; without keys. */
function stringsOf(json: Json): readonly string[] {
  if (typeof json === "string") return [json];
  if (Array.isArray(json)) return (json as readonly Json[]).flatMap(stringsOf);
  if (json instanceof Map)
    return [...(json as ReadonlyMap<string, Json>).values()].flatMap(stringsOf);
  return [];
}
