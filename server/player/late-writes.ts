// Rows that nothing on the screen waits for: written at once, or as soon as the database takes them, in their order.

import type { Log } from "../platform/log.ts";
import type { Clock } from "./stage.ts";

export interface LateWrites {
  /** Runs it; where the database refuses, it is run again later, after whatever waits already. Never throws. */
  write(act: () => void): void;
  /** Tries what still waits once more. */
  stop(): void;
}

export interface LateWritesOptions {
  readonly clock: Pick<Clock, "after">;
  readonly log: Log;
  /** The name of the line in the log where something is late, or lost. */
  readonly event: string;
}

/** A day of a busy screen, some megabytes; of more, the oldest is lost. */
const mostWaiting = 10_000;
/** Each may wait for the disk, and everybody else for each. */
const atOnce = 4;
const betweenMs = 20;
const firstPauseMs = 1000;
const longestPauseMs = 30_000;

export function createLateWrites(options: LateWritesOptions): LateWrites {
  const { clock, log, event } = options;
  const waiting: (() => void)[] = [];
  let pauseMs = firstPauseMs;
  let cancel: (() => void) | null = null;

  function tryAgainLater(): void {
    cancel = clock.after(pauseMs, () => {
      cancel = null;
      writeWaiting();
    });
    pauseMs = Math.min(2 * pauseMs, longestPauseMs);
  }

  /** A few at a time, until one is refused; that one and what came after it stay. */
  function writeWaiting(): void {
    for (let done = 0; done < atOnce && waiting.length > 0; done += 1) {
      const [first] = waiting;
      if (first && !isWritten(first)) return tryAgainLater();
      waiting.shift();
    }
    pauseMs = firstPauseMs;
    if (waiting.length > 0)
      cancel = clock.after(betweenMs, () => {
        cancel = null;
        writeWaiting();
      });
  }

  function isWritten(act: () => void): boolean {
    try {
      act();
      return true;
    } catch (error) {
      // Once for each time that it begins.
      if (pauseMs === firstPauseMs) log.warn(event, { error });
      return false;
    }
  }

  return {
    write: (act) => {
      if (waiting.length === 0 && isWritten(act)) return;
      waiting.push(act);
      if (waiting.length > mostWaiting) waiting.shift();
      if (cancel === null) tryAgainLater();
    },
    stop: () => {
      cancel?.();
      cancel = null;
      const refused = waiting.findIndex((act) => !isWritten(act));
      waiting.splice(0, refused < 0 ? waiting.length : refused);
      if (waiting.length > 0) log.warn(event, { lost: waiting.length });
    },
  };
}
