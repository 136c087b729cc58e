// A removal that looks like an accident of the service: an empty or much smaller answer for a full screen (V2-207).

import {
  orderedWanted,
  type Wanted,
  type WantedPlaylist,
} from "../sync-wanted.ts";

/** A screen with fewer assets is emptied and filled again in ordinary work. */
const fewAssets = 5;
/** An answer that leaves less than this share of what there was is much smaller. */
const smallShare = 1 / 4;

/**
 * Judged on the whole answer against what the service had wanted before it, not on the part that is here already, so
 * that the order in which files come decides nothing. What comes counts like what stays.
 */
export function isSuspiciousRemoval(
  wanted: Wanted,
  before: Wanted,
  deletedHere: ReadonlySet<string>,
): boolean {
  const count = ({ assets }: Wanted): number =>
    assets.filter(({ remoteId }) => !deletedHere.has(remoteId)).length;
  const had = count(before);
  return had >= fewAssets && count(wanted) < had * smallShare;
}

/** The same without any removal: everything else of it goes on while the removal is held. */
export function withoutRemoval(wanted: Wanted, before: Wanted): Wanted {
  const wantedAssets = new Set(wanted.assets.map(({ remoteId }) => remoteId));
  const wantedPlaylists = new Set(
    wanted.playlists.map(({ remoteId }) => remoteId),
  );
  const playlistsBefore = new Map(
    before.playlists.map((one) => [one.remoteId, one]),
  );
  const removed = before.assets.filter(
    ({ remoteId }) => !wantedAssets.has(remoteId),
  );
  const removedIds = new Set(removed.map(({ remoteId }) => remoteId));
  return orderedWanted({
    assets: [...wanted.assets, ...removed],
    playlists: [
      ...wanted.playlists.map((playlist) =>
        withItemsBack(
          playlist,
          playlistsBefore.get(playlist.remoteId),
          removedIds,
        ),
      ),
      ...before.playlists.filter(
        ({ remoteId }) => !wantedPlaylists.has(remoteId),
      ),
    ],
  });
}

/** With the items of removed assets, each behind the item that it followed. */
function withItemsBack(
  { remoteId, facts }: WantedPlaylist,
  before: WantedPlaylist | undefined,
  removed: ReadonlySet<string>,
): WantedPlaylist {
  const items = [...facts.items];
  let at = 0;
  for (const item of before?.facts.items ?? []) {
    const place = items.findIndex(({ assetId }) => assetId === item.assetId);
    if (place >= 0) at = place + 1;
    else if (removed.has(item.assetId)) items.splice(at++, 0, item);
  }
  return { remoteId, facts: { ...facts, items } };
}
