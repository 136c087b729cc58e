// Parses the fields of a request body, as JSON or as a form; other media types are rejected (V3-6).

import type { Request } from "express";
import { isDeepStrictEqual } from "node:util";
import { Failure } from "../../../core/failure.ts";
import type { PieceByPiece } from "../../../platform/text/incremental.ts";
import { isStorable } from "../../../platform/text/json-text.ts";
import { decodedInPieces, fieldsOfForm } from "../../http/form-body.ts";
import {
  withTranslatedErrors,
  jsonObjectFrom,
  jsonReader,
} from "../../http/json-body.ts";
import {
  bytesOf,
  isJsonType,
  mediaTypeOf,
  readBody,
  type BodyReader,
} from "../../http/large-bodies.ts";

export type Fields = Readonly<Record<string, unknown>>;

const formType = "application/x-www-form-urlencoded";

/** Null for an unsupported media type. */
export function readerOfFields(type: string): BodyReader<unknown> | null {
  if (type === formType) return textsOfForm;
  return type === "" || isJsonType(type) ? jsonReader : null;
}

/** Empty without a body. */
export function fieldsOf(request: Request): Fields {
  const body: unknown = request.body;
  // A multipart body was parsed by an earlier handler.
  if (typeof body === "object" && body && !(body instanceof Uint8Array))
    return storable(Object.entries(body as Readonly<Record<string, string>>));
  const type = mediaTypeOf(request.headers["content-type"]);
  const bytes = bytesOf(request);
  if (type === formType)
    return storable(withTranslatedErrors(() => readBody(bytes, textsOfForm)));
  if (readerOfFields(type) === null)
    throw new Failure(
      "unsupported",
      `The body must be JSON or a form; got the media type ${type.slice(0, 100)}.`,
    );
  return bytes.length === 0 ? {} : jsonObjectFrom(bytes);
}

/** As in browsers: an invalid escape is taken literally. */
function* textsOfForm(
  text: string,
): PieceByPiece<readonly (readonly [string, string])[]> {
  const texts: [string, string][] = [];
  for (const { name, value } of fieldsOfForm(text, malformed))
    if (name !== "" || value !== null)
      texts.push([
        yield* decodedInPieces(name, decoded),
        yield* decodedInPieces(value ?? "", decoded),
      ]);
  return texts;
}

function decoded(part: string): string {
  return new URLSearchParams(`part=${part}`).get("part") ?? "";
}

function malformed(sentence: string): Failure {
  return new Failure("malformed", sentence);
}

function storable(fields: readonly (readonly [string, string])[]): Fields {
  for (const [name, value] of fields)
    if (!isStorable(name) || !isStorable(value))
      throw new Failure(
        "invalid",
        "A string contains a character that cannot be stored.",
        {
          [name]: [`${name} contains a character that cannot be stored`],
        },
      );
  return Object.fromEntries(fields);
}

/** Omits fields sent back exactly as they are shown: they stay, even where only version 4 accepts such a value (V3-8). */
export function changedFieldsOf(request: Request, shown: string): Fields {
  const before = JSON.parse(shown) as Fields;
  return Object.fromEntries(
    Object.entries(fieldsOf(request)).filter(
      ([name, value]) =>
        !Object.hasOwn(before, name) || !isDeepStrictEqual(value, before[name]),
    ),
  );
}
