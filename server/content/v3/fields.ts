// The fields of a request's body, as JSON or as a form; other media types are refused (V3-6).

import type { Request } from "express";
import { isDeepStrictEqual } from "node:util";
import { Failure } from "../../core/failure.ts";
import { isStorable } from "../../platform/json-text.ts";
import {
  bytesOf,
  isJsonType,
  jsonObjectFrom,
  mediaTypeOf,
  textFrom,
} from "../json-body.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Without a body there are none. */
export function fieldsOf(request: Request): Fields {
  const body: unknown = request.body;
  // A multipart body was taken apart on its way in.
  if (typeof body === "object" && body && !(body instanceof Uint8Array))
    return storable(Object.entries(body as Readonly<Record<string, string>>));
  const type = mediaTypeOf(request);
  const bytes = bytesOf(request);
  if (type === "application/x-www-form-urlencoded")
    return storable([...new URLSearchParams(textFrom(bytes))]);
  if (type !== "" && !isJsonType(type))
    throw new Failure(
      "unsupported",
      `The media type ${type.slice(0, 100)} is not taken here: JSON or a form.`,
    );
  return bytes.length === 0 ? {} : jsonObjectFrom(bytes);
}

function storable(fields: readonly (readonly [string, string])[]): Fields {
  for (const [name, value] of fields)
    if (!isStorable(name) || !isStorable(value))
      throw new Failure("invalid", "A text cannot be stored.", {
        [name]: ["This has a character that cannot be stored."],
      });
  return Object.fromEntries(fields);
}

/** Without those that come back as they are shown: they stay, even if version 4 alone takes such a value (V3-8). */
export function changedFieldsOf(request: Request, shown: string): Fields {
  const before = JSON.parse(shown) as Fields;
  return Object.fromEntries(
    Object.entries(fieldsOf(request)).filter(
      ([name, value]) =>
        !Object.hasOwn(before, name) || !isDeepStrictEqual(value, before[name]),
    ),
  );
}
