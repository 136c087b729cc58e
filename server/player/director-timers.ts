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
  let waitedFor: string | null = null;

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
      if (waitedFor === slideId) return;
      stopPatience();
      waitedFor = slideId;
      stopPatience = clock.after(ms, late);
    },
    forgetLate: () => {
      stopPatience();
      waitedFor = null;
    },
  };
}
