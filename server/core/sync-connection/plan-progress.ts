// Sync progress: what part of the desired state can be applied with the rows and files that are here, what is missing, and which
// removals look like an accident.

import {
  arrivalHere,
  fetchSliced,
  isNothingToApply,
  planSliced,
  type Fetch,
  type Held,
  type SyncPlan,
  changesOf,
  type AllLocalChanges,
} from "../sync-plan/sync-plan.ts";
import { eachIn, type Sliced, indexIn, mapIn } from "../slices.ts";
import type { ItemCount, ItemFailure } from "../sync-plan/sync-state.ts";
import {
  completeSliced,
  filesOfAsset,
  type Arrival,
  type DesiredContent,
  type DesiredAsset,
  itemsOf,
  orderedSliced,
  type DesiredItem,
  type DesiredPlaylist,
} from "../sync-plan/desired-content.ts";

/** What a content service wants this screen to have. */
export interface DesiredState {
  readonly content: DesiredContent;
  /** Current addresses of the bytes by MD5: several if assets share a file. Such addresses may only be valid for an hour. */
  readonly sources: ReadonlyMap<string, readonly string[]>;
  /** Secret settings of apps, by the MD5 of the app's description. */
  readonly secrets: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** What was left out, and why. */
  readonly itemFailures: readonly ItemFailure[];
  /** Those among them that exist but cannot be read: they keep their previous version (V2-213, V2-545). */
  readonly unreadable: ReadonlySet<string>;
  /** Places of unreadable playlists where the service has an order instead of moments of creation (version 3, V2-544). */
  readonly places?: ReadonlyMap<string, number>;
  /** How many of those are playlists. */
  readonly unreadablePlaylists?: number;
}

/** A part of the desired state with the plan that leads to it. */
export interface PlannedState {
  readonly content: DesiredContent;
  readonly plan: SyncPlan;
}

/** Read from rows and files at one moment. */
export interface Progress {
  readonly target: string;
  /** All that is complete. */
  readonly complete: PlannedState;
  /** The same without its removals; null if those do not look like an accident. */
  readonly withoutRemoval: PlannedState | null;
  /** Nothing is still to come. */
  readonly isComplete: boolean;
  /** Files that are not here. */
  readonly missing: readonly Fetch[];
  readonly hasApps: boolean;
  /** All files of some app are here, but it has not been assembled yet. */
  readonly hasAppsToAssemble: boolean;
  readonly items: ItemCount;
}

export interface Applied {
  /** The applied content. */
  readonly current: DesiredContent;
  /** Content applied for the desired state before this one. */
  readonly before: DesiredContent;
}

export function* progressSliced(
  target: string,
  { content, unreadable, places }: DesiredState,
  { current, before }: Applied,
  held: Held,
  isGivenUp: (md5: string) => boolean,
): Sliced<Progress> {
  const isKept = (id: string): boolean =>
    !changesOf(held.changedAssets, id).isDeleted;
  const isKeptPlaylist = (id: string): boolean =>
    !changesOf(held.changedPlaylists, id).isDeleted;
  const arrivals = new Map<DesiredAsset, Arrival>();
  const arrivalOf = arrivalHere(held, (asset) =>
    arrival(asset, held.files, isGivenUp),
  );
  const counts = { here: 0, coming: 0, never: 0 };
  let hasApps = false;
  let hasAppsToAssemble = false;
  yield* eachIn(
    content.assets,
    (asset) => {
      const { app, file } = asset;
      const what = arrivalOf(asset);
      arrivals.set(asset, what);
      if (isKept(asset.remoteId)) counts[what] += 1;
      hasApps ||= app !== undefined;
      hasAppsToAssemble ||=
        app?.files.every(({ md5 }) => held.files.has(md5)) === true &&
        file !== null &&
        !held.files.has(file.md5);
    },
    ({ app }) => 1 + (app?.files.length ?? 0),
  );
  const complete = yield* completeSliced(
    ...([content, current] as const),
    (asset) => arrivals.get(asset) ?? "coming",
    ...([unreadable, places] as const),
  );
  const isHeld = yield* isSuspiciousRemoval(
    ...([content, before] as const),
    held.changedAssets,
  );
  const unread = [...unreadable].filter(
    (id) => isKept(id) && isKeptPlaylist(id),
  ).length;
  return {
    target,
    complete: yield* plannedStateFor(complete, held),
    withoutRemoval: isHeld
      ? yield* plannedStateFor(yield* withoutRemoval(complete, current), held)
      : null,
    isComplete: counts.coming === 0,
    missing: yield* fetchSliced(content, held),
    ...{ hasApps, hasAppsToAssemble },
    items: {
      wanted: counts.here + counts.coming + counts.never + unread,
      here: counts.here,
      failed: counts.never + unread,
    },
  };
}

function* plannedStateFor(
  content: DesiredContent,
  held: Held,
): Sliced<PlannedState> {
  return { content, plan: yield* planSliced(content, held) };
}

/** Everything that is wanted is here and applied. */
export function isDone({ complete, items }: Progress): boolean {
  return items.here === items.wanted && isNothingToApply(complete.plan);
}

function arrival(
  asset: DesiredAsset,
  files: Held["files"],
  isGivenUp: (md5: string) => boolean,
): Arrival {
  const missing = filesOfAsset(asset).filter(({ md5 }) => !files.has(md5));
  if (missing.length === 0) return "here";
  return missing.some(({ md5 }) => isGivenUp(md5)) ? "never" : "coming";
}

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
