// Retry policy of the outbox: exponential backoff for a single change, or for all of them (V2-340).

import type { Clock } from "../../../platform/clock.ts";
import type { RemoteError } from "../remote/remote-error.ts";

export interface Pauses {
  /** It failed, and its own pause is not over. */
  isPaused(changeId: string): boolean;
  hasFailed(changeId: string): boolean;
  /** The last change that was tried failed: changes that never failed go first now. */
  isBackingOff(): boolean;
  /** Pauses this change. True: another one failed right before it, so the cause is the service rather than the change. */
  pauseOne(changeId: string, failure: RemoteError): boolean;
  /** Returns the pause in milliseconds; `isSilence`: the service did not answer at all. */
  pauseAll(failure: RemoteError, isSilence: boolean): number;
  /** The service answered another request: a pause that was only due to its silence ends (V2-387). */
  noteContact(): void;
  /** Drops the pauses of single changes: why they failed is unknown. */
  forgetChanges(): void;
  /** The change counts as if it had never failed. */
  forget(changeId: string): void;
  /** The service has accepted or rejected this change. */
  noteAnswered(changeId: string): void;
  /** All changes wait because the service asked to retry later. */
  isPauseRequested(): boolean;
  /** Ends the pause of all changes. */
  endAll(): void;
  stop(): void;
}

export interface PausesOptions {
  readonly clock: Clock;
  readonly random: () => number;
  /** Something may be retried. */
  readonly onOver: () => void;
}

interface Paused {
  readonly failures: number;
  readonly cancel: () => void;
}

const firstPauseMs = 2000;
/** Five minutes with the largest spread. */
const longestPauseMs = 200_000;

export function createPauses({ clock, random, onOver }: PausesOptions): Pauses {
  const failed = new Map<string, Paused>();
  const waiting = new Set<string>();
  let lastFailed: string | null = null;
  let failures = 0;
  let cancelAll: (() => void) | null = null;
  let isSilent = false;
  let isPauseFromService = false;

  function msAfter(times: number, { waitMs }: RemoteError): number {
    const grown = Math.min(longestPauseMs, firstPauseMs * 2 ** times);
    return Math.max(waitMs ?? 0, grown * (0.5 + random()));
  }

  function forget(id: string): void {
    failed.get(id)?.cancel();
    failed.delete(id);
    waiting.delete(id);
    failures = 0;
  }

  function forgetChanges(): void {
    for (const { cancel } of failed.values()) cancel();
    failed.clear();
    waiting.clear();
    lastFailed = null;
  }

  function endAll(): void {
    cancelAll?.();
    cancelAll = null;
  }

  return {
    isPaused: (id) => waiting.has(id),
    hasFailed: (id) => failed.has(id),
    isBackingOff: () => lastFailed !== null,
    pauseOne: (id, failure) => {
      const before = failed.get(id);
      before?.cancel();
      const times = before?.failures ?? 0;
      waiting.add(id);
      failed.set(id, {
        failures: times + 1,
        cancel: clock.after(msAfter(times, failure), () => {
          waiting.delete(id);
          // During a pause of all, the end of a single pause triggers nothing.
          if (cancelAll === null) onOver();
        }),
      });
      const isSecond = lastFailed !== null && lastFailed !== id;
      lastFailed = id;
      return isSecond;
    },
    pauseAll: (failure, isSilence) => {
      endAll();
      isPauseFromService = failure.waitMs !== null;
      isSilent = isSilence && !isPauseFromService;
      const ms = msAfter(failures++, failure);
      cancelAll = clock.after(ms, () => {
        cancelAll = null;
        onOver();
      });
      return ms;
    },
    noteContact: () => {
      if (cancelAll === null || !isSilent) return;
      failures = 0;
      endAll();
      onOver();
    },
    isPauseRequested: () => cancelAll !== null && isPauseFromService,
    ...{ forget, forgetChanges, endAll },
    noteAnswered: (id) => {
      forget(id);
      lastFailed = null;
    },
    stop: () => {
      forgetChanges();
      endAll();
    },
  };
}
