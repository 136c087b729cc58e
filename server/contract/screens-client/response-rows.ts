// Validates responses of content services, which may be of another version.

import type * as z from "zod";
import { connectionSentences } from "../sentences/connection-sentences.ts";
import { Failure } from "../../core/failure.ts";

export function expected<Shape>(
  schema: z.ZodType<Shape>,
  value: unknown,
): Shape {
  const reading = schema.safeParse(value);
  if (reading.success) return reading.data;
  throw new Failure("unavailable", connectionSentences.unexpected);
}

/** Rows that this version cannot read are left out. */
export function rowsIn<Shape>(
  schema: z.ZodType<Shape>,
  value: unknown,
): readonly Shape[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((row) => {
    const reading = schema.safeParse(row);
    return reading.success ? [reading.data] : [];
  });
}

/** Null from an older service, or another one with version 3. */
export async function unlessMissing(
  request: Promise<unknown>,
): Promise<unknown> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof Failure && error.code === "not-found") return null;
    throw error;
  }
}
