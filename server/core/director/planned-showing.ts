// A slide with what is behind it: a turn, a takeover or nothing; and what is told of it.

import type { Asset } from "../asset.ts";
import type { Place } from "../schedule/ordered-lineup.ts";
import type { LineupEntry } from "../schedule/schedule.ts";
import type { Showing } from "../showing.ts";

/** What has taken the screen over. */
export interface ScreenTakeover {
  readonly id: string;
  readonly shown:
    | { readonly kind: "asset"; readonly assetId: string }
    | { readonly kind: "text"; readonly text: string }
    | { readonly kind: "page"; readonly url: string }
    | { readonly kind: "blank" };
  /** Wall milliseconds; null: until it is cleared. */
  readonly until: number | null;
}

export interface PlannedShowing {
  readonly showing: Showing;
  /** Null for the idle screen and for a message. */
  readonly asset: Asset | null;
  /** Null for what is not in the lineup. */
  readonly entry: LineupEntry | null;
  /** Where the rotation stands once this is shown; null leaves it where it was. */
  readonly place: Place | null;
  readonly takeover: ScreenTakeover | null;
}

/** What is on the screen, since when: in steady and in wall milliseconds. */
export interface VisibleShowing extends PlannedShowing {
  readonly since: number;
  readonly sinceMs: number;
}

/** It is its turn; somebody ordered it, or took the screen over; nothing is due; or what is due is not ready or set aside. */
export type ShowingReason =
  "schedule" | "command" | "takeover" | "nothing-due" | "not-ready";

/** What could not be shown, and why. */
export interface Fault {
  /** Null for the idle screen and for a message. */
  readonly assetId: string | null;
  readonly name: string;
  readonly reason: string;
  /** It was shown, with something else over it. */
  readonly isCover: boolean;
  /** Wall milliseconds. */
  readonly at: number;
}

/** Whether both are the same turn, look the same and stay as long. */
export function isSame(a: PlannedShowing, b: PlannedShowing | null): boolean {
  if (!b || a.entry?.id !== b.entry?.id || a.takeover?.id !== b.takeover?.id)
    return false;
  return (
    JSON.stringify(a.showing.content) === JSON.stringify(b.showing.content) &&
    a.showing.durationSeconds === b.showing.durationSeconds
  );
}

export function reasonFor(
  planned: PlannedShowing,
  isAnythingDue: boolean,
): ShowingReason {
  if (planned.takeover) return "takeover";
  if (!planned.entry) return isAnythingDue ? "not-ready" : "nothing-due";
  return planned.place === null ? "command" : "schedule";
}
