// Content of a preview: the items of a playlist, or of the whole screen at a moment, as the showings the player would make.

import {
  kindOf,
  type Asset,
  type AssetKind,
} from "../../../server/core/asset.ts";
import type { Playlist } from "../../../server/core/playlist.ts";
import { orderLineup } from "../../../server/core/schedule/ordered-lineup.ts";
import type { LineupEntry } from "../../../server/core/schedule/schedule.ts";
import {
  showingOf,
  type PresentationDefaults,
  type Showing,
} from "../../../server/core/showing.ts";
import { staySeconds, type Screen } from "../lineup/schedule-inputs.ts";

export interface PreviewItem {
  /** Id of the lineup entry. */
  readonly id: string;
  readonly name: string;
  readonly kind: AssetKind;
  /** Address of a page, which only the screen itself shows; null for what the stage renders. */
  readonly address: string | null;
  readonly showing: Showing;
  /** How long it stays; null for its own length. */
  readonly seconds: number | null;
}

/** Assumed duration of content whose length is unknown. */
export const unknownSeconds = 10;

export function entriesOfPlaylist(
  playlist: Playlist,
  assets: ReadonlyMap<string, Asset>,
): readonly LineupEntry[] {
  return playlist.items.flatMap(({ id, assetId, durationSeconds }) => {
    const asset = assets.get(assetId);
    const { id: playlistId, transition } = playlist;
    return asset
      ? [{ id, asset, playlistId, durationSeconds, transition }]
      : [];
  });
}

/** In the order of one cycle, shuffled where the player would shuffle. */
export function roundOf(
  entries: readonly LineupEntry[],
  playlists: readonly Playlist[],
  { isShuffled }: Pick<Screen, "isShuffled">,
): readonly LineupEntry[] {
  const shuffledById = new Map(
    playlists.map((one) => [one.id, one.isShuffled]),
  );
  return orderLineup(entries, {
    isShuffled: (id) =>
      (id === null ? null : shuffledById.get(id)) ?? isShuffled,
    seed: 1,
  }).orderOf(0);
}

export function previewItemsOf(
  entries: readonly LineupEntry[],
  presentationDefaults: PresentationDefaults,
): readonly PreviewItem[] {
  return entries.map((entry) => {
    const { id, asset, durationSeconds } = entry;
    const showing = showingOf(entry, id, presentationDefaults);
    const kind = kindOf(asset);
    const isPage = kind === "webpage" || kind === "app";
    return {
      ...{ id, name: asset.name, kind, showing },
      address: isPage ? asset.uri : null,
      seconds: staySeconds(
        asset,
        durationSeconds,
        presentationDefaults.streamSeconds,
      ),
    };
  });
}

export function lengthOf(previewItem: Pick<PreviewItem, "seconds">): number {
  return previewItem.seconds ?? unknownSeconds;
}

export function totalOf(
  previewItems: readonly Pick<PreviewItem, "seconds">[],
): number {
  return previewItems.reduce(
    (sum, previewItem) => sum + lengthOf(previewItem),
    0,
  );
}

/** Which item is shown at a time into the cycle, and for how long it has been. */
export function previewItemAt(
  previewItems: readonly Pick<PreviewItem, "seconds">[],
  seconds: number,
): { readonly index: number; readonly into: number } {
  let left = Math.max(0, seconds);
  for (const [index, previewItem] of previewItems.entries()) {
    const length = lengthOf(previewItem);
    if (left < length || index === previewItems.length - 1)
      return { index, into: Math.min(left, length) };
    left -= length;
  }
  return { index: 0, into: 0 };
}
