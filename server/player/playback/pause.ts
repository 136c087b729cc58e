// Pause: what is on screen stays beyond its time, until playback is resumed or the maximum pause is over (V2-291).

import { createAnnouncement } from "../event-emitter.ts";
import type { Clock } from "../../platform/clock.ts";

export interface Pause {
  /** Wall-clock milliseconds; null while playback runs. */
  until(): number | null;
  /** Starts a pause, or restarts the one under way. */
  begin(seconds: number): void;
  end(): void;
  onChanged(listener: () => void): () => void;
  stop(): void;
}

export function createPause(clock: Clock): Pause {
  const changed = createAnnouncement();
  let until: number | null = null;
  let stopTimer = (): void => undefined;

  function end(): void {
    stopTimer();
    if (until === null) return;
    until = null;
    changed.emit();
  }

  return {
    until: () => until,
    begin: (seconds) => {
      stopTimer();
      // Measured with the monotonic clock: a jump of the wall clock neither ends nor prolongs it.
      stopTimer = clock.after(seconds * 1000, end);
      until = clock.now() + seconds * 1000;
      changed.emit();
    },
    end,
    onChanged: changed.on,
    stop: () => stopTimer(),
  };
}
