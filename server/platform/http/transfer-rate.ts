// Rate limit of transfers that share a line: when the next bytes may be received.

import type { Clock } from "../clock.ts";

export interface Rate {
  isLimited(): boolean;
  /** Bytes to take at a time under a limit: so few that none of many downloads waits for long. */
  stepBytes(): number;
  /** As many files at once as can all make steady progress. */
  maxAtOnce(): number;
  /** Resolves when more may be received; null means at once. */
  take(bytes: number): Promise<void> | null;
  limit(bytesPerSecond: number | null): void;
}

/** Shorter pauses are accumulated. */
const minPauseMs = 5;
/** Unused time within this span may be caught up on, so that the average meets the limit. */
const maxSavedMs = 200;
/** Upper bound of a pause, even for bytes from before the limit was lowered: an aborted download ends within it. */
const maxPauseMs = 2000;
/** Larger steps would not make the rate smoother. */
const maxStepBytes = 64 * 1024;
/** Maximum number of downloads that share the rate. */
const maxSharers = 16;
/** A download whose server does not respond does not hold up the others. */
const minAtOnce = 2;

export function createRate(clock: Clock): Rate {
  let perMs: number | null = null;
  /** When all bytes taken so far would have arrived at an even rate. */
  let dueAt = 0;
  return {
    limit: (bytesPerSecond) => {
      perMs = bytesPerSecond === null ? null : bytesPerSecond / 1000;
    },
    isLimited: () => perMs !== null,
    stepBytes: () =>
      Math.ceil(
        Math.min(maxStepBytes, ((perMs ?? Infinity) * 1000) / maxSharers),
      ),
    maxAtOnce: () =>
      Math.max(minAtOnce, ((perMs ?? Infinity) * 1000) / maxStepBytes),
    take: (bytes) => {
      if (perMs === null) return null;
      const now = clock.monotonic();
      dueAt = Math.max(dueAt, now - maxSavedMs) + bytes / perMs;
      const pauseMs = Math.min(maxPauseMs, dueAt - now);
      if (pauseMs < minPauseMs) return null;
      return new Promise<void>((resolve) => clock.after(pauseMs, resolve));
    },
  };
}
