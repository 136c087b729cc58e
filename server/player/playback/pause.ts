// A pause: what is on the glass stays when its time is over, until it is resumed or forgotten for long enough (V2-291).

import { createAnnouncement } from "../announcement.ts";
import type { Clock } from "../../platform/clock.ts";

export interface Pause {
  /** Wall milliseconds; null while the programme goes on by itself. */
  until(): number | null;
  /** Begins, or begins anew. */
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
      // Counted by the steady clock: one that jumps neither ends nor prolongs it.
      stopTimer = clock.after(seconds * 1000, end);
      until = clock.now() + seconds * 1000;
      changed.emit();
    },
    end,
    onChanged: changed.on,
    stop: () => stopTimer(),
  };
}
