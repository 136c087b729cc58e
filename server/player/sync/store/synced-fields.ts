// Converts assets and playlists between their synced facts (what an operator may change locally) and columns.

import type { Asset } from "../../../core/asset.ts";
import type { Playlist } from "../../../core/playlist.ts";
import {
  localItem,
  type AssetFacts,
  type PlaylistFacts,
} from "../../../core/sync-plan/desired-content.ts";
import {
  extrasOf,
  extrasToText,
  type ExtraParts,
} from "../../library/asset-extras.ts";
import type { Columns } from "../../library/asset-row.ts";

export function factsOfAsset(asset: Asset): AssetFacts {
  const { name, uri, mimetype, startsAt, endsAt, durationSeconds } = asset;
  const { isEnabled, isPlaylistOnly, presentation, web, metadata } = asset;
  return {
    ...{ name, uri, mimetype, startsAt, endsAt, durationSeconds, isEnabled },
    ...{ isPlaylistOnly, presentation, web, metadata },
  };
}

/** `remoteIdOf` returns the service's identifier of an asset, or null if no service has it. */
export function factsOfPlaylist(
  playlist: Playlist,
  remoteIdOf: (assetId: string) => string | undefined,
): PlaylistFacts {
  const { name, predicate, priority, isEnabled, transition } = playlist;
  return {
    ...{ name, predicate, priority, isEnabled, transition },
    isShuffled: playlist.isShuffled,
    createdAt: playlist.createdAt,
    items: playlist.items.map(({ assetId, durationSeconds }) => ({
      assetId: remoteIdOf(assetId) ?? `${localItem}${assetId}`,
      durationSeconds,
    })),
  };
}

const plainColumns = {
  name: "name",
  uri: "uri",
  mimetype: "mimetype",
  startsAt: "starts_at",
  endsAt: "ends_at",
  durationSeconds: "duration_seconds",
  isEnabled: "is_enabled",
} as const;

/** The columns that a change writes; hours and everything else that a service does not send stays as in `before`. */
export function columnsOfFacts(
  change: Partial<AssetFacts>,
  before: ExtraParts,
): Columns {
  const columns = new Map<string, string | number | null>();
  for (const [field, column] of Object.entries(plainColumns)) {
    const value = change[field as keyof typeof plainColumns];
    if (value !== undefined)
      columns.set(column, typeof value === "boolean" ? Number(value) : value);
  }
  const { presentation, web, metadata, isPlaylistOnly } = change;
  const parts = { presentation, web, metadata, isPlaylistOnly };
  const sent = Object.fromEntries(
    Object.entries(parts).filter(([, value]) => value !== undefined),
  );
  if (Object.keys(sent).length > 0)
    columns.set("extras", extrasToText(extrasOf({ ...before, ...sent })));
  return columns;
}
