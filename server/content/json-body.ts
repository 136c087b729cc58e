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
  readJsonInPieces,
  type Json,
} from "../platform/json-text.ts";
import { systemCode } from "../platform/outside-error.ts";
import { sentenceOf } from "./sentences.ts";
import { limits } from "./v4/limits.ts";

const { jsonDepth: mostDepth, jsonValues: mostValues } = limits;
/** Reading what is smaller takes no time worth mentioning. */
const largeBytes = 128 * 1024;
const decodedAtOnce = 512 * 1024;

/** What was received as bytes; an object, since nothing else has fields. */
export function jsonObjectFrom(bytes: Uint8Array): Record<string, unknown> {
  const json = inOwnWords(() => jsonOfBody(bytes));
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

type Reading = { readonly json: Json } | { readonly error: unknown };

/** Of large bodies, for as long as their bytes are there. */
const readAhead = new WeakMap<Uint8Array, Reading>();
let lastLarge: Promise<unknown> = Promise.resolve();

/** Large bodies are parsed one after the other and in pieces: other requests are answered in between (V4-288). */
export const readLargeBodies: RequestHandler = (request, _response, next) => {
  const bytes = bytesOf(request);
  if (bytes.length < largeBytes) {
    next();
    return;
  }
  const type = mediaTypeOf(request);
  const turn = lastLarge.then(async () => {
    if (type !== "" && !isJsonType(type)) return;
    readAhead.set(
      bytes,
      await readInPieces(bytes).then(
        (json) => ({ json }),
        (error: unknown) => ({ error }),
      ),
    );
  });
  lastLarge = turn.then(async () => {
    // Between the first and the second of these, sockets are looked at; before the first they may not be.
    await atNextRound();
    await atNextRound();
  });
  return turn.then(() => next());
};

async function readInPieces(bytes: Uint8Array): Promise<Json> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for (let from = 0; from < bytes.length; from += decodedAtOnce) {
    const piece = bytes.subarray(from, from + decodedAtOnce);
    text += decoder.decode(piece, { stream: true });
    await atNextRound();
  }
  text += decoder.decode();
  return readJsonInPieces(text, mostDepth, mostValues, atNextRound);
}

/** Of what `jsonOfBody` throws. */
export function isNoUtf8(error: unknown): boolean {
  return systemCode(error) === "ERR_ENCODING_INVALID_ENCODED_DATA";
}

/** Throws a JsonError, or what `isNoUtf8` knows. */
export function jsonOfBody(bytes: Uint8Array): Json {
  const reading = readAhead.get(bytes);
  if (reading === undefined)
    return readJson(utf8.decode(bytes), mostDepth, undefined, mostValues);
  if ("error" in reading) throw reading.error;
  return reading.json;
}

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
  return inOwnWords(() => utf8.decode(bytes));
}

export function jsonFrom(text: string): Json {
  return inOwnWords(() => readJson(text, mostDepth, undefined, mostValues));
}

function inOwnWords<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (isNoUtf8(error))
      throw new Failure("malformed", "The body is no UTF-8.");
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
