// Failed downloads: the reason, the number of tries, and when each file is retried.

import type { ItemFailure } from "../sync-plan/sync-state.ts";
import {
  fetchedFilesOf,
  type DesiredContent,
} from "../sync-plan/desired-content.ts";

/** Why a download failed, for a reason that concerns this one file. */
export interface FileFailure {
  readonly reason: string;
  /** A retry would have the same result. */
  readonly isGivenUp: boolean;
  /** Its address may have expired. */
  readonly isAddressOld: boolean;
  /** Its server asked for a pause this long (Retry-After). */
  readonly retryAfterMs?: number;
  /** Its server is unreachable, or the transfer broke off after this many bytes: the file waits and is not given up (V2-680). */
  readonly brokeOffAtBytes?: number;
}

export interface FailedFile extends FileFailure {
  readonly tries: number;
  /** Consecutive interruptions without a byte more than before. */
  readonly breaks: number;
  readonly failedAt: number;
  readonly pauseMs: number;
}

/** By MD5. */
export type FailedFiles = ReadonlyMap<string, FailedFile>;

/** A source that was repaired is noticed within the hour. */
const givenUpPauseMs = 3_600_000;
/** Given up after this many addresses that did not lead to the file. */
const maxTries = 3;

export function withFailure(
  files: FailedFiles,
  md5: string,
  failure: FileFailure,
  now: number,
): FailedFiles {
  const { retryAfterMs, brokeOffAtBytes } = failure;
  const before = files.get(md5);
  // A server that sends Retry-After will deliver later, and an unreachable one may come back.
  const isWaiting = retryAfterMs !== undefined || brokeOffAtBytes !== undefined;
  const tries = (before?.tries ?? 0) + (isWaiting ? 0 : 1);
  const hasGrown = (brokeOffAtBytes ?? 0) > (before?.brokeOffAtBytes ?? 0);
  const breaks = hasGrown ? 1 : (before?.breaks ?? 0) + 1;
  const isGivenUp = failure.isGivenUp || (!isWaiting && tries >= maxTries);
  const pauseMs = retryAfterMs ?? (isGivenUp ? givenUpPauseMs : 0);
  const counts = { tries, breaks };
  const failed = { ...failure, ...counts, isGivenUp, failedAt: now, pauseMs };
  return new Map(files).set(md5, failed);
}

export function withoutFailure(files: FailedFiles, md5: string): FailedFiles {
  if (!files.has(md5)) return files;
  const others = new Map(files);
  others.delete(md5);
  return others;
}

/** What is no longer wanted does not count as failed. */
export function failuresOf(
  files: FailedFiles,
  desired: DesiredContent,
): FailedFiles {
  if (files.size === 0) return files;
  const md5s = new Set(
    desired.assets.flatMap(fetchedFilesOf).map(({ md5 }) => md5),
  );
  return new Map([...files].filter(([md5]) => md5s.has(md5)));
}

/** It is worth resuming at once: bytes came in, and more than the time before. */
export function hasBrokenOff(files: FailedFiles): boolean {
  return [...files.values()].some(
    ({ brokeOffAtBytes, breaks }) =>
      (brokeOffAtBytes ?? 0) > 0 && breaks < maxTries,
  );
}

/** It may be tried now. */
export function isTryDue(
  files: FailedFiles,
  md5: string,
  now: number,
): boolean {
  const failed = files.get(md5);
  return failed === undefined || failed.failedAt + failed.pauseMs <= now;
}

/** A failure dated in the future is set to now: otherwise it would not be retried for that long (V2-572). */
export function redatedFailures(files: FailedFiles, now: number): FailedFiles {
  const isAhead = [...files.values()].some(({ failedAt }) => failedAt > now);
  if (!isAhead) return files;
  return new Map(
    [...files].map(([md5, failed]) => [
      md5,
      { ...failed, failedAt: Math.min(failed.failedAt, now) },
    ]),
  );
}

/** As people read it: one line for each asset. */
export function itemFailuresOf(
  files: FailedFiles,
  { assets }: DesiredContent,
): readonly ItemFailure[] {
  if (files.size === 0) return [];
  return assets.flatMap((asset) => {
    const { remoteId, facts, app } = asset;
    // For an app, one file that fails is reason enough.
    for (const { md5 } of fetchedFilesOf(asset)) {
      const failed = files.get(md5);
      if (!failed) continue;
      const path = app?.files.find((one) => one.md5 === md5)?.path;
      const reason = `${path === undefined ? "" : `${path}: `}${failed.reason}`;
      const { isGivenUp } = failed;
      return [{ remoteId, name: facts.name, reason, isGivenUp }];
    }
    return [];
  });
}
