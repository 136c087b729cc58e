// One missing file: downloaded from whichever of its addresses gives it, tried a few times, and taken into the store.

import pRetry, { AbortError } from "p-retry";
import type { FileFailure } from "../../../core/sync-connection/failed-files.ts";
import { Failure } from "../../../core/failure.ts";
import type { Aside } from "../../../platform/file-part.ts";
import { NotGiven, WrongBytes } from "../download/download.ts";
import { pause, type SyncClock } from "../sync-clock.ts";
import { CloudTrouble, troubleOf } from "../remote/remote-error.ts";

export interface DownloadFileOptions {
  readonly clock: SyncClock;
  readonly chance: () => number;
  readonly signal: AbortSignal;
  /** Where it lies; at least one. */
  readonly sources: readonly string[];
  /** One at a time for each file. */
  readonly alone: (act: () => Promise<void>) => Promise<void>;
  /** Another account has brought it meanwhile. */
  readonly isHere: () => boolean;
  readonly download: (source: string) => Promise<Aside>;
  readonly admit: (aside: Aside) => Promise<void>;
}

/** A hiccup is over by then; anything longer is for the next poll. */
const mostTries = 3;
const firstPauseMs = 1000;
const pauseGrowth = 4;
/** Longer than this nobody waits within a batch. */
const mostPauseMs = 30_000;

/** Throws what the last try threw: a CloudTrouble, a Failure of the store, WrongBytes or NotGiven. */
export async function downloadFile(
  options: DownloadFileOptions,
): Promise<void> {
  const { clock, chance, signal } = options;

  async function attempt(): Promise<void> {
    signal.throwIfAborted();
    await options.alone(async () => {
      if (options.isHere()) return;
      const aside = await fromAnySource(options);
      await options.admit(aside).catch((error: unknown) => {
        throw error instanceof Failure && error.code !== "no-space"
          ? error
          : troubleOf(error, "The player's store");
      });
    });
  }

  /** A part that went wrong on the way says nothing yet about what the server has. */
  async function attemptAnew(): Promise<void> {
    await attempt().catch((error: unknown) => {
      if (error instanceof WrongBytes && !error.isWhole) return attempt();
      throw error;
    });
  }

  await pRetry(
    () =>
      attemptAnew().catch((error: unknown) => {
        if (isWorthATry(error)) throw error;
        throw new AbortError(error as Error);
      }),
    {
      ...{ retries: mostTries - 1, minTimeout: 0, maxTimeout: 0, signal },
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

/** From the first address that gives it; throws what the last one said (V2-534). */
async function fromAnySource({
  sources,
  download,
}: DownloadFileOptions): Promise<Aside> {
  for (const [place, source] of sources.entries())
    try {
      return await download(source);
    } catch (error) {
      if (!isOfAddress(error) || place === sources.length - 1) throw error;
    }
  throw new Error("a file without a source");
}

/** Another address may give it all the same. */
function isOfAddress(error: unknown): boolean {
  return (
    error instanceof NotGiven ||
    (error instanceof WrongBytes && error.isWhole) ||
    isPortal(error) ||
    isUnavailable(error)
  );
}

function isWorthATry(error: unknown): boolean {
  return error instanceof WrongBytes || isUnavailable(error);
}

/** What is wrong with this file alone; null for what would be the same with every other. */
export function fileFailureOf(
  error: unknown,
  receivedBytes: number,
): FileFailure | null {
  // Only what came to its end is known to be damaged (V2-681).
  if (error instanceof WrongBytes)
    return {
      reason: error.isEndTold
        ? `It is damaged at its source. ${error.message}`
        : `It was cut short or is damaged at its source, which does not tell where it ends. ${error.message}`,
      ...{ isGivenUp: error.isEndTold, isAddressOld: false },
    };
  // It may stand in the place of this one alone: what else there is comes all the same (V2-532).
  if (error instanceof NotGiven || isPortal(error))
    return { reason: error.message, isGivenUp: false, isAddressOld: true };
  // The server of one file says nothing of the lists, nor of other files (V2-531, V2-680).
  if (isUnavailable(error))
    return {
      ...{ reason: error.message, isGivenUp: false, isAddressOld: false },
      ...(error.waitMs === null
        ? { brokeOffAtBytes: receivedBytes }
        : { retryAfterMs: error.waitMs }),
    };
  // Its bytes are right, and no media.
  if (error instanceof Failure)
    return {
      reason: error.message,
      ...{ isGivenUp: true, isAddressOld: false },
    };
  return null;
}

export function isUnavailable(error: unknown): error is CloudTrouble {
  return error instanceof CloudTrouble && error.code === "unavailable";
}

export function isPortal(error: unknown): error is CloudTrouble {
  return error instanceof CloudTrouble && error.code === "portal";
}
