// Reads the text of a network response and the JSON in it: bounded, parsed without blocking the main thread, and told apart from
// what an intermediary answers.

import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { createGunzip } from "node:zlib";
import { generalSentences } from "../../../contract/sentences/general-sentences.ts";
import { connectionSentences } from "../../../contract/sentences/connection-sentences.ts";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import type { HttpAnswer } from "../../../platform/http/client.ts";
import { RemoteError } from "./remote-error.ts";
import { setImmediate as nextPredicateChange } from "node:timers/promises";
import { wellFormed } from "../../../core/text-limit.ts";

/** Upper bound of one response, uncompressed: a list of ten thousand assets takes a sixth of it. */
const maxAnswerBytes = 64 * 1024 * 1024;

export interface AnswerText {
  readonly text: string;
  /** SHA-256 of its bytes; equal digests mean equal texts. */
  readonly digest: string;
}

/** Throws a RemoteError if it is longer than any list can be (V2-549). */
export async function textOf({
  body,
  headers,
}: HttpAnswer): Promise<AnswerText> {
  const isPacked = /\bgzip\b/i.test(headers["content-encoding"] ?? "");
  const source: Readable = isPacked ? body.pipe(createGunzip()) : body;
  // An error of the connection must also end decompression.
  if (isPacked) body.once("error", (error) => source.destroy(error));
  const decoder = new StringDecoder("utf8");
  const hash = createHash("sha256");
  let text = "";
  let sizeBytes = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxAnswerBytes) {
      body.destroy();
      throw new RemoteError("malformed", generalSentences["response-large"]);
    }
    hash.update(chunk);
    text += decoder.write(chunk);
  }
  return { text: text + decoder.end(), digest: hash.digest("hex") };
}

/** Detects a web page by its content type or by how it begins. */
export function isPage(headers: IncomingHttpHeaders, text: string): boolean {
  return (
    /html/i.test(headers["content-type"] ?? "") ||
    /^\s*<(!|html)/i.test(text.slice(0, maxBlanks))
  );
}

/** No page has more whitespace than this before it begins. */
const maxBlanks = 4096;

/**
 * A rejection in the service's own format: `{"detail"}` and sentences by field in version 3 and the link, `code` with `message` in
 * version 4 (V2-530).
 */
export function isServiceRefusal(json: unknown): boolean {
  if (typeof json !== "object" || json === null || Array.isArray(json))
    return false;
  if ("detail" in json) return typeof json.detail === "string";
  if ("message" in json)
    return typeof json.message === "string" && "code" in json;
  const fields: readonly unknown[] = Object.values(json);
  return fields.length > 0 && fields.every(Array.isArray);
}

/** An intermediary answered in the service's place: this is no rejection by the service (V2-530). */
export function strangerAnswers(status: number): RemoteError {
  return new RemoteError(
    "unavailable",
    composeSentence(connectionSentences.stranger, { status }),
    null,
    status,
  );
}

export function portal(status: number | null = null): RemoteError {
  return new RemoteError("portal", connectionSentences.portal, null, status);
}

export function proxyNeedsLogin(): RemoteError {
  return new RemoteError("proxy", connectionSentences["proxy-login"]);
}

export interface JsonBounds {
  /** Nesting of arrays and objects. */
  readonly maxDepth: number;
  /** Arrays, objects, strings, numbers and literals together. */
  readonly maxValues: number;
}

/** Below this the engine's own parser takes a few milliseconds. */
const smallLetters = 256 * 1024;
const sliceMs = 8;
/** The clock is read after this many values. */
const valuesPerReading = 1024;

const defaultBounds: JsonBounds = { maxDepth: 100, maxValues: 3_000_000 };

interface Frame {
  readonly list: unknown[] | null;
  readonly object: Record<string, unknown> | null;
  key: string;
}

/** Equivalent to JSON.parse, except that lone surrogates are removed from all strings and names. Throws a SyntaxError. */
export async function parseUntrustedJson(
  text: string,
  { maxDepth, maxValues }: JsonBounds = defaultBounds,
): Promise<unknown> {
  // Lone surrogates only come from escapes: decoding UTF-8 yields none.
  if (text.length < smallLetters && !/\\u[dD][89a-fA-F]/.test(text))
    return JSON.parse(text);
  const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
  const stack: Frame[] = [];
  let at = 0;
  let values = 0;
  let sliceBegan = performance.now();

  function fail(why = "Unexpected token"): never {
    throw new SyntaxError(`${why} in JSON at position ${at}`);
  }
  function skipBlanks(): void {
    for (;;) {
      const code = text.charCodeAt(at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      at += 1;
    }
  }
  function readText(): string {
    const from = at;
    let end = text.indexOf('"', at + 1);
    while (end !== -1 && isEscaped(text, end, from))
      end = text.indexOf('"', end + 1);
    if (end === -1) fail("Unterminated string");
    at = end + 1;
    return wellFormed(JSON.parse(text.slice(from, at)) as string);
  }
  function readLiteral(): unknown {
    for (const [word, value] of literals)
      if (text.startsWith(word, at)) {
        at += word.length;
        return value;
      }
    number.lastIndex = at;
    const digits = number.exec(text)?.[0] ?? fail();
    at += digits.length;
    return Number(digits);
  }
  function readKey(frame: Frame): void {
    skipBlanks();
    if (text[at] !== '"') fail();
    frame.key = readText();
    skipBlanks();
    if (text[at] !== ":") fail();
    at += 1;
  }

  for (;;) {
    values += 1;
    if (values > maxValues) fail("Too many values");
    if (
      values % valuesPerReading === 0 &&
      performance.now() - sliceBegan > sliceMs
    ) {
      await nextPredicateChange();
      sliceBegan = performance.now();
    }
    skipBlanks();
    const first = text[at];
    let value: unknown;
    if (first === "{" || first === "[") {
      at += 1;
      skipBlanks();
      const isEmpty = text[at] === (first === "{" ? "}" : "]");
      const frame: Frame =
        first === "{"
          ? { list: null, object: {}, key: "" }
          : { list: [], object: null, key: "" };
      if (!isEmpty) {
        if (stack.length >= maxDepth) fail("Too deep");
        stack.push(frame);
        if (frame.object) readKey(frame);
        continue;
      }
      at += 1;
      value = frame.list ?? frame.object;
    } else value = first === '"' ? readText() : readLiteral();

    // A value is complete: it is added to its container, which may be complete with it.
    for (;;) {
      const frame = stack.at(-1);
      skipBlanks();
      if (!frame) {
        if (at < text.length) fail();
        return value;
      }
      if (frame.list) frame.list.push(value);
      else put(frame.object ?? {}, frame.key, value);
      const next = text[at];
      at += 1;
      if (next === ",") {
        if (frame.object) readKey(frame);
        break;
      }
      if (next !== (frame.list ? "]" : "}")) fail();
      stack.pop();
      value = frame.list ?? frame.object;
    }
  }
}

const literals = [
  ["true", true],
  ["false", false],
  ["null", null],
] as const;

/** True after an odd number of backslashes. */
function isEscaped(text: string, at: number, from: number): boolean {
  let count = 0;
  while (at - count - 1 > from && text[at - count - 1] === "\\") count += 1;
  return count % 2 === 1;
}

function put(into: Record<string, unknown>, key: string, value: unknown): void {
  // As in JSON.parse: a name like any other.
  if (key === "__proto__")
    Object.defineProperty(into, key, {
      ...{ value, writable: true, enumerable: true, configurable: true },
    });
  else into[key] = value;
}
