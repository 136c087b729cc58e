// So many bytes a second and no more, over all that comes in together.

import type { SyncClock } from "./clock.ts";

export interface Rate {
  isLimited(): boolean;
  /** Answers when more may come in; null is at once. */
  take(bytes: number): Promise<void> | null;
  limit(bytesPerSecond: number | null): void;
}

/** Shorter pauses than this are saved up. */
const leastPauseMs = 5;
/** What was not used for a moment may be made up for, so that the whole comes to what was said. */
const mostSavedMs = 200;

export function createRate(clock: SyncClock): Rate {
  let perMs: number | null = null;
  /** When what was taken so far would all have come at the even pace. */
  let dueAt = 0;
  return {
    limit: (bytesPerSecond) => {
      perMs = bytesPerSecond === null ? null : bytesPerSecond / 1000;
    },
    isLimited: () => perMs !== null,
    take: (bytes) => {
      if (perMs === null) return null;
      const now = clock.monotonic();
      dueAt = Math.max(dueAt, now - mostSavedMs) + bytes / perMs;
      const pauseMs = dueAt - now;
      if (pauseMs < leastPauseMs) return null;
      return new Promise<void>((resolve) => clock.after(pauseMs, resolve));
    },
  };
}
