// Fields that the inputs of several commands share.

import * as z from "zod";

export const screen = z.string().min(1).describe("A screen, by name or ID");

export const asset = z.string().min(1).describe("An asset, by title or ID");

export const playlist = z
  .string()
  .min(1)
  .describe("A playlist, by title or ID");

/** Most of a list, so that an answer stays readable. */
const maxListed = 10_000;

export const limit = z
  .int()
  .min(1)
  .max(maxListed)
  .optional()
  .describe("Maximum number to list");

export const search = z
  .string()
  .optional()
  .describe("Only those with this text in their name");

/** Of commands that wait for what screens report. */
export const wait = z
  .boolean()
  .optional()
  .describe("Wait up to 60 s until the screens report the result");

export function hasText(text: string, search: string | undefined): boolean {
  return text.toLowerCase().includes((search ?? "").toLowerCase());
}
