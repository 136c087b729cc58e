// The fleet of a content service as a simulation needs it: playlists with their labels, playable assets, and classes of screens
// that have the same labels and time zone.

import type { Asset } from "../asset.ts";
import type { Playlist } from "../playlist.ts";
import { playlistOnlyAsset } from "../schedule/playlist-only-asset.ts";

export interface FleetAsset {
  readonly id: string;
  /** False: it failed, or all of its pages are switched off. */
  readonly isPlayable: boolean;
  /** The name of its folder; empty without one. */
  readonly folder: string;
  /** For an item without a duration of its own. */
  readonly durationSeconds: number;
}

export interface FleetContent {
  readonly assets: readonly FleetAsset[];
  /** `groups` are the identifiers of their labels; without any, a playlist plays nowhere. */
  readonly playlists: readonly Playlist[];
}

/** What decides on a screen's lineup, besides the content. */
export interface ScreenTraits {
  /** An IANA name. */
  readonly zone: string;
  /** Identifiers, with its own label and that of all screens. */
  readonly labels: readonly string[];
}

/** Screens that have the same traits before and after the change. */
export interface ScreenClass {
  readonly before: ScreenTraits;
  readonly after: ScreenTraits;
}

/** The playlists for screens with certain labels, found without comparing each with each. */
export function playlistFinder({
  playlists,
}: FleetContent): (labels: readonly string[]) => readonly Playlist[] {
  const byLabel = new Map<string, number[]>();
  for (const [index, { groups }] of playlists.entries())
    for (const label of groups) {
      const known = byLabel.get(label);
      if (known) known.push(index);
      else byLabel.set(label, [index]);
    }
  return (labels) => {
    const found = new Set<number>();
    for (const label of labels)
      for (const index of byLabel.get(label) ?? []) found.add(index);
    return [...found]
      .sort((a, b) => a - b)
      .flatMap((index) => playlists[index] ?? []);
  };
}

/** As the schedule knows it. */
export function scheduledAsset(asset: FleetAsset): Asset {
  const { id, isPlayable, durationSeconds } = asset;
  return playlistOnlyAsset({
    ...{ id, name: id, durationSeconds },
    ...{ isEnabled: isPlayable, isProcessing: false },
  });
}
