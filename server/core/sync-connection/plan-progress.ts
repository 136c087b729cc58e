// Sync progress: what part of the desired state can be applied with the rows and files that are here, and what is missing.

import {
  arrivalHere,
  fetchSliced,
  isNothingToApply,
  planSliced,
  type Fetch,
  type Held,
  type SyncPlan,
} from "../sync-plan/sync-plan.ts";
import { changesOf } from "../sync-plan/local-changes.ts";
import { eachIn, type Sliced } from "../sync-plan/sync-slices.ts";
import type { ItemCount, ItemFailure } from "../sync-plan/sync-state.ts";
import {
  completeSliced,
  filesOfAsset,
  type Arrival,
  type DesiredContent,
  type DesiredAsset,
} from "../sync-plan/desired-content.ts";
import type { FailedFiles } from "./failed-files.ts";
import { isSuspiciousRemoval, withoutRemoval } from "./suspicious-removal.ts";

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
  { content, unreadable }: DesiredState,
  { current, before }: Applied,
  held: Held,
  failed: FailedFiles,
): Sliced<Progress> {
  const isKept = (id: string): boolean =>
    !changesOf(held.changedAssets, id).isDeleted;
  const isKeptPlaylist = (id: string): boolean =>
    !changesOf(held.changedPlaylists, id).isDeleted;
  const arrivals = new Map<DesiredAsset, Arrival>();
  const arrivalOf = arrivalHere(held, (asset) =>
    arrival(asset, held.files, failed),
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
    unreadable,
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
  failed: FailedFiles,
): Arrival {
  const missing = filesOfAsset(asset).filter(({ md5 }) => !files.has(md5));
  if (missing.length === 0) return "here";
  return missing.some(({ md5 }) => failed.get(md5)?.isGivenUp)
    ? "never"
    : "coming";
}
