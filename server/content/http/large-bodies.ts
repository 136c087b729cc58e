// Parses large request bodies one at a time and in pieces, before their handlers need them (V4-288, V4-315).

import type { Request, RequestHandler } from "express";
import {
  atNextRound,
  readAtOnce,
  readInPieces,
  type PieceByPiece,
} from "../../platform/text/incremental.ts";

/** Reads the text of a body. */
export type BodyReader<T> = (text: string) => PieceByPiece<T>;

/** Parsing anything smaller takes negligible time. */
const largeBytes = 128 * 1024;
const decodedAtOnce = 512 * 1024;

type Reading = { readonly read: unknown } | { readonly error: unknown };

interface ReadAhead {
  readonly reader: BodyReader<unknown>;
  readonly reading: Reading;
}

/** Kept as long as their bytes are. */
const readAhead = new WeakMap<Uint8Array, ReadAhead>();
let lastLarge: Promise<unknown> = Promise.resolve();

/** `readerOf` returns the reader for a media type; a type without one is not parsed here. */
export function createLargeBodies(
  readerOf: (mediaType: string) => BodyReader<unknown> | null,
): RequestHandler {
  return (request, _response, next) => {
    const bytes = bytesOf(request);
    if (bytes.length < largeBytes) {
      next();
      return;
    }
    const reader = readerOf(mediaTypeOf(request.headers["content-type"]));
    const task = lastLarge.then(async () => {
      if (reader === null) return;
      readAhead.set(bytes, { reader, reading: await read(bytes, reader) });
    });
    lastLarge = task.then(async () => {
      // Sockets are polled between the first and the second of these; before the first they may not be.
      await atNextRound();
      await atNextRound();
    });
    return task.then(() => next());
  };
}

function read(
  bytes: Uint8Array,
  reader: BodyReader<unknown>,
): Promise<Reading> {
  return readInPieces(decodedAndRead(bytes, reader), atNextRound).then(
    (value) => ({ read: value }),
    (error: unknown) => ({ error }),
  );
}

function* decodedAndRead<T>(
  bytes: Uint8Array,
  reader: BodyReader<T>,
): PieceByPiece<T> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for (let from = 0; from < bytes.length; from += decodedAtOnce) {
    const piece = bytes.subarray(from, from + decodedAtOnce);
    text += decoder.decode(piece, { stream: true });
    yield;
  }
  return yield* reader(text + decoder.decode());
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** What `reader` finds in a body, large or small; throws what the reader throws, and for invalid UTF-8. */
export function readBody<T>(bytes: Uint8Array, reader: BodyReader<T>): T {
  const ahead = readAhead.get(bytes);
  if (ahead?.reader !== reader) return readAtOnce(reader(utf8.decode(bytes)));
  if ("error" in ahead.reading) throw ahead.reading.error;
  return ahead.reading.read as T;
}

export function bytesOf(request: Request): Uint8Array {
  const body: unknown = request.body;
  return body instanceof Uint8Array ? body : new Uint8Array();
}

/** Without parameters, lower case; empty when there is none. */
export function mediaTypeOf(contentType = ""): string {
  return (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
}

export function isJsonType(type: string): boolean {
  return /^application\/(?:[\w.-]+\+)?json$/.test(type);
}
