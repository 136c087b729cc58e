// A playlist and its items: ordered assets with a predicate, a priority and the groups it targets.

export interface PlaylistItem {
  readonly id: string;
  readonly assetId: string;
  /** Duration of this item; null uses the asset's own. */
  readonly durationSeconds: number | null;
}

/** How one showing changes to the next. */
export type Transition = "cut" | "cross-fade";

export interface Playlist {
  readonly id: string;
  readonly name: string;
  /** As it was entered; always valid. */
  readonly predicate: string;
  /** 0 is the default; of all eligible playlists only those of the highest priority play. */
  readonly priority: number;
  readonly isEnabled: boolean;
  /** Target groups; empty means every screen. */
  readonly groups: readonly string[];
  /** Null uses the player's setting. */
  readonly transition: Transition | null;
  /** Null uses the player's setting. */
  readonly isShuffled: boolean | null;
  /** In order. */
  readonly items: readonly PlaylistItem[];
  /** Milliseconds since 1970, UTC: older playlists play first. */
  readonly createdAt: number;
}
