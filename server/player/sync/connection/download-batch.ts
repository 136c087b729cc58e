// All files of a plan: several at once, each tried a few times, with a word now and then about how far they are.

import pRetry, { AbortError } from "p-retry";
import { Failure } from "../../../core/failure.ts";
import type { Fetch } from "../../../core/sync-plan.ts";
import type { FileProgress } from "../../../core/sync-state.ts";
import type { Aside } from "../../../platform/file-part.ts";
import { pause, type SyncClock } from "../sync-clock.ts";
import { NotGiven, WrongBytes } from "../download/download.ts";
import { CloudTrouble, troubleOf } from "../remote/remote-error.ts";

export interface FetchingOptions {
  readonly clock: SyncClock;
  readonly chance: () => number;
  readonly signal: AbortSignal;
  readonly nameOf: (remoteId: string) => string;
  /** Together with others no more than these, however small. */
  readonly mostAtOnce: () => number;
  /** One at a time for each file. */
  readonly alone: (md5: string, act: () => Promise<void>) => Promise<void>;
  /** Another account has brought it meanwhile. */
  readonly isHere: (md5: string) => boolean;
  readonly download: (
    fetch: Fetch,
    onBytes: (receivedBytes: number, totalBytes: number | null) => void,
  ) => Promise<Aside>;
  readonly admit: (aside: Aside, md5: string) => Promise<void>;
  /** One more is here. */
  readonly onArrived: (fetch: Fetch) => void;
  /** This one will not come of these tries. */
  readonly onMissed: (fetch: Fetch, why: Missed) => void;
}

export interface Missed {
  readonly reason: string;
  /** Trying again would bring the same. */
  readonly isGivenUp: boolean;
  /** Its address may be an old one. */
  readonly isAddressOld: boolean;
  /** Its server asked to be left in peace for so long. */
  readonly waitMs?: number;
}

export interface Tally {
  readonly filesDone: number;
  readonly filesTotal: number;
  readonly receivedBytes: number;
  readonly totalBytes: number;
  readonly files: readonly FileProgress[];
}

export interface Fetching {
  /** Throws the CloudTrouble that ends all of it: no connection, no space, a portal. */
  run(): Promise<void>;
  tally(): Tally;
}

/** Small files spend their time waiting for an answer: many of them wait together. */
const mostAtOnce = 16;
/** Large ones fill the line: beyond so many bytes under way no more than two are. */
const plentyBytes = 32 * 1024 * 1024;
const fewAtOnce = 2;
/** What nobody told the size of is taken for this. */
const usualBytes = 4 * 1024 * 1024;
/** A hiccup is over by then; anything longer is for the next run. */
const mostTries = 3;
const firstPauseMs = 1000;
const pauseGrowth = 4;
/** Longer than this nobody waits within a run. */
const mostPauseMs = 30_000;

export function createFetching(
  fetches: readonly Fetch[],
  options: FetchingOptions,
): Fetching {
  const { clock, chance, signal } = options;
  const active = new Map<Fetch, { received: number; total: number | null }>();
  /** Sizes that the cloud did not tell, and the server of the file does. */
  const told = new Map<Fetch, number>();
  let filesDone = 0;
  let doneBytes = 0;
  let stopping: CloudTrouble | null = null;
  /** Told when everything else is done. */
  let portal: CloudTrouble | null = null;

  async function attempt(fetch: Fetch): Promise<void> {
    signal.throwIfAborted();
    await options.alone(fetch.md5, () => bringIn(fetch));
  }

  async function bringIn(fetch: Fetch): Promise<void> {
    if (options.isHere(fetch.md5)) return;
    const aside = await options.download(fetch, (received, total) => {
      active.set(fetch, { received, total });
      if (total !== null) told.set(fetch, total);
    });
    await options.admit(aside, fetch.md5).catch((error: unknown) => {
      throw error instanceof Failure && error.code !== "no-space"
        ? error
        : troubleOf(error, "The player's store");
    });
  }

  /** A part that went wrong on the way says nothing yet about what the server has. */
  async function attemptAnew(fetch: Fetch): Promise<void> {
    await attempt(fetch).catch((error: unknown) => {
      if (error instanceof WrongBytes && !error.isWhole) return attempt(fetch);
      throw error;
    });
  }

  async function fetchOne(fetch: Fetch): Promise<void> {
    await pRetry(
      () =>
        attemptAnew(fetch).catch((error: unknown) => {
          if (isWorthATry(error)) throw error;
          throw new AbortError(error as Error);
        }),
      {
        retries: mostTries - 1,
        minTimeout: 0,
        maxTimeout: 0,
        signal,
        onFailedAttempt: async (error) => {
          if (error.retriesLeft === 0) return;
          const grown = firstPauseMs * pauseGrowth ** (error.attemptNumber - 1);
          const asked = error instanceof CloudTrouble ? error.waitMs : null;
          if ((asked ?? 0) > mostPauseMs) throw error;
          const ms = Math.max(asked ?? 0, grown * (0.5 + chance()));
          await pause(clock, ms, signal);
        },
      },
    );
  }

  async function fetchAndTell(fetch: Fetch): Promise<void> {
    active.set(fetch, { received: 0, total: fetch.sizeBytes });
    try {
      await fetchOne(fetch);
      filesDone += 1;
      doneBytes += active.get(fetch)?.received ?? 0;
      active.delete(fetch);
      options.onArrived(fetch);
    } catch (error) {
      active.delete(fetch);
      signal.throwIfAborted();
      const missed = missedOf(error);
      if (isPortal(error)) portal ??= error;
      if (missed) options.onMissed(fetch, missed);
      else if (error instanceof CloudTrouble) stopping ??= error;
      else throw error;
    }
  }

  function mayBegin(): boolean {
    if (active.size >= Math.min(mostAtOnce, options.mostAtOnce())) return false;
    if (active.size < fewAtOnce) return true;
    const underWay = [...active.values()].reduce(
      (sum, { total }) => sum + (total ?? usualBytes),
      0,
    );
    return underWay < plentyBytes;
  }

  return {
    run: async () => {
      const waiting = [...fetches];
      const running = new Set<Promise<void>>();
      const bugs: Error[] = [];
      while (waiting.length > 0 || running.size > 0) {
        while (
          waiting.length > 0 &&
          stopping === null &&
          bugs.length === 0 &&
          !signal.aborted &&
          mayBegin()
        ) {
          const one = fetchAndTell(waiting.shift() as Fetch)
            .catch((error: unknown) => {
              bugs.push(error as Error);
            })
            .finally(() => running.delete(one));
          running.add(one);
        }
        if (running.size === 0) break;
        await Promise.race(running);
      }
      const [bug] = bugs;
      if (bug) throw bug;
      signal.throwIfAborted();
      const trouble = stopping ?? portal;
      if (trouble !== null) throw trouble;
    },
    tally: () => {
      const underWay = [...active];
      return {
        filesDone,
        filesTotal: fetches.length,
        receivedBytes: underWay.reduce(
          (sum, [, { received }]) => sum + received,
          doneBytes,
        ),
        totalBytes: fetches.reduce(
          (sum, fetch) => sum + (fetch.sizeBytes ?? told.get(fetch) ?? 0),
          0,
        ),
        files: underWay.map(
          ([{ remoteIds, sizeBytes }, { received, total }]) => ({
            remoteId: remoteIds[0] ?? "",
            name: options.nameOf(remoteIds[0] ?? ""),
            receivedBytes: received,
            totalBytes: total ?? sizeBytes,
          }),
        ),
      };
    },
  };
}

function isWorthATry(error: unknown): boolean {
  return (
    error instanceof WrongBytes ||
    (error instanceof CloudTrouble && error.code === "unavailable")
  );
}

/** What is wrong with this file alone; null for what would be the same with every other. */
function missedOf(error: unknown): Missed | null {
  if (error instanceof WrongBytes)
    return {
      reason: `It is damaged at its source. ${error.message}`,
      ...{ isGivenUp: true, isAddressOld: false },
    };
  // It may stand in the place of this one alone: what else there is comes all the same (V2-532).
  if (error instanceof NotGiven || isPortal(error))
    return { reason: error.message, isGivenUp: false, isAddressOld: true };
  // The server of one file says nothing of the lists, nor of other files (V2-531).
  if (error instanceof CloudTrouble && isAskedToWait(error))
    return {
      ...{ reason: error.message, waitMs: error.waitMs },
      ...{ isGivenUp: false, isAddressOld: false },
    };
  // Its bytes are right, and no media.
  if (error instanceof Failure)
    return {
      reason: error.message,
      ...{ isGivenUp: true, isAddressOld: false },
    };
  return null;
}

function isPortal(error: unknown): error is CloudTrouble {
  return error instanceof CloudTrouble && error.code === "portal";
}

function isAskedToWait(
  error: CloudTrouble,
): error is CloudTrouble & { readonly waitMs: number } {
  return error.code === "unavailable" && error.waitMs !== null;
}
