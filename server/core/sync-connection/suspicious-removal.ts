// Suspicious removal: a response that leaves much less than before is held, and everything else in it is applied meanwhile.

import { changesOf, type AllLocalChanges } from "../sync-plan/local-changes.ts";
import {
  eachIn,
  type Sliced,
  indexIn,
  mapIn,
} from "../sync-plan/sync-slices.ts";
import {
  type DesiredContent,
  itemsOf,
  orderedSliced,
  type DesiredItem,
  type DesiredPlaylist,
} from "../sync-plan/desired-content.ts";

/** A screen with fewer assets is emptied and refilled in ordinary work. */
const fewAssets = 5;
/** A response that leaves less than this share of the content is much smaller. */
const smallShare = 1 / 4;

/**
 * Compares the whole response with what the service wanted before, not the part that is already here, so that the order in which
 * files arrive makes no difference. New content counts like content that stays.
 */
export function* isSuspiciousRemoval(
  content: DesiredContent,
  before: DesiredContent,
  changed: AllLocalChanges,
): Sliced<boolean> {
  const had = yield* count(before, changed);
  return (
    had >= fewAssets && (yield* count(content, changed)) < had * smallShare
  );
}

/** What was deleted here does not count. */
function* count(
  { assets }: DesiredContent,
  changed: AllLocalChanges,
): Sliced<number> {
  let all = 0;
  yield* eachIn(assets, ({ remoteId }) => {
    if (!changesOf(changed, remoteId).isDeleted) all += 1;
  });
  return all;
}

/** The same without any removal: everything else continues while the removal is held. */
export function* withoutRemoval(
  content: DesiredContent,
  before: DesiredContent,
): Sliced<DesiredContent> {
  const idOf = ({ remoteId }: { readonly remoteId: string }): string =>
    remoteId;
  const desiredAssets = yield* indexIn(content.assets, idOf);
  const desiredPlaylists = yield* indexIn(content.playlists, idOf);
  const playlistsBefore = yield* indexIn(before.playlists, idOf);
  const removed = yield* mapIn(before.assets, (one) =>
    desiredAssets.has(one.remoteId) ? null : one,
  );
  const removedIds = yield* indexIn(removed, idOf);
  const playlists = yield* mapIn(
    content.playlists,
    (playlist) =>
      withItemsBack(
        ...([playlist, playlistsBefore.get(playlist.remoteId)] as const),
        removedIds,
      ),
    itemsOf,
  );
  const playlistsRemoved = yield* mapIn(before.playlists, (one) =>
    desiredPlaylists.has(one.remoteId) ? null : one,
  );
  return yield* orderedSliced({
    assets: [...content.assets, ...removed],
    playlists: [...playlists, ...playlistsRemoved],
  });
}

/** Restores the items of removed assets, each after the item that it followed. */
function withItemsBack(
  { remoteId, facts }: DesiredPlaylist,
  before: DesiredPlaylist | undefined,
  removed: ReadonlyMap<string, unknown>,
): DesiredPlaylist {
  const places = new Map<string, number>();
  for (const [place, { assetId }] of facts.items.entries())
    if (!places.has(assetId)) places.set(assetId, place);
  const front: DesiredItem[] = [];
  const behind = facts.items.map((item) => [item]);
  let at = front;
  for (const item of before?.facts.items ?? []) {
    const place = places.get(item.assetId);
    if (place !== undefined) at = behind[place] ?? front;
    else if (removed.has(item.assetId)) at.push(item);
  }
  return { remoteId, facts: { ...facts, items: [...front, ...behind.flat()] } };
}
