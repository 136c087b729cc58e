// Where assets are used, and what would break without them. Pure.

import type { PlaylistV2 } from "../../../server/contract/v2/v2-playlists.ts";
import type { AssetView } from "../api/asset-view.ts";

export interface Use {
  readonly playlist: Pick<PlaylistV2, "playlist_id" | "name">;
  readonly times: number;
  /** The playlist contains nothing else. */
  readonly isAllOfIt: boolean;
}

export function usesOf(
  ids: ReadonlySet<string>,
  playlists: readonly PlaylistV2[],
): readonly Use[] {
  return playlists.flatMap((playlist) => {
    const times = playlist.items.filter((item) =>
      ids.has(item.asset_id),
    ).length;
    const isAllOfIt = times === playlist.items.length;
    return times === 0 ? [] : [{ playlist, times, isAllOfIt }];
  });
}

/** Whether everything that is due is one of these assets. */
export function isAllThatIsDue(
  ids: ReadonlySet<string>,
  due: readonly { readonly asset_id: string }[],
): boolean {
  return due.length > 0 && due.every(({ asset_id: id }) => ids.has(id));
}

export function kindsOf(
  assets: readonly AssetView[],
): ReadonlySet<AssetView["kind"]> {
  return new Set(assets.map(({ kind }) => kind));
}
