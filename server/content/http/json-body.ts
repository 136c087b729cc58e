// Parses a JSON body into plain values and validates its fields against a contract, with errors by field name.

import type * as z from "zod";
import { fieldSentences } from "../../contract/sentences/field-sentences.ts";
import { got, sentenceFor } from "../../contract/field-error.ts";
import { Failure } from "../../core/failure.ts";
import {
  isJsonArray,
  isJsonObject,
  JsonError,
  JsonNumber,
  jsonInPieces,
  readJson,
  type Json,
} from "../../platform/text/json-text.ts";
import { systemCode } from "../../platform/outside-error.ts";
import { readBody, type BodyReader } from "./large-bodies.ts";
import { bodyLimits } from "./body-limits.ts";

// What a contract finds wrong with a value, as the part of a sentence after the field's name.

/** For issues the contract has no sentence of its own for. */
function sentenceOf(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined || issue.input === null)
    return fieldSentences.required;
  switch (issue.code) {
    case "invalid_type":
      return `must be ${kinds[issue.expected] ?? "of another type"}${got(issue.input)}`;
    case "invalid_value":
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}${got(issue.input)}`;
    case "too_big":
      return issue.origin in units
        ? `must have at most ${issue.maximum} ${units[issue.origin]}`
        : `must be at most ${issue.maximum}${got(issue.input)}`;
    case "too_small":
      return issue.origin in units
        ? `must have at least ${issue.minimum} ${units[issue.origin]}`
        : `must be at least ${issue.minimum}${got(issue.input)}`;
    default:
      return `has the wrong format${got(issue.input)}`;
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
};

const units: Readonly<Record<string, string>> = {
  string: "characters",
  array: "elements",
};

const { jsonDepth: maxDepth, jsonValues: maxValues } = bodyLimits;

export const jsonReader: BodyReader<Json> = (text) =>
  jsonInPieces(text, maxDepth, maxValues);

/** From the received bytes; must be an object, since nothing else has fields. */
export function jsonObjectFrom(bytes: Uint8Array): Record<string, unknown> {
  const json = withTranslatedErrors(() => readBody(bytes, jsonReader));
  if (!isJsonObject(json))
    throw new Failure("malformed", "The body must be a JSON object.");
  return plainFrom(json) as Record<string, unknown>;
}

/** For errors thrown while reading a body. */
export function isNoUtf8(error: unknown): boolean {
  return systemCode(error) === "ERR_ENCODING_INVALID_ENCODED_DATA";
}

export function jsonFrom(text: string): Json {
  return withTranslatedErrors(() =>
    readJson(text, maxDepth, undefined, maxValues),
  );
}

/** Replaces parser errors with our own sentences. */
export function withTranslatedErrors<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (isNoUtf8(error))
      throw new Failure("malformed", "The body is not valid UTF-8.");
    if (!(error instanceof JsonError)) throw error;
    throw new Failure(
      "malformed",
      `The body is not valid JSON: ${error.message} (at character ${error.position + 1}).`,
    );
  }
}

/** Keys are plain data, whatever they are called. */
export function plainFrom(json: Json): unknown {
  if (json instanceof JsonNumber) return Number(json.digits);
  if (isJsonArray(json)) return json.map(plainFrom);
  if (!isJsonObject(json)) return json;
  return Object.fromEntries(
    [...json].map(([key, each]) => [key, plainFrom(each)]),
  );
}

/** Throws `invalid` with every field that is wrong; list items are named `list.3.field`. */
export function judged<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body, { error: sentenceOf });
  if (result.success) return result.data;
  const fields: Record<string, string[]> = {};
  for (const { path, message } of result.error.issues) {
    const name = path.join(".") || "non_field_errors";
    (fields[name] ??= []).push(
      path.length > 0 ? sentenceFor(name, message) : `The body ${message}`,
    );
  }
  throw new Failure("invalid", "The body has invalid fields.", fields);
}
