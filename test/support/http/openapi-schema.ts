// Checks values against the interface's own OpenAPI description.

import { z } from "zod";
import type { OpenApi } from "../../../server/contract/openapi.ts";
import type { JsonSchema } from "../../../server/contract/reader.ts";

/** Returns why a value does not match the schema; null when it does. Undescribed fields do not match. */
export function fitting(
  api: OpenApi,
  schema: JsonSchema,
): (value: unknown) => string | null {
  const fullSchema = strict({ ...schema, $defs: api.components.schemas });
  const shape = z.fromJSONSchema(fullSchema as never);
  return (value) => {
    const result = shape.safeParse(value);
    return result.success ? null : result.error.message;
  };
}

export function schemaViolationOf(
  api: OpenApi,
  schema: JsonSchema,
  value: unknown,
): string | null {
  return fitting(api, schema)(value);
}

/** References within one schema, and no other fields than the described. */
function strict(value: unknown): unknown {
  if (typeof value === "string")
    return value.replace(/^#\/components\/schemas\//, "#/$defs/");
  if (Array.isArray(value)) return value.map(strict);
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, strict(inner)]),
  );
  const isObject = "properties" in copy && copy["type"] === "object";
  return isObject ? { additionalProperties: false, ...copy } : copy;
}

/** Every reference to another place in the description. */
export function referencesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "$ref" ? [String(inner)] : referencesIn(inner),
  );
}
