// A removal that looks like an accident of the service: an empty or much smaller answer for a full screen (V2-207).

import { changesOf, type AllLocalChanges } from "../local-changes.ts";
import { eachIn, indexIn, mapIn, type Sliced } from "../sync-slices.ts";
import {
  itemsOf,
  orderedSteps,
  type Wanted,
  type WantedItem,
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
export function* isSuspiciousRemoval(
  wanted: Wanted,
  before: Wanted,
  changed: AllLocalChanges,
): Sliced<boolean> {
  const had = yield* count(before, changed);
  return had >= fewAssets && (yield* count(wanted, changed)) < had * smallShare;
}

/** What was deleted here does not count. */
function* count({ assets }: Wanted, changed: AllLocalChanges): Sliced<number> {
  let all = 0;
  yield* eachIn(assets, ({ remoteId }) => {
    if (!changesOf(changed, remoteId).isDeleted) all += 1;
  });
  return all;
}

/** The same without any removal: everything else of it goes on while the removal is held. */
export function* withoutRemoval(
  wanted: Wanted,
  before: Wanted,
): Sliced<Wanted> {
  const idOf = ({ remoteId }: { readonly remoteId: string }): string =>
    remoteId;
  const wantedAssets = yield* indexIn(wanted.assets, idOf);
  const wantedPlaylists = yield* indexIn(wanted.playlists, idOf);
  const playlistsBefore = yield* indexIn(before.playlists, idOf);
  const removed = yield* mapIn(before.assets, (one) =>
    wantedAssets.has(one.remoteId) ? null : one,
  );
  const removedIds = yield* indexIn(removed, idOf);
  const playlists = yield* mapIn(
    wanted.playlists,
    (playlist) =>
      withItemsBack(
        ...([playlist, playlistsBefore.get(playlist.remoteId)] as const),
        removedIds,
      ),
    itemsOf,
  );
  const playlistsRemoved = yield* mapIn(before.playlists, (one) =>
    wantedPlaylists.has(one.remoteId) ? null : one,
  );
  return yield* orderedSteps({
    assets: [...wanted.assets, ...removed],
    playlists: [...playlists, ...playlistsRemoved],
  });
}

/** With the items of removed assets, each behind the item that it followed. */
function withItemsBack(
  { remoteId, facts }: WantedPlaylist,
  before: WantedPlaylist | undefined,
  removed: ReadonlyMap<string, unknown>,
): WantedPlaylist {
  const places = new Map<string, number>();
  for (const [place, { assetId }] of facts.items.entries())
    if (!places.has(assetId)) places.set(assetId, place);
  const front: WantedItem[] = [];
  const behind = facts.items.map((item) => [item]);
  let at = front;
  for (const item of before?.facts.items ?? []) {
    const place = places.get(item.assetId);
    if (place !== undefined) at = behind[place] ?? front;
    else if (removed.has(item.assetId)) at.push(item);
  }
  return { remoteId, facts: { ...facts, items: [...front, ...behind.flat()] } };
}
