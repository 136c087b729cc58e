// Responses of version 4: status, headers and body for a list of rows.

import { randomUUID } from "node:crypto";
import os from "node:os";
import path from "node:path";
import type { Response } from "express";
import { readAhead } from "../../../platform/database/read-ahead.ts";
import type { Form } from "../parse/accept.ts";
import { csvHead, csvLine } from "../parse/csv.ts";
import { noPreferences, type Preferences } from "../parse/prefer.ts";
import { Refusal } from "../../http/v4-errors.ts";
import {
  isJsonArray,
  isJsonObject,
  readStoredJson,
  writeJsonInOrder,
  type Json,
} from "../../../platform/text/json-text.ts";

/** `0-4/57`, an asterisk for no rows, `0-4/*`: from, to, and total. */
export function contentRange(
  offset: number,
  count: number,
  total: number | null,
): string {
  const range = count === 0 ? "*" : `${offset}-${offset + count - 1}`;
  return `${range}/${total ?? "*"}`;
}

/** With a count, anything less than all rows is partial content (V4-6). */
export function statusOfRead(count: number, total: number | null): number {
  return total !== null && count < total ? 206 : 200;
}

/** The preferences that were applied, in the order of the convention. */
export function preferenceApplied(
  prefer: Preferences,
  method: "GET" | "POST" | "PATCH" | "DELETE",
): string {
  if (prefer === noPreferences) return "";
  const isWrite = method !== "GET";
  const isChange = method === "PATCH" || method === "DELETE";
  const honoured: readonly (readonly [
    string,
    string | number | null,
    boolean,
  ])[] = [
    ["resolution", prefer.resolution, method === "POST"],
    ["missing", prefer.missing, method === "POST"],
    ["return", prefer.return, isWrite],
    ["count", prefer.count, true],
    ["handling", prefer.handling, true],
    ["timezone", prefer.timezone, true],
    [
      "max-affected",
      prefer.maxAffected,
      isChange && prefer.handling === "strict",
    ],
  ];
  return honoured
    .filter(([, value, isHonoured]) => isHonoured && value !== null)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");
}

export function refuseUnlessOne(form: Form, count: number): void {
  if (form.kind === "object" && count !== 1)
    throw new Refusal(
      406,
      "PGRST116",
      "Cannot coerce the result to a single JSON object",
      { details: `The result contains ${count} rows` },
    );
}

/** The rows' JSON texts in the requested format. */
export function bodyOf(form: Form, rows: readonly string[]): string {
  if (form.kind === "csv")
    return rows.length === 0
      ? ""
      : csvHead(rows[0] ?? "{}") + rows.map(csvLine).join("");
  const shown = form.areNullsStripped ? rows.map(stripped) : rows;
  return form.kind === "object" ? (shown[0] ?? "") : `[${shown.join(",")}]`;
}

/** Most clients read some megabytes at once; a thousand connections hold no more than some gigabytes. */
const memoryBytes = 2 * 1024 ** 2;

/**
 * Streams a long list piece by piece; a disconnect ends it. The database delivers as fast as it can and is free again,
 * however slowly the client reads (V4-279).
 */
export async function streamBody(
  response: Response,
  form: Form,
  pieces: AsyncIterable<readonly string[]>,
  newFile: () => string = newTemporaryFile,
): Promise<void> {
  await streamTexts(response, textsOf(form, pieces), newFile);
}

/** The same with texts that are ready to be sent. */
export async function streamTexts(
  response: Response,
  texts: AsyncIterable<string>,
  newFile: () => string,
): Promise<void> {
  for await (const text of readAhead(texts, { memoryBytes, newFile })) {
    if (response.destroyed) return;
    if (!response.write(text)) await drained(response);
  }
  response.end();
}

async function* textsOf(
  form: Form,
  pieces: AsyncIterable<readonly string[]>,
): AsyncGenerator<string> {
  let isFirst = true;
  for await (const rows of pieces) {
    yield pieceOf(form, rows, isFirst);
    isFirst = false;
  }
  if (form.kind !== "csv") yield isFirst ? "[]" : "]";
}

function newTemporaryFile(): string {
  return path.join(os.tmpdir(), `vitrine-list-${randomUUID()}`);
}

/** The brackets or the header line enclose all pieces together. */
function pieceOf(
  form: Form,
  rows: readonly string[],
  isFirst: boolean,
): string {
  if (form.kind === "csv")
    return isFirst ? bodyOf(form, rows) : rows.map(csvLine).join("");
  return `${isFirst ? "[" : ","}${bodyOf(form, rows).slice(1, -1)}`;
}

function drained(response: Response): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off("drain", go).off("close", go);
      resolve();
    };
    response.once("drain", go).once("close", go);
  });
}

// Omits nulls from answers, for clients that request it.

/** Null members of objects are removed at any depth; those of lists stay. */
function stripped(row: string): string {
  return writeJsonInOrder(withoutNulls(readStoredJson(row)));
}

function withoutNulls(json: Json): Json {
  if (isJsonArray(json)) return json.map(withoutNulls);
  if (!isJsonObject(json)) return json;
  return new Map(
    [...json]
      .filter(([, value]) => value !== null)
      .map(([key, value]) => [key, withoutNulls(value)] as const),
  );
}
