// What of the desired state can be applied with the rows and files that are here, and what is missing.

import {
  arrivalHere,
  isNothingToApply,
  planSync,
  type Fetch,
  type Held,
  type SyncPlan,
} from "../sync-plan.ts";
import type { ItemCount, SyncTrouble } from "../sync-state.ts";
import {
  completeOf,
  filesOfAsset,
  type Arrival,
  type Wanted,
  type WantedAsset,
} from "../sync-wanted.ts";
import type { FailedFiles } from "./failed-files.ts";
import { isSuspiciousRemoval, withoutRemoval } from "./suspicious-removal.ts";

/** What a content service wants this screen to have. */
export interface DesiredState {
  readonly wanted: Wanted;
  /** Where bytes lie now, by their MD5: several where assets share a file. Such addresses may hold for an hour alone. */
  readonly sources: ReadonlyMap<string, readonly string[]>;
  /** What only the pages of apps may know, by the MD5 of the app's description. */
  readonly secrets: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** What was left out, and why. */
  readonly troubles: readonly SyncTrouble[];
  /** Of those, what is there and cannot be read: it keeps its version of before (V2-213, V2-545). */
  readonly unreadable: ReadonlySet<string>;
}

/** A part of the desired state with the plan that leads there. */
export interface Step {
  readonly wanted: Wanted;
  readonly plan: SyncPlan;
}

/** Read from rows and files at one moment. */
export interface Progress {
  readonly target: string;
  /** All that is complete. */
  readonly complete: Step;
  /** The same without its removal; null where that does not look like an accident. */
  readonly withoutRemoval: Step | null;
  /** Nothing of it is still to come. */
  readonly isWhole: boolean;
  /** Files that are not here. */
  readonly missing: readonly Fetch[];
  readonly hasApps: boolean;
  /** Of one, all is here that it is made of, and it is not put together yet. */
  readonly hasAppsToAssemble: boolean;
  readonly items: ItemCount;
}

export interface Applied {
  /** What is applied now. */
  readonly current: Wanted;
  /** What was applied of the desired state before this one. */
  readonly before: Wanted;
}

export function progressOf(
  target: string,
  { wanted, unreadable }: DesiredState,
  { current, before }: Applied,
  held: Held,
  failed: FailedFiles,
): Progress {
  const deletedHere = new Set(
    [...held.changedAssets]
      .filter(([, { isDeleted }]) => isDeleted)
      .map(([remoteId]) => remoteId),
  );
  const arrivalOf = arrivalHere(held, (asset) =>
    arrival(asset, held.files, failed),
  );
  const arrivals = wanted.assets
    .filter(({ remoteId }) => !deletedHere.has(remoteId))
    .map(arrivalOf);
  const stepTo = (to: Wanted): Step => ({
    wanted: to,
    plan: planSync(to, held),
  });
  const complete = completeOf(wanted, current, arrivalOf, unreadable);
  const unread = [...unreadable].filter((id) => !deletedHere.has(id)).length;
  const count = (what: Arrival): number =>
    arrivals.filter((one) => one === what).length;
  return {
    target,
    complete: stepTo(complete),
    withoutRemoval: isSuspiciousRemoval(wanted, before, deletedHere)
      ? stepTo(withoutRemoval(complete, current))
      : null,
    isWhole: count("coming") === 0,
    missing: planSync(wanted, held).fetch,
    hasApps: wanted.assets.some(({ app }) => app !== undefined),
    hasAppsToAssemble: wanted.assets.some(
      ({ app, file }) =>
        app?.files.every(({ md5 }) => held.files.has(md5)) === true &&
        file !== null &&
        !held.files.has(file.md5),
    ),
    items: {
      wanted: arrivals.length + unread,
      here: count("here"),
      failed: count("never") + unread,
    },
  };
}

/** Everything that is wanted is here and applied. */
export function isDone({ complete, items }: Progress): boolean {
  return items.here === items.wanted && isNothingToApply(complete.plan);
}

function arrival(
  asset: WantedAsset,
  files: ReadonlySet<string>,
  failed: FailedFiles,
): Arrival {
  const missing = filesOfAsset(asset).filter(({ md5 }) => !files.has(md5));
  if (missing.length === 0) return "here";
  return missing.some(({ md5 }) => failed.get(md5)?.isGivenUp)
    ? "never"
    : "coming";
}
