// Whether a file may have other bytes than those that were verified.

import type { Stats } from "node:fs";

/** Storing a file is finished shortly after its content was judged. */
const storingMs = 2000;

/** By the moment of any change to the file, which no program can set (V2-761); false before it was ever verified. */
export function hasChanged(
  { ctimeMs }: Stats,
  verifiedAtMs: number | null,
): boolean {
  return verifiedAtMs !== null && ctimeMs > verifiedAtMs + storingMs;
}
