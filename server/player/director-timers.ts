// The director's two timers, both steady: when the current slide's time is over, and how long a late one is waited for.

import type { Clock } from "./stage.ts";
import type { OnGlass } from "./staged.ts";

export interface DirectorTimers {
  /** Calls back when the time of this slide is over, or at once when it has been for long. */
  armEnd(current: OnGlass, ended: (slideId: string) => void): void;
  stopEnd(): void;
  /** Once for one slide, however often it is asked. */
  waitFor(slideId: string, ms: number, late: () => void): void;
  forgetLate(): void;
}

export function createDirectorTimers(clock: Clock): DirectorTimers {
  let stopEnd = (): void => undefined;
  let stopPatience = (): void => undefined;
  let waited: { slideId: string; ms: number; since: number } | null = null;

  return {
    armEnd: ({ slide, since }, ended) => {
      stopEnd();
      const { durationSeconds, id } = slide;
      if (durationSeconds === null) return;
      const leftMs = durationSeconds * 1000 - (clock.monotonic() - since);
      stopEnd = clock.after(Math.max(0, leftMs), () => ended(id));
    },
    stopEnd: () => stopEnd(),
    waitFor: (slideId, ms, late) => {
      const before = waited?.slideId === slideId ? waited : null;
      if (before?.ms === ms) return;
      stopPatience();
      const since = before?.since ?? clock.monotonic();
      waited = { slideId, ms, since };
      stopPatience = clock.after(
        Math.max(0, ms - (clock.monotonic() - since)),
        late,
      );
    },
    forgetLate: () => {
      stopPatience();
      waited = null;
    },
  };
}
