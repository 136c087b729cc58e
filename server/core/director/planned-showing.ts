// A showing with its origin (a lineup entry, a takeover or nothing), and the status reported about it.

import type { Asset } from "../asset.ts";
import type { Place } from "../schedule/ordered-lineup.ts";
import type { LineupEntry } from "../schedule/schedule.ts";
import type { Showing } from "../showing.ts";

/** What has taken over the screen. */
export interface ScreenTakeover {
  readonly id: string;
  readonly shown:
    | { readonly kind: "asset"; readonly assetId: string }
    | { readonly kind: "text"; readonly text: string }
    | { readonly kind: "page"; readonly url: string }
    | { readonly kind: "blank" };
  /** Wall milliseconds; null: until stopped. */
  readonly until: number | null;
}

export interface PlannedShowing {
  readonly showing: Showing;
  /** Null for the idle screen and for a message. */
  readonly asset: Asset | null;
  /** Null if it is not in the lineup. */
  readonly entry: LineupEntry | null;
  /** The place of the playhead once this is shown; null leaves it unchanged. */
  readonly place: Place | null;
  readonly takeover: ScreenTakeover | null;
}

/** What is visible, and since when, in steady and in wall milliseconds. */
export interface VisibleShowing extends PlannedShowing {
  readonly since: number;
  readonly sinceMs: number;
}

/** It is scheduled; it was requested, or takes over the screen; nothing is due; or what is due is not ready or in quarantine. */
export type ShowingReason =
  | "schedule"
  | "command"
  | "takeover"
  | "nothing-due"
  | "not-ready";

/** What could not be shown, and why. */
export interface Fault {
  /** Null for the idle screen and for a message. */
  readonly assetId: string | null;
  readonly name: string;
  readonly reason: string;
  /** It was shown, but something else covered it. */
  readonly isCover: boolean;
  /** Wall milliseconds. */
  readonly at: number;
}

/** Whether both are the same entry, look the same and have the same duration. */
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
