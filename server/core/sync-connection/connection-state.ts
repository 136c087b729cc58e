// State of a connection to a content service as one value, and what is derived from it: what waits and why, which downloads failed,
// and when polls, downloads and applying are due.

import { isNothingToApply, type Fetch } from "../sync-plan/sync-plan.ts";
import type {
  CloudVersion,
  HoldReason,
  SyncConnection,
  SyncPhase,
  SyncProblem,
  ItemFailure,
  SyncConnectionInput,
} from "../sync-plan/sync-state.ts";
import {
  isDone,
  type DesiredState,
  type Progress,
  type PlannedState,
} from "./plan-progress.ts";
import { isInHours } from "../play-hours.ts";
import { dayMs, wallClockOf } from "../wall-clock.ts";
import {
  fetchedFilesOf,
  type DesiredContent,
} from "../sync-plan/desired-content.ts";

/** Sync state that survives a restart, apart from the plans. */
export interface ConnectionMemory {
  readonly version: CloudVersion | null;
  readonly prefix: string | null;
  /** The desired state received last. */
  readonly wanted: string | null;
  /** When it was first seen; meaningless without it. */
  readonly seenAt: number;
  /** That desired state, if an operator decided not to apply it; likewise `approved` for the opposite decision. */
  readonly postponed: string | null;
  readonly approved: string | null;
  /** That desired state, if it results from an operator's change of the screen's identity. */
  readonly trusted: string | null;
  /** Such a change was made, and the service has not answered since. */
  readonly trustsNext: boolean;
  readonly lastContactAt: number | null;
  readonly lastAppliedAt: number | null;
  /** Runs that began and have not ended, including the current one: they may have crashed the player (V2-620). */
  readonly unendedRuns: number;
}

export const emptyMemory: ConnectionMemory = {
  ...{ version: null, prefix: null, wanted: null, seenAt: 0 },
  ...{ postponed: null, approved: null, trusted: null, trustsNext: false },
  ...{ lastContactAt: null, lastAppliedAt: null, unendedRuns: 0 },
};

export interface Desired {
  /** Unchanged as long as the desired state is. */
  readonly target: string;
  readonly state: DesiredState;
  /** From before a restart: the part that was complete then, with no response of the service since. */
  readonly isRemembered: boolean;
}

export interface ConnectionState {
  readonly connection: SyncConnection;
  readonly memory: ConnectionMemory;
  readonly desired: Desired | null;
  /** As of the last read of rows and files. */
  readonly progress: Progress | null;
  readonly failed: FailedFiles;
  readonly poll: "none" | "running" | "running-and-due";
  readonly failedPolls: number;
  /** When the next poll is due, by the screen's clock; null during a poll and while it is disabled. */
  readonly nextPollAt: number | null;
  /** How long before that it was set. */
  readonly pollPauseMs: number;
  /** Reading rows and files takes several slices; events in the meantime cause another read. */
  readonly planning: "none" | "running" | "running-and-due";
  /** Number of runs that had not ended when the player started; 0 once one has. */
  readonly unendedBefore: number;
  /** The run under way may crash the player: that is recorded. */
  readonly isRisky: boolean;
  readonly isDownloading: boolean;
  /** An event gave reason to try missing files. */
  readonly isDownloadDue: boolean;
  /** A file has arrived or failed since rows and files were last read. */
  readonly hasArrived: boolean;
  readonly isApplying: boolean;
  /** An event gave reason to apply what can be applied. */
  readonly isApplyDue: boolean;
  /** Consecutive applies since the service last answered. */
  readonly appliesInRow: number;
  /** What the database could not write of the plan applied last, by the service's identifiers (V2-550). */
  readonly unwritten: readonly string[];
  /** The desired state is new, and the settings of its apps may be, too. */
  readonly areAppsDue: boolean;
  readonly problems: {
    readonly poll: SyncProblem | null;
    readonly download: SyncProblem | null;
    readonly apply: SyncProblem | null;
  };
}

/** Clock and settings of the screen at the moment of an event. */
export interface Moment {
  readonly now: number;
  readonly zone: string;
  /** From 0 up to but not including 1. */
  readonly random: number;
}

export function initialState(
  connection: SyncConnection,
  memory: ConnectionMemory,
): ConnectionState {
  return {
    ...{ connection, memory, desired: null, progress: null },
    ...{ failed: new Map(), failedPolls: 0, nextPollAt: null, poll: "none" },
    ...{ pollPauseMs: 0, planning: "none", unendedBefore: 0, isRisky: false },
    ...{ isDownloading: false, isDownloadDue: false, hasArrived: false },
    ...{ isApplying: false, isApplyDue: false, areAppsDue: false },
    ...{ appliesInRow: 0, unwritten: [] },
    problems: { poll: null, download: null, apply: null },
  };
}

/** Null until rows and files were read for the current desired state. */
function progressOf({ desired, progress }: ConnectionState): Progress | null {
  return progress?.target === desired?.target ? progress : null;
}

/** Why the plan, or a part of it, is not applied; null: nothing waits. */
export function holdOf(
  state: ConnectionState,
  moment: Moment,
): HoldReason | null {
  const { desired, memory } = state;
  const progress = progressOf(state);
  if (!desired || memory.approved === desired.target) return null;
  if (memory.postponed === desired.target) return "postponed";
  if (!progress || isNothingToApply(progress.complete.plan)) return null;
  return isRemovalHeld(state) ? "more-than-half" : modeHoldOf(state, moment);
}

/** What may be applied now; null: nothing. */
export function stateToApply(
  state: ConnectionState,
  moment: Moment,
): PlannedState | null {
  const progress = progressOf(state);
  const hold = holdOf(state, moment);
  if (!progress || hold === "postponed") return null;
  const isApproved = state.memory.approved === progress.target;
  if (!isApproved && modeHoldOf(state, moment) !== null) return null;
  const planned =
    hold === null ? progress.complete : (progress.withoutRemoval ?? null);
  return planned && !isNothingToApply(planned.plan) ? planned : null;
}

/**
 * A removal caused by an operator's change of the screen is not held, nor one by a service of ours that the screen is paired with.
 */
function isRemovalHeld({
  connection,
  memory,
  progress,
}: ConnectionState): boolean {
  return (
    progress !== null &&
    progress.withoutRemoval !== null &&
    memory.trusted !== progress.target &&
    connection.kind !== "screen"
  );
}

function modeHoldOf(
  state: ConnectionState,
  { now, zone }: Moment,
): "ask" | "tonight" | null {
  const { mode } = state.connection;
  if (mode === "ask") return "ask";
  if (mode === "now") return null;
  return now < nightAfter(state.connection, state.memory.seenAt, zone)
    ? "tonight"
    : null;
}

/** When a plan of the mode `tonight` is due; null if none waits for it. */
export function dueAtOf(state: ConnectionState, moment: Moment): number | null {
  return holdOf(state, moment) === "tonight"
    ? nightAfter(state.connection, state.memory.seenAt, moment.zone)
    : null;
}

/** Missing files that may be tried now; those that failed before go last. */
export function fetchesOf(
  state: ConnectionState,
  { now, zone }: Moment,
): readonly Fetch[] {
  const { connection, desired, failed, memory } = state;
  const progress = progressOf(state);
  if (!desired || !progress || !connection.isEnabled) return [];
  if (memory.postponed === desired.target) return [];
  if (!mayFetchAt(connection, now, zone)) return [];
  const due = progress.missing.filter(
    ({ md5 }) => desired.state.sources.has(md5) && isTryDue(failed, md5, now),
  );
  if (failed.size === 0) return due;
  return [
    ...due.filter(({ md5 }) => !failed.has(md5)),
    ...due.filter(({ md5 }) => failed.has(md5)),
  ];
}

/** Everything the service wants is here and applied; null before its first response (V2-570). */
export function isInSync(
  state: ConnectionState,
  moment: Moment,
): boolean | null {
  const { desired } = state;
  const progress = progressOf(state);
  if (!desired) return null;
  if (holdOf(state, moment) !== null) return false;
  if (desired.isRemembered) return null;
  return progress !== null && isDone(progress);
}

/** A clock that was set back does not delay it (V2-572). */
export function nextPollAtOf(
  { nextPollAt, pollPauseMs }: ConnectionState,
  { now }: Moment,
): number | null {
  return nextPollAt && Math.min(nextPollAt, now + pollPauseMs);
}

export function problemOf({ problems }: ConnectionState): SyncProblem | null {
  return problems.poll ?? problems.apply ?? problems.download;
}

export function itemFailuresIn({
  desired,
  failed,
  unwritten,
}: ConnectionState): readonly ItemFailure[] {
  if (!desired) return [];
  const { itemFailures, content } = desired.state;
  return [
    ...itemFailures,
    ...itemFailuresOf(failed, content),
    ...[...content.assets, ...content.playlists]
      .filter(({ remoteId }) => unwritten.includes(remoteId))
      .map(({ remoteId, facts: { name } }) => ({
        ...{ remoteId, name, isGivenUp: true },
        reason: "The player's database rejected it.",
      })),
  ];
}

export function phaseOf(state: ConnectionState, moment: Moment): SyncPhase {
  const { connection, progress } = state;
  if (!connection.isEnabled) return "off";
  if (state.isDownloading) return "downloading";
  if (state.isApplying) return "applying";
  if (state.poll !== "none" || state.planning !== "none") return "polling";
  if (problemOf(state) !== null) return "failing";
  if (holdOf(state, moment) !== null) return "held";
  const isMissing = progress !== null && progress.missing.length > 0;
  return isMissing && !mayFetchAt(connection, moment.now, moment.zone)
    ? "waiting-for-hours"
    : "idle";
}

const everyDay = [1, 2, 3, 4, 5, 6, 7];

/** A window that ends where it starts, or earlier, continues over midnight. */
export function mayFetchAt(
  { fetchFromMs, fetchUntilMs }: SyncConnectionInput,
  moment: number,
  zone: string,
): boolean {
  if (fetchFromMs === null && fetchUntilMs === null) return true;
  return isInHours(
    { days: everyDay, fromMs: fetchFromMs, untilMs: fetchUntilMs },
    wallClockOf(zone).wallTimeAt(moment),
  );
}

/**
 * The first moment from this one on at which the clock shows the connection's time; if a clock change skips it, the change itself
 * (V2-346).
 */
export function nightAfter(
  { applyAtMs }: Pick<SyncConnectionInput, "applyAtMs">,
  moment: number,
  zone: string,
): number {
  const clock = wallClockOf(zone);
  for (let from = moment; ;) {
    const { until, offsetMs } = clock.spanAt(from);
    const { timeMs } = clock.wallTimeAt(from);
    const due = from + ((applyAtMs - timeMs + dayMs) % dayMs);
    if (due < until) return due;
    const leftOutMs = clock.spanAt(until).offsetMs - offsetMs;
    if (due < until + leftOutMs) return until;
    from = until;
  }
}

export interface PollPace {
  readonly pollSeconds: number;
  /** Problem of the last poll; null: it was answered. */
  readonly problem: SyncProblem["code"] | null;
  readonly failuresInRow: number;
  /** Pause requested by the service; 0 if it did not. */
  readonly retryAfterMs: number;
  /** From 0 up to but not including 1. */
  readonly random: number;
}

/** Polls are spread around their time, so that the screens of a site do not poll all at once. */
const spread = 0.1;
/** An unavailable service is polled less and less often, yet found again within minutes. */
const maxPauseMs = 300_000;
/** A service that rejects the token does not receive it every minute. */
const refusedPauseMs = 3_600_000;
/** More doublings than any pause needs. */
const maxDoublings = 10;

export function pollPauseMs(pace: PollPace): number {
  const { pollSeconds, problem, failuresInRow, retryAfterMs, random } = pace;
  const spreadBy = 1 + spread * (2 * random - 1);
  const usual = pollSeconds * 1000;
  if (problem === null) return usual * spreadBy;
  if (problem === "unauthorized" || problem === "no-token")
    return Math.max(usual, refusedPauseMs) * spreadBy;
  // Not a moment earlier than requested.
  if (retryAfterMs > 0) return retryAfterMs * (1 + spread * random);
  const doublings = Math.min(maxDoublings, Math.max(0, failuresInRow - 1));
  const grown = usual * 2 ** doublings;
  return Math.min(Math.max(usual, maxPauseMs), grown) * spreadBy;
}

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
function isTryDue(files: FailedFiles, md5: string, now: number): boolean {
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
function itemFailuresOf(
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
