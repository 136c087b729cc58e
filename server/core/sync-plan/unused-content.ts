// What a content service has while none of it comes to this screen, and why (V2-741, V2-742).

import type { DesiredContent } from "./desired-content.ts";

/** Why nothing of a content service comes to this screen. */
export const unusedReasons = [
  /** The service has no assets. */
  "no-assets",
  /** None of its assets is in the asset groups of the connection. */
  "other-groups",
  "no-playlists",
  /** None of its playlists is for this screen. */
  "other-labels",
  /** Playlists or assets for this screen cannot be read or shown. */
  "unreadable",
  "processing",
  /** The playlists for this screen have no items. */
  "empty-playlists",
] as const;
export type UnusedReason = (typeof unusedReasons)[number];

/** Counts of a content service; null for what it does not count. */
export interface ContentCounts {
  readonly assets: number | null;
  /** Of the assets: those not ready yet. */
  readonly processing: number | null;
  readonly playlists: number | null;
  /** Names of labels (version 3: groups) that have playlists, in alphabetical order. */
  readonly labels: readonly string[];
}

export interface UnusedContent extends ContentCounts {
  readonly reason: UnusedReason;
}

/** The most label names that are listed. */
export const maxUnusedLabels = 50;

/** `unreadablePlaylists`: how many playlists for this screen cannot be read. */
export function unusedReasonOf(
  { assetGroups }: { readonly assetGroups: readonly string[] },
  { playlists }: DesiredContent,
  unreadablePlaylists: number,
  counts: ContentCounts,
): UnusedReason {
  if (counts.assets === 0) return "no-assets";
  if (assetGroups.length > 0) return "other-groups";
  if (playlists.length + unreadablePlaylists === 0)
    return counts.playlists === 0 ? "no-playlists" : "other-labels";
  const hasItems = playlists.some(({ facts }) => facts.items.length > 0);
  if (hasItems && counts.processing !== null && counts.processing > 0)
    return "processing";
  return hasItems || unreadablePlaylists > 0 ? "unreadable" : "empty-playlists";
}
