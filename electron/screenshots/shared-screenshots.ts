// Screenshots for any number of clients: one at a time and two a second, whatever they request (V2-880).

import type { Clock } from "../../server/platform/clock.ts";

/** Capturing and encoding the screen takes a tenth of a second of the main process. */
const spacingMs = 500;

/** What is returned takes a screenshot that shows the screen after the call, or waits for the next one with the others that do. */
export function shareScreenshots<Screenshot>(
  take: () => Promise<Screenshot>,
  clock: Pick<Clock, "monotonic" | "after">,
): () => Promise<Screenshot> {
  let beganAt = -Infinity;
  let underWay: Promise<unknown> = Promise.resolve();
  /** That has not begun. */
  let next: Promise<Screenshot> | null = null;

  async function takeNext(): Promise<Screenshot> {
    await underWay;
    const leftMs = beganAt + spacingMs - clock.monotonic();
    if (leftMs > 0)
      await new Promise<void>((resolve) => clock.after(leftMs, resolve));
    next = null;
    beganAt = clock.monotonic();
    const taken = take();
    underWay = taken.catch(() => undefined);
    return taken;
  }

  return () => (next ??= takeNext());
}
