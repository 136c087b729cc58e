// A playlist and its items: assets in order, with a predicate, a priority and the groups it is for.

export interface PlaylistItem {
  readonly id: string;
  readonly assetId: string;
  /** How long this item stays; null goes by the asset's own duration. */
  readonly durationSeconds: number | null;
}

/** How one slide gives way to the next. */
export type Transition = "cut" | "cross-fade";

export interface Playlist {
  readonly id: string;
  readonly name: string;
  /** As it was written; always one that parses. */
  readonly predicate: string;
  /** 0 is everyday; of what is eligible only the highest level plays. */
  readonly priority: number;
  readonly isEnabled: boolean;
  /** The groups it is for; none means every screen. */
  readonly groups: readonly string[];
  /** Null goes by the player's setting. */
  readonly transition: Transition | null;
  /** Null goes by the player's setting. */
  readonly isShuffled: boolean | null;
  /** In order. */
  readonly items: readonly PlaylistItem[];
  /** Milliseconds since 1970, UTC: the older plays first. */
  readonly createdAt: number;
}
