// Bodies as they come: JSON, form-encoded and multipart fields alike (V2-5).

import busboy from "busboy";
import express, { type Request, type RequestHandler } from "express";
import type { Readable } from "node:stream";
import type { z } from "zod";
import { sentencesOf } from "../../../contract/v2/v2.ts";
import { Failure, fieldFailure } from "../../../core/failure.ts";

/** A list of several thousand identifiers or the longest address fits; files go to `file_asset`. */
const maxBodyBytes = 1024 * 1024;

const maxFields = 100;

const readJson = express.json({ limit: maxBodyBytes, strict: false });
const readForm = express.urlencoded({ limit: maxBodyBytes, extended: false });

/** Fills `request.body` by the announced media type; no body at all is an empty object. */
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
        "A body is taken as application/json, application/x-www-form-urlencoded or multipart/form-data.",
      ),
    );
};

/** Where no body is wanted it says nothing; but whoever breaks off in the middle of one is not obeyed. */
export const readPastBody: RequestHandler = (request, _response, next) => {
  if (hasBody(request)) request.once("end", () => next()).resume();
  else next();
};

/** The body in the shape of this schema; throws `invalid` with sentences by field. */
export function parseBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): z.infer<Schema> {
  const parsed = schema.safeParse(request.body);
  if (parsed.success) return parsed.data;
  throw new Failure(
    "invalid",
    "The body is refused.",
    sentencesOf(parsed.error),
  );
}

export function hasBody(request: Request): boolean {
  const { "transfer-encoding": encoding, "content-length": length } =
    request.headers;
  return encoding !== undefined || Number(length ?? 0) > 0;
}

/** Text fields of a multipart body; files in it are read past. */
function readFields(request: Request): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    const fields: Record<string, string> = {};
    let letters = 0;
    const parser = openMultipart(request, { fieldSize: maxBodyBytes });
    parser.on("field", (name, value, info) => {
      letters += name.length + value.length;
      if (info.valueTruncated || letters > maxBodyBytes)
        reject(new Failure("too-large", "The fields are larger than allowed."));
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

/** Throws `malformed` when the boundary is missing or the headers make no sense. */
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

/** How long what a refused client still sends is read past, so that it hears why. */
const readPastMs = 2000;

/**
 * Hands the first file of this field on as it comes, and tells when the whole body is here; without
 * such a file the body is refused on the field.
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
    // Whoever receives may not be waiting for it.
    arrived.catch(() => undefined);
    const fail = (error: unknown): void => {
      isOver = true;
      clearTimeout(giveUp);
      request.unpipe(parser);
      reject(error instanceof Error ? error : brokenMultipart());
    };
    parser.on("file", (name, stream: Readable) => {
      // A body that breaks off before anybody reads would else be nobody's error.
      stream.on("error", () => undefined);
      // After a broken part the parser goes on with the next: a file that nobody would ever end.
      if (name !== field || receiving || isOver) {
        stream.resume();
        return;
      }
      receiving = receive(stream, arrived);
      receiving.catch((error: unknown) => {
        giveUp = setTimeout(fail, readPastMs, error);
        // The rest is read past, and the answer follows the body's end.
        if (!stream.destroyed) stream.resume();
        else if (request.complete) fail(error);
        else {
          request.unpipe(parser);
          request.once("end", () => fail(error)).resume();
        }
      });
    });
    parser.on("error", () => fail(brokenMultipart()));
    request.on("aborted", () => {
      parser.destroy(brokenMultipart());
    });
    parser.on("close", () => {
      if (receiving)
        receiving.then(resolve, fail).finally(() => clearTimeout(giveUp));
      else fail(fieldFailure(field, "No file was uploaded in this field."));
    });
    request.pipe(parser);
  });
}

function brokenMultipart(): Failure {
  return new Failure("malformed", "The multipart body is broken.");
}
