// Converts a client's text or JSON to a value of a column's type, validated before any database is involved.

import {
  isJsonArray,
  isJsonObject,
  isStorable,
  JsonError,
  JsonNumber,
  readJson,
  writeJson,
  writeJsonInOrder,
  type Json,
} from "../../../platform/text/json-text.ts";
import type { Column, ColumnType } from "../../catalogue.ts";
import { limits } from "../parse/request-limits.ts";
import { momentFrom, type Clock } from "./timestamp.ts";
import { badInput, refusedValue } from "../../http/v4-errors.ts";

/** JSON is its own kind of value; the others are bound by the driver. */
export type Value =
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "integer"; readonly value: bigint }
  | { readonly type: "decimal"; readonly value: number }
  | { readonly type: "flag"; readonly value: boolean }
  | { readonly type: "moment"; readonly value: number }
  | { readonly type: "json"; readonly value: Json };

/** Name of a type in error messages. */
export const typeNames: Readonly<Record<ColumnType, string>> = {
  text: "text",
  enum: "enum",
  integer: "bigint",
  decimal: "numeric",
  flag: "boolean",
  level: "boolean",
  json: "jsonb",
  moment: "timestamp with time zone",
};

type Typed = Pick<Column, "type" | "name" | "values">;

export function valueFromText(
  column: Typed,
  text: string,
  clock: Clock,
): Value {
  switch (column.type) {
    case "text":
      return { type: "text", value: text };
    case "enum":
      if (!column.values.includes(text))
        throw refusedValue(
          "22P02",
          `invalid input value for enum ${column.name}: "${text.slice(0, 200)}"`,
        );
      return { type: "text", value: text };
    case "integer":
      return { type: "integer", value: integerFrom(text) };
    case "decimal":
      return { type: "decimal", value: decimalFrom(text) };
    case "flag":
    case "level":
      return { type: "flag", value: flagFrom(text) };
    case "json":
      return { type: "json", value: jsonFrom(text) };
    case "moment":
      return { type: "moment", value: momentFrom(text, clock) };
  }
}

function integerFrom(text: string): bigint {
  const digits = text.trim();
  if (!/^[+-]?\d+$/.test(digits)) throw badInput(typeNames.integer, text);
  const value = digits.length > 30 ? null : BigInt(digits.replace("+", ""));
  if (value === null || value !== BigInt.asIntN(64, value))
    throw refusedValue(
      "22003",
      `value "${text.slice(0, 200)}" is out of range for type bigint`,
    );
  return value;
}

function decimalFrom(text: string): number {
  const digits = text.trim();
  if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(digits))
    return Number(digits);
  // No stored value is larger than either of these.
  if (/^(?:nan|\+?inf(?:inity)?)$/i.test(digits)) return Infinity;
  if (/^-inf(?:inity)?$/i.test(digits)) return -Infinity;
  throw badInput(typeNames.decimal, text);
}

function flagFrom(text: string): boolean {
  const word = text.trim().toLowerCase();
  if (/^(?:t|tr|tru|true|y|ye|yes|on|1)$/.test(word)) return true;
  if (/^(?:f|fa|fal|fals|false|n|no|of|off|0)$/.test(word)) return false;
  throw badInput(typeNames.flag, text);
}

function jsonFrom(text: string): Json {
  try {
    return readJson(text, limits.jsonDepth, undefined, limits.jsonValues);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw badInput("json", text);
  }
}

/** A member of a body; null is NULL, and a value of another type is parsed from its text (V4-17). */
export function valueFromJson(
  column: Column,
  json: Json,
  now: () => number,
): Value | null {
  if (json === null) return null;
  if (column.type === "json") {
    if (column.maxLength < Infinity) checkLength(column, writeJson(json));
    return { type: "json", value: json };
  }
  const text = plainTextOf(json);
  if (column.type === "text") checkText(column, text);
  const value = valueFromText(column, text, { now, zone: null });
  if (value.type === "decimal" && !Number.isFinite(value.value))
    throw refusedValue("22003", `"${column.name}" is out of range`);
  return value;
}

function checkLength(column: Column, text: string): void {
  if (text.length > column.maxLength)
    throw refusedValue(
      "22001",
      `value too long for column "${column.name}": at most ${column.maxLength} characters`,
    );
}

function checkText(column: Column, text: string): void {
  checkLength(column, text);
  if (!isStorable(text))
    throw refusedValue(
      "22021",
      `"${column.name}" contains a character that cannot be stored`,
    );
}

function plainTextOf(json: Json): string {
  if (typeof json === "string") return json;
  if (json instanceof JsonNumber) return json.digits;
  return isJsonArray(json) || isJsonObject(json)
    ? writeJsonInOrder(json)
    : writeJson(json);
}
