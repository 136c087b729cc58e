// Reasons why something plays at a moment, or does not.

import type { PlayHours } from "../play-hours.ts";

export type Reason =
  | { readonly code: "plays" }
  /** Another playlist with a higher priority is playing. */
  | {
      readonly code: "outranked";
      /** Null: the local playlist. */
      readonly playlistId: string | null;
      readonly name: string;
      readonly priority: number;
    }
  | {
      readonly code: "predicate-false";
      /** The decisive part of the predicate, as it was entered. */
      readonly part: string;
      /** Position of the part in the predicate, in UTF-16 units: from the first to before the second. */
      readonly from: number;
      readonly to: number;
    }
  | { readonly code: "disabled" }
  | {
      readonly code: "outside-dates";
      readonly startsAt: number | null;
      readonly endsAt: number | null;
    }
  | { readonly code: "outside-hours"; readonly hours: PlayHours }
  | { readonly code: "other-groups"; readonly groups: readonly string[] }
  /** Its bytes are still being downloaded. */
  | { readonly code: "not-on-disk" }
  /** It failed too often. Null: until it changes. */
  | { readonly code: "quarantined"; readonly until: number | null }
  /** It has this many items (perhaps none), and none of them can play now. */
  | { readonly code: "playlist-empty"; readonly items: number };

export type ReasonCode = Reason["code"];

export const reasonCodes = [
  ...(["plays", "outranked", "predicate-false", "disabled"] as const),
  ...(["outside-dates", "outside-hours", "other-groups"] as const),
  ...(["not-on-disk", "quarantined", "playlist-empty"] as const),
] as const satisfies readonly ReasonCode[];

/** Something that could play: a playlist, or one asset's entry in it. */
export interface Candidate {
  readonly kind: "playlist" | "asset";
  /** For an asset the id of its lineup entry; for a playlist its own, `local` for the local one. */
  readonly id: string;
  readonly name: string;
  /** Null: the local playlist. */
  readonly playlistId: string | null;
  /** Null for a playlist. */
  readonly assetId: string | null;
  readonly reason: Reason;
}
