// Large bodies of requests, read one after the other and in pieces, before anybody asks what is in them (V4-288, V4-315).

import type { Request, RequestHandler } from "express";
import {
  atNextRound,
  readAtOnce,
  readInPieces,
  type PieceByPiece,
} from "../../platform/text/in-pieces.ts";

/** Of a body's text. */
export type BodyReader<T> = (text: string) => PieceByPiece<T>;

/** Reading what is smaller takes no time worth mentioning. */
const largeBytes = 128 * 1024;
const decodedAtOnce = 512 * 1024;

type Reading = { readonly read: unknown } | { readonly error: unknown };

interface ReadAhead {
  readonly reader: BodyReader<unknown>;
  readonly reading: Reading;
}

/** For as long as their bytes are there. */
const readAhead = new WeakMap<Uint8Array, ReadAhead>();
let lastLarge: Promise<unknown> = Promise.resolve();

/** `readerOf` a media type; what has none is nobody's to read. */
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
      // Between the first and the second of these, sockets are looked at; before the first they may not be.
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
    (found) => ({ read: found }),
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

/** What `reader` finds in a body, be it large or small; throws what that throws, or what is no UTF-8. */
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

/** Without parameters, in small letters; empty where none is said. */
export function mediaTypeOf(contentType = ""): string {
  return (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
}

export function isJsonType(type: string): boolean {
  return /^application\/(?:[\w.-]+\+)?json$/.test(type);
}
