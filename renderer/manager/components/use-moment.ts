// The present moment for components: ticking, or waking only when something is due to change.

import { useEffect, useState } from "react";

/** The moment, updated this often while the window is visible. */
export function useMoment(intervalMs: number): number {
  const [moment, setMoment] = useState(() => Date.now());
  useEffect(() => {
    const tick = () => {
      if (document.visibilityState === "visible") setMoment(Date.now());
    };
    const timer = setInterval(tick, intervalMs);
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, [intervalMs]);
  return moment;
}

/** A timer waits no longer than a day here: the clock may be set while it waits. */
const longestWaitMs = 24 * 3600 * 1000;

/** The moment, updated at the edge that `edgeAfter` returns; `edgeAfter` must keep its identity between changes. */
export function useMomentOfEdges(
  edgeAfter: (moment: number) => number | null,
): number {
  const [moment, setMoment] = useState(() => Date.now());
  useEffect(() => {
    // Computed from the moment that is shown: an edge passed meanwhile, as of an asset just added, is due at once.
    const edge = edgeAfter(moment);
    const waitMs =
      edge === null
        ? longestWaitMs
        : Math.min(longestWaitMs, edge - Date.now() + 1);
    const timer = setTimeout(() => {
      setMoment(Date.now());
    }, waitMs);
    return () => {
      clearTimeout(timer);
    };
  }, [edgeAfter, moment]);
  return moment;
}
