// So many bytes a second and no more, over all that comes in together.

import type { SyncClock } from "../sync-clock.ts";

export interface Rate {
  isLimited(): boolean;
  /** Taken at a time, under a limit: so few that among many at once nobody waits for long. */
  stepBytes(): number;
  /** So many files at once that each of them comes on all the time. */
  mostAtOnce(): number;
  /** Answers when more may come in; null is at once. */
  take(bytes: number): Promise<void> | null;
  limit(bytesPerSecond: number | null): void;
}

/** Shorter pauses than this are saved up. */
const leastPauseMs = 5;
/** What was not used for a moment may be made up for, so that the whole comes to what was said. */
const mostSavedMs = 200;
/** Longer nobody waits, not even for what came in before the limit was lowered: whoever is called off ends with it. */
const mostPauseMs = 2000;
/** Larger steps are none the evener for it. */
const mostStepBytes = 64 * 1024;
/** As many come in together at the most. */
const mostSharers = 16;
/** One whose server does not answer holds up nobody else. */
const leastAtOnce = 2;

export function createRate(clock: SyncClock): Rate {
  let perMs: number | null = null;
  /** When what was taken so far would all have come at the even pace. */
  let dueAt = 0;
  return {
    limit: (bytesPerSecond) => {
      perMs = bytesPerSecond === null ? null : bytesPerSecond / 1000;
    },
    isLimited: () => perMs !== null,
    stepBytes: () =>
      Math.ceil(
        Math.min(mostStepBytes, ((perMs ?? Infinity) * 1000) / mostSharers),
      ),
    mostAtOnce: () =>
      Math.max(leastAtOnce, ((perMs ?? Infinity) * 1000) / mostStepBytes),
    take: (bytes) => {
      if (perMs === null) return null;
      const now = clock.monotonic();
      dueAt = Math.max(dueAt, now - mostSavedMs) + bytes / perMs;
      const pauseMs = Math.min(mostPauseMs, dueAt - now);
      if (pauseMs < leastPauseMs) return null;
      return new Promise<void>((resolve) => clock.after(pauseMs, resolve));
    },
  };
}
