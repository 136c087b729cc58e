// Bodies as they come: JSON, form-encoded and multipart fields alike (V2-5).

import busboy from "busboy";
import express, { type Request, type RequestHandler } from "express";
import type { z } from "zod";
import { sentencesOf } from "../../contract/v2.ts";
import { Failure } from "../../core/failure.ts";

/** A list of several thousand identifiers or the longest address fits; files go to `file_asset`. */
const mostBodyBytes = 1024 * 1024;

const readJson = express.json({ limit: mostBodyBytes, strict: false });
const readForm = express.urlencoded({ limit: mostBodyBytes, extended: false });

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

function hasBody(request: Request): boolean {
  const { "transfer-encoding": encoding, "content-length": length } =
    request.headers;
  return encoding !== undefined || Number(length ?? 0) > 0;
}

/** Text fields of a multipart body; files in it are read past. */
function readFields(request: Request): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    const fields: Record<string, string> = {};
    const parser = openMultipart(request, { fieldSize: mostBodyBytes });
    parser.on("field", (name, value, info) => {
      if (info.valueTruncated)
        reject(new Failure("too-large", "A field is larger than allowed."));
      else if (name !== "__proto__") fields[name] = value;
    });
    parser.on("file", (_name, stream) => {
      stream.on("error", () => undefined).resume();
    });
    parser.on("fieldsLimit", () =>
      reject(new Failure("too-large", "The body has too many fields.")),
    );
    parser.on("error", () => reject(brokenMultipart()));
    parser.on("close", () => resolve(fields));
    request.on("aborted", () => reject(brokenMultipart()));
    request.pipe(parser);
  });
}

/** Throws `malformed` when the boundary is missing or the headers make no sense. */
export function openMultipart(
  request: Request,
  limits: busboy.Limits,
): busboy.Busboy {
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: "utf8",
      limits: { fields: 100, parts: 100, ...limits },
    });
  } catch {
    throw brokenMultipart();
  }
}

export function brokenMultipart(): Failure {
  return new Failure("malformed", "The multipart body is broken.");
}
