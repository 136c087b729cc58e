// A request's body as rows: JSON, CSV or a form; whatever else it is, is refused.

import {
  isJsonArray,
  isJsonObject,
  JsonError,
  type Json,
} from "../../platform/json-text.ts";
import { isNoUtf8, jsonOfBody } from "../json-body.ts";
import { parseCsv } from "./csv.ts";
import { limits } from "./limits.ts";
import { parsePairs } from "./query-text.ts";
import { badBody, tooComplex } from "./refusal.ts";

export type BodyRow = ReadonlyMap<string, Json>;

export interface Body {
  readonly rows: readonly BodyRow[];
  /** It came as a list, even of one. */
  readonly isList: boolean;
}

export function parseBody(
  contentType: string | undefined,
  bytes: Uint8Array,
): Body {
  const type = (contentType ?? "application/json")
    .split(";", 1)[0]
    ?.trim()
    .toLowerCase();
  if (type === "" || /^application\/(?:[\w.-]+\+)?json$/.test(type ?? ""))
    return bodyFromJson(jsonFrom(bytes));
  const text = decoded(bytes);
  if (type === "application/x-www-form-urlencoded")
    return { rows: [rowFromForm(text)], isList: false };
  if (type === "text/csv")
    return checked({ rows: parseCsv(text), isList: true });
  throw badBody(
    `Content-Type not acceptable: ${type?.slice(0, 100) ?? ""}`,
    415,
  );
}

function rowFromForm(text: string): BodyRow {
  if (text.split("&", limits.formFields + 1).length > limits.formFields)
    throw tooComplex(`A form takes ${limits.formFields} fields.`);
  return new Map(parsePairs(text));
}

export function bodyFromJson(json: Json): Body {
  if (isJsonObject(json)) return { rows: [json], isList: false };
  if (!isJsonArray(json))
    throw badBody("The body is neither an object nor a list of objects");
  const rows = json.map((row) => {
    if (isJsonObject(row)) return row;
    throw badBody("The body's list has an element that is no object");
  });
  return checked({ rows, isList: true });
}

function checked(body: Body): Body {
  if (body.rows.length > limits.bodyRows)
    throw tooComplex(`A body takes ${limits.bodyRows} rows.`);
  return body;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw notUtf8();
  }
}

function notUtf8(): Error {
  return badBody("The body is no UTF-8");
}

function jsonFrom(bytes: Uint8Array): Json {
  try {
    return jsonOfBody(bytes);
  } catch (error) {
    if (isNoUtf8(error)) throw notUtf8();
    if (!(error instanceof JsonError)) throw error;
    if (error.fault === "values")
      throw tooComplex(`A body takes ${limits.jsonValues} values.`);
    throw badBody(
      error.fault === "syntax"
        ? "Empty or invalid json"
        : `${error.message} (at character ${error.position + 1})`,
    );
  }
}
