// How fast bytes come in: over the last few seconds, so that a moment's stutter is none of the answer.

import type { SyncClock } from "../sync-clock.ts";

export interface Speed {
  begin(): void;
  /** So many bytes have come in since the beginning. */
  note(bytes: number): void;
  perSecond(): number;
}

const windowMs = 5000;

export function createSpeed(clock: SyncClock): Speed {
  let marks: { readonly at: number; readonly bytes: number }[] = [];
  return {
    begin: () => {
      marks = [{ at: clock.monotonic(), bytes: 0 }];
    },
    note: (bytes) => {
      const at = clock.monotonic();
      marks = [
        ...marks.filter((mark) => at - mark.at <= windowMs),
        { at, bytes },
      ];
    },
    perSecond: () => {
      const first = marks[0];
      const last = marks.at(-1);
      if (!first || !last || last.at <= first.at) return 0;
      const rate = ((last.bytes - first.bytes) * 1000) / (last.at - first.at);
      return Math.max(0, Math.round(rate));
    },
  };
}
