// A slide with the asset behind it and its place in the rotation; and what is told of it.

import type { Asset } from "../core/asset.ts";
import type { Place } from "../core/rotation.ts";
import type { Slide } from "../core/slide.ts";

export interface Staged {
  readonly slide: Slide;
  /** Null for the house card. */
  readonly asset: Asset | null;
  /** Where the rotation stands once this is shown; null leaves it where it was. */
  readonly place: Place | null;
}

/** It is its turn; somebody ordered it; nothing is due; or what is due is not ready or set aside. */
export type ShowingReason = "turn" | "command" | "nothing-due" | "not-ready";

/** What could not be shown, and why. */
export interface Fault {
  /** Null for the house card. */
  readonly assetId: string | null;
  readonly name: string;
  readonly reason: string;
  /** Wall milliseconds. */
  readonly at: number;
}

/** Whether both look the same and stay as long. */
export function isSame(a: Staged, b: Staged | null): boolean {
  if (!b || a.asset?.id !== b.asset?.id) return false;
  return (
    JSON.stringify(a.slide.content) === JSON.stringify(b.slide.content) &&
    a.slide.durationSeconds === b.slide.durationSeconds
  );
}

export function reasonFor(
  staged: Staged,
  isAnythingDue: boolean,
): ShowingReason {
  if (!staged.asset) return isAnythingDue ? "not-ready" : "nothing-due";
  return staged.place === null ? "command" : "turn";
}
