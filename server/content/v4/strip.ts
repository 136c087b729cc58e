// Answers without their nulls, for clients that ask for it.

import {
  isJsonArray,
  isJsonObject,
  readStoredJson,
  writeJsonInOrder,
  type Json,
} from "../../platform/json-text.ts";

/** The members of objects that are null go, at any depth; those of lists stay. */
export function stripped(row: string): string {
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
