// Files that did not come: why, how often they were tried, and when they are tried again.

import type { SyncTrouble } from "../../../core/sync-state.ts";
import {
  fetchedFilesOf,
  filesOfAsset,
  type Arrival,
  type Wanted,
  type WantedAsset,
} from "../../../core/sync-wanted.ts";
import type { Missed } from "./download-batch.ts";

export interface FileTroubles {
  note(md5: string, missed: Missed): void;
  /** It came after all. */
  forget(md5: string): void;
  /** It may be tried, now. */
  isDue(md5: string): boolean;
  /** One that was left in peace may be tried again. */
  isAnyDue(): boolean;
  arrivalOf(files: ReadonlySet<string>): (asset: WantedAsset) => Arrival;
  /** What is wanted no more is no trouble either. */
  keepOnly(wanted: Wanted): void;
  list(wanted: Wanted): readonly SyncTrouble[];
}

interface FileTrouble extends Missed {
  readonly tries: number;
  readonly until: number;
}

/** A source that was put right is noticed within the hour. */
const peaceMs = 3_600_000;
/** After so many addresses that did not lead to it. */
const mostAddresses = 3;

export function createFileTroubles(now: () => number): FileTroubles {
  const troubles = new Map<string, FileTrouble>();
  return {
    note: (md5, missed) => {
      const { waitMs } = missed;
      const before = troubles.get(md5)?.tries ?? 0;
      // Who asks to be left in peace gives it later.
      const tries = before + (waitMs === undefined ? 1 : 0);
      const isGivenUp = missed.isGivenUp || tries >= mostAddresses;
      const until = now() + (waitMs ?? (isGivenUp ? peaceMs : 0));
      troubles.set(md5, { ...missed, isGivenUp, tries, until });
    },
    forget: (md5) => {
      troubles.delete(md5);
    },
    isDue: (md5) => (troubles.get(md5)?.until ?? -Infinity) <= now(),
    isAnyDue: () => [...troubles.values()].some(({ until }) => until <= now()),
    arrivalOf: (files) => (asset) => {
      const missing = filesOfAsset(asset).filter(({ md5 }) => !files.has(md5));
      if (missing.length === 0) return "here";
      const isGivenUp = missing.some(({ md5 }) => troubles.get(md5)?.isGivenUp);
      return isGivenUp ? "never" : "coming";
    },
    keepOnly: ({ assets }) => {
      const wanted = new Set(
        assets.flatMap(fetchedFilesOf).map(({ md5 }) => md5),
      );
      for (const md5 of troubles.keys())
        if (!wanted.has(md5)) troubles.delete(md5);
    },
    list: ({ assets }) =>
      assets.flatMap((asset) => {
        const { remoteId, facts, app } = asset;
        // Of an app, one file that does not come is reason enough.
        for (const file of fetchedFilesOf(asset)) {
          const trouble = troubles.get(file.md5);
          if (!trouble) continue;
          const path = app?.files.find(({ md5 }) => md5 === file.md5)?.path;
          const reason = `${path === undefined ? "" : `${path}: `}${trouble.reason}`;
          const { isGivenUp } = trouble;
          return [{ remoteId, name: facts.name, reason, isGivenUp }];
        }
        return [];
      }),
  };
}
