// Stage watchdog: a stage that hangs or crashes is lost once each time, and its successor is not affected by earlier pings.

import { EventEmitter, once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import {
  createWatchdog,
  type Watchdog,
} from "../../../electron/stage/stage-watchdog.ts";
import { createLog } from "../../../server/platform/log.ts";

type WebContents = Parameters<Watchdog["watch"]>[0];

const times = {
  ...{ pingIntervalMs: 5, restIntervalMs: 10_000, responseTimeoutMs: 60 },
  ...{ exitTimeoutMs: 60, startTimeoutMs: 2000 },
};

/** A page that answers or hangs, and a process that takes a moment to end. */
class Page extends EventEmitter {
  isHanging = false;
  requests = 0;
  isDestroyed = () => false;
  getOSProcessId = () => 4711;

  executeJavaScriptInIsolatedWorld(): Promise<number> {
    this.requests += 1;
    this.emit("asked");
    // A request to a page whose process ends is never answered.
    return this.isHanging ? new Promise(() => undefined) : Promise.resolve(1);
  }

  crash(): void {
    this.emit("render-process-gone", {}, { reason: "crashed" });
  }
}

function watched({ isStill = (): boolean => false } = {}) {
  const page = new Page();
  const seen = {
    ...{ losses: [] as string[], reloads: 0, replaced: 0 },
    ...{ ended: [] as number[], unrecoverable: 0 },
  };
  const up = (): void => {
    page.isHanging = false;
    setImmediate(() => watchdog.started());
  };
  const watchdog = createWatchdog({
    reload: () => {
      seen.reloads += 1;
      up();
    },
    replace: () => {
      seen.replaced += 1;
      up();
    },
    onLost: (loss) => seen.losses.push(loss),
    onUnrecoverable: () => (seen.unrecoverable += 1),
    log: createLog({ toStandardOutput: false }),
    end: (pid) => {
      seen.ended.push(pid);
      setImmediate(() => page.crash());
    },
    ...{ times, isStill },
  });
  onTestFinished(watchdog.stop);
  watchdog.watch(page as unknown as WebContents);
  watchdog.started();
  /** Longer than any pending ping could still count. */
  const beatOn = () => {
    const from = page.requests;
    const beats = (3 * times.responseTimeoutMs) / times.pingIntervalMs;
    return expect.poll(() => page.requests - from).toBeGreaterThan(beats);
  };
  return { page, seen, beatOn, watchdog };
}

it("[V2-460] a stage that hangs once is lost once, its process killed and its view replaced, though the end of its process is reported, too", async () => {
  const { page, seen, beatOn } = watched();
  page.isHanging = true;
  await expect.poll(() => seen.replaced).toBe(1);
  await beatOn();
  expect(seen).toEqual({
    ...{ losses: ["silent"], reloads: 0, replaced: 1 },
    ...{ ended: [4711], unrecoverable: 0 },
  });
});

it("a ping left unanswered by a crash does not end the next stage", async () => {
  const { page, seen, beatOn } = watched();
  page.isHanging = true;
  // At once: before the watchdog finds the ping unanswered.
  await once(page, "asked");
  page.crash();
  await expect.poll(() => seen.reloads).toBe(1);
  await beatOn();
  expect(seen).toEqual({
    ...{ losses: ["gone"], reloads: 1, replaced: 0 },
    ...{ ended: [], unrecoverable: 0 },
  });
});

it("[V2-676] a stage that shows what holds still is asked when something is wanted of it, and often again once something else is shown", async () => {
  let isStill = true;
  const { page, watchdog, beatOn } = watched({ isStill: () => isStill });
  expect(page.requests).toBe(0);
  const answered = new Promise<void>((resolve) =>
    watchdog.whenItAnswers(resolve),
  );
  await answered;
  expect(page.requests).toBe(1);
  isStill = false;
  watchdog.changed();
  await beatOn();
});
