// Lays out the lanes in slices: hundreds of playlists never block the manager without an indication.

import { useEffect, useState } from "react";
import type { ScheduleInput } from "../../../../server/core/schedule/schedule.ts";
import { layLanes, type Lanes } from "./lanes.ts";

/** As long as is not noticeable; then in slices between which the manager stays responsive. */
const firstMs = 40;
const sliceMs = 12;

export interface LanesUnderWay {
  /** The last complete ones; null before the first. */
  readonly lanes: Lanes | null;
  /** How many playlists are laid out, while new lanes are computed. */
  readonly done: number;
}

export function useLanes(
  input: ScheduleInput,
  from: number,
  until: number,
): LanesUnderWay {
  const [lanes, setLanes] = useState<Lanes | null>(null);
  const [done, setDone] = useState(0);
  useEffect(() => {
    const work = layLanes(input, from, until);
    let next: ReturnType<typeof setTimeout> | undefined;
    const go = (forMs: number): void => {
      const endsAt = performance.now() + forMs;
      for (;;) {
        const step = work.next();
        if (step.done) {
          setLanes(step.value);
          return;
        }
        if (performance.now() < endsAt) continue;
        setDone(step.value);
        next = setTimeout(go, 0, sliceMs);
        return;
      }
    };
    go(firstMs);
    return () => {
      clearTimeout(next);
    };
  }, [input, from, until]);
  return { lanes, done };
}
