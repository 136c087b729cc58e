// Why something plays at a moment, or does not.

import type { PlayHours } from "../asset.ts";

export type Reason =
  | { readonly code: "plays" }
  /** Another playlist of a higher priority has the screen. */
  | {
      readonly code: "outranked";
      /** Null: the playlist of the local assets. */
      readonly playlistId: string | null;
      readonly name: string;
      readonly priority: number;
    }
  | {
      readonly code: "predicate-false";
      /** The part of the predicate that decides it, as it was written. */
      readonly part: string;
      /** Where the part stands in the predicate, in UTF-16 units: from the first to before the second. */
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
  /** Its bytes are still on their way. */
  | { readonly code: "not-on-disk" }
  /** It failed too often. Null: until it changes. */
  | { readonly code: "quarantined"; readonly until: number | null }
  /** It has so many items (perhaps none), and none of them can play now. */
  | { readonly code: "playlist-empty"; readonly items: number };

export type ReasonCode = Reason["code"];

/** Something that could play: a playlist, or one asset's turn in it. */
export interface Candidate {
  readonly kind: "playlist" | "asset";
  /** Of an asset: its turn's, as in the lineup. Of a playlist: its own, `local` for that of the local assets. */
  readonly id: string;
  readonly name: string;
  /** Null: the playlist of the local assets. */
  readonly playlistId: string | null;
  /** Null of a playlist. */
  readonly assetId: string | null;
  readonly reason: Reason;
}
