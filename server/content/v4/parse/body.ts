// Parses a request body into rows: JSON, CSV or a form; any other media type is rejected.

import {
  isJsonArray,
  isJsonObject,
  JsonError,
  type Json,
} from "../../../platform/text/json-text.ts";
import type { PieceByPiece } from "../../../platform/text/incremental.ts";
import { decodedInPieces, fieldsOfForm } from "../../http/form-body.ts";
import { isNoUtf8, jsonReader } from "../../http/json-body.ts";
import {
  isJsonType,
  mediaTypeOf,
  readBody,
  type BodyReader,
} from "../../http/large-bodies.ts";
import { parseCsv } from "./csv.ts";
import { limits } from "./request-limits.ts";
import { decoded } from "./query-text.ts";
import { badBody, tooComplex } from "../../http/v4-errors.ts";

export type BodyRow = ReadonlyMap<string, Json>;

export interface Body {
  readonly rows: readonly BodyRow[];
  /** Whether it came as a list, even of one. */
  readonly isList: boolean;
}

/** Null for an unsupported media type. */
export function readerOfBody(type: string): BodyReader<unknown> | null {
  if (type === "" || isJsonType(type)) return jsonReader;
  if (type === formType) return rowFromForm;
  return type === csvType ? parseCsv : null;
}

const formType = "application/x-www-form-urlencoded";
const csvType = "text/csv";

export function parseBody(
  contentType: string | undefined,
  bytes: Uint8Array,
): Body {
  const type = mediaTypeOf(contentType);
  if (type === formType)
    return { rows: [withTranslatedErrors(bytes, rowFromForm)], isList: false };
  if (type === csvType)
    return checked({
      rows: withTranslatedErrors(bytes, parseCsv),
      isList: true,
    });
  if (readerOfBody(type) === jsonReader)
    return bodyFromJson(withTranslatedErrors(bytes, jsonReader));
  throw badBody(`Content-Type not acceptable: ${type.slice(0, 100)}`, 415);
}

/** A part without `=` is ignored. */
function* rowFromForm(text: string): PieceByPiece<BodyRow> {
  const row = new Map<string, Json>();
  for (const { name, value } of fieldsOfForm(text, tooComplex))
    if (value !== null)
      row.set(
        yield* decodedInPieces(name, decoded),
        yield* decodedInPieces(value, decoded),
      );
  return row;
}

export function bodyFromJson(json: Json): Body {
  if (isJsonObject(json)) return { rows: [json], isList: false };
  if (!isJsonArray(json))
    throw badBody("The body must be an object or an array of objects");
  const rows = json.map((row) => {
    if (isJsonObject(row)) return row;
    throw badBody("The body's array contains an element that is not an object");
  });
  return checked({ rows, isList: true });
}

function checked(body: Body): Body {
  if (body.rows.length > limits.bodyRows)
    throw tooComplex(`A body may have at most ${limits.bodyRows} rows.`);
  return body;
}

function withTranslatedErrors<T>(bytes: Uint8Array, reader: BodyReader<T>): T {
  try {
    return readBody(bytes, reader);
  } catch (error) {
    if (isNoUtf8(error)) throw badBody("The body is not valid UTF-8");
    if (!(error instanceof JsonError)) throw error;
    if (error.fault === "values")
      throw tooComplex(`A body may have at most ${limits.jsonValues} values.`);
    throw badBody(
      error.fault === "syntax"
        ? "Empty or invalid json"
        : `${error.message} (at character ${error.position + 1})`,
    );
  }
}
