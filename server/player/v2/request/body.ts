// Reads request bodies: JSON, form-encoded and multipart fields alike (V2-5); parses them and the query by a schema.

import busboy from "busboy";
import express, { type Request, type RequestHandler } from "express";
import type { Readable } from "node:stream";
import type { z } from "zod";
import { playerSentences } from "../../../contract/sentences/player-sentences.ts";
import { sentencesOf } from "../../../contract/v2/v2.ts";
import { Failure, fieldFailure } from "../../../core/failure.ts";

/** Fits a list of several thousand identifiers or the longest address; files are sent to `file_asset`. */
const maxBodyBytes = 1024 * 1024;

const maxFields = 100;

const readJson = express.json({ limit: maxBodyBytes, strict: false });
const readForm = express.urlencoded({ limit: maxBodyBytes, extended: false });

/** Fills `request.body` according to the declared media type; a missing body becomes an empty object. */
export const readBody: RequestHandler = (request, response, next) => {
  if (!hasBody(request)) {
    request.body = {};
    next();
  } else if (request.is("json") || request.is("+json"))
    readJson(request, response, next);
  else if (request.is("urlencoded")) readForm(request, response, next);
  else if (request.is("multipart"))
    readFields(request).then((fields) => {
      request.body = fields;
      next();
    }, next);
  else
    next(
      new Failure(
        "unsupported",
        "The body must be application/json, application/x-www-form-urlencoded or multipart/form-data.",
      ),
    );
};

/** Ignores the body of an operation that takes none; but a request that breaks off in its body is not executed. */
export const readPastBody: RequestHandler = (request, _response, next) => {
  if (hasBody(request)) request.once("end", () => next()).resume();
  else next();
};

/** Parses the body with this schema; throws `invalid` with messages by field. */
export function parseBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): z.infer<Schema> {
  return parse(request.body, schema, "The body is not valid.");
}

/** Parses the query in the same way (V2-755). */
export function parseQuery<Schema extends z.ZodType>(
  { query }: Pick<Request, "query">,
  schema: Schema,
): z.infer<Schema> {
  return parse(query, schema, "A parameter of the query is not valid.");
}

function parse<Schema extends z.ZodType>(
  raw: unknown,
  schema: Schema,
  message: string,
): z.infer<Schema> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw new Failure("invalid", message, sentencesOf(parsed.error));
}

export function hasBody(request: Request): boolean {
  const { "transfer-encoding": encoding, "content-length": length } =
    request.headers;
  return encoding !== undefined || Number(length ?? 0) > 0;
}

/** Text fields of a multipart body; files in it are skipped. */
function readFields(request: Request): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    const fields: Record<string, string> = {};
    let letters = 0;
    const parser = openMultipart(request, { fieldSize: maxBodyBytes });
    parser.on("field", (name, value, info) => {
      letters += name.length + value.length;
      if (info.valueTruncated || letters > maxBodyBytes)
        reject(new Failure("too-large", "The fields are too large."));
      else if (name !== "__proto__") fields[name] = value;
    });
    parser.on("file", (_name, stream) => {
      stream.on("error", () => undefined).resume();
    });
    for (const limit of ["fieldsLimit", "partsLimit"] as const)
      parser.on(limit, () =>
        reject(new Failure("too-large", "The body has too many fields.")),
      );
    parser.on("error", () => reject(brokenMultipart()));
    parser.on("close", () => resolve(fields));
    request.on("aborted", () => reject(brokenMultipart()));
    request.pipe(parser);
  });
}

/** Throws `malformed` when the boundary is missing or the headers are invalid. */
function openMultipart(request: Request, limits: busboy.Limits): busboy.Busboy {
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: "utf8",
      limits: { fields: maxFields, parts: maxFields + 1, ...limits },
    });
  } catch {
    throw brokenMultipart();
  }
}

/** How long the rest of a rejected body is read and discarded, so that the client can read the error. */
const readPastMs = 2000;

/**
 * Passes the first file of this field on as a stream; `arrived` resolves when the whole body has been read. A body without such a
 * file is rejected with an error on the field.
 */
export function receiveField<T>(
  request: Request,
  field: string,
  receive: (stream: Readable, arrived: Promise<void>) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let receiving: Promise<T> | null = null;
    let giveUp: NodeJS.Timeout | undefined;
    let isOver = false;
    const parser = openMultipart(request, {});
    const arrived = new Promise<void>((settle, fail) => {
      parser.once("close", settle).once("error", fail);
    });
    // The receiver may not be waiting for it.
    arrived.catch(() => undefined);
    const fail = (error: unknown): void => {
      isOver = true;
      clearTimeout(giveUp);
      request.unpipe(parser);
      reject(error instanceof Error ? error : brokenMultipart());
    };
    parser.on("file", (name, stream: Readable) => {
      // Otherwise nothing would handle the error of a body that breaks off before it is read.
      stream.on("error", () => undefined);
      // After a broken part the parser continues with the next one: a file that nothing would ever end.
      if (name !== field || receiving || isOver) {
        stream.resume();
        return;
      }
      receiving = receive(stream, arrived);
      receiving.catch((error: unknown) => {
        if (isOver) return;
        giveUp = setTimeout(fail, readPastMs, error);
        // The rest is read and discarded, and the response follows the end of the body.
        if (!stream.destroyed) stream.resume();
        else if (request.complete) fail(error);
        else {
          request.unpipe(parser);
          request.once("end", () => fail(error)).resume();
        }
      });
    });
    parser.on("error", () => {
      isOver = true;
      const end = (): void => fail(brokenMultipart());
      if (!receiving) return end();
      // Not before the receiver has released everything: a client may retry immediately.
      giveUp = setTimeout(end, readPastMs);
      receiving.then(end, end);
    });
    request.on("aborted", () => {
      parser.destroy(brokenMultipart());
    });
    parser.on("close", () => {
      if (receiving)
        receiving.then(resolve, fail).finally(() => clearTimeout(giveUp));
      else fail(fieldFailure(field, playerSentences["upload-missing"]));
    });
    request.pipe(parser);
  });
}

function brokenMultipart(): Failure {
  return new Failure("malformed", "The multipart body is not valid.");
}
