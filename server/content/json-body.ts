// A JSON body as plain values, and its fields judged by a contract: what is wrong is said by the name of its field.

import type { Request, RequestHandler } from "express";
import type * as z from "zod";
import { Failure } from "../core/failure.ts";
import {
  isJsonArray,
  isJsonObject,
  JsonError,
  JsonNumber,
  readJson,
  type Json,
} from "../platform/json-text.ts";
import { sentenceOf } from "./sentences.ts";

/** A body nested deeper than this carries no data. */
const mostDepth = 100;
/** As version 4 takes it (V4-288). */
const mostValues = 200_000;
/** Reading what is smaller takes no time worth mentioning. */
const largeBytes = 128 * 1024;

/** What was received as bytes; an object, since nothing else has fields. */
export function jsonObjectFrom(bytes: Uint8Array): Record<string, unknown> {
  const json = jsonFrom(textFrom(bytes));
  if (!isJsonObject(json))
    throw new Failure("malformed", "The body is no JSON object.");
  return plainFrom(json) as Record<string, unknown>;
}

export function bytesOf(request: Request): Uint8Array {
  const body: unknown = request.body;
  return body instanceof Uint8Array ? body : new Uint8Array();
}

function atNextRound(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

let lastLarge: Promise<unknown> = Promise.resolve();

/** Large bodies are read one after the other, and between two of them whoever else asks is answered (V4-288). */
export const letOthersBetween: RequestHandler = (request, _response, next) => {
  if (bytesOf(request).length < largeBytes) {
    next();
    return;
  }
  const turn = lastLarge;
  lastLarge = turn.then(async () => {
    // Between the first and the second of these, sockets are looked at; before the first they may not be.
    await atNextRound();
    await atNextRound();
  });
  return turn.then(() => next());
};

/** Without parameters, in small letters; empty where none is said. */
export function mediaTypeOf(request: Request): string {
  const type = request.headers["content-type"] ?? "";
  return (type.split(";", 1)[0] ?? "").trim().toLowerCase();
}

export function isJsonType(type: string): boolean {
  return /^application\/(?:[\w.-]+\+)?json$/.test(type);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

export function textFrom(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Failure("malformed", "The body is no UTF-8.");
  }
}

export function jsonFrom(text: string): Json {
  try {
    return readJson(text, mostDepth, undefined, mostValues);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new Failure(
      "malformed",
      `The body is no JSON that can be taken: ${error.message} (at character ${error.position + 1}).`,
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

/** Throws `invalid` with every field that is wrong; parts of lists are named `list.3.field`. */
export function judged<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body, { error: sentenceOf });
  if (result.success) return result.data;
  const fields: Record<string, string[]> = {};
  for (const { path, message } of result.error.issues) {
    const name = path.join(".") || "non_field_errors";
    (fields[name] ??= []).push(message);
  }
  throw new Failure("invalid", "The body has fields that are wrong.", fields);
}
