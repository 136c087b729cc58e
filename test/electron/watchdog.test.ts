// A stage that hangs or crashes is lost once each time, and what was asked of it before is not held against the next.

import { EventEmitter, once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { createWatchdog, type Watchdog } from "../../electron/watchdog.ts";
import { createLog } from "../../server/platform/log.ts";

type WebContents = Parameters<Watchdog["watch"]>[0];

const pulse = { everyMs: 5, deadlineMs: 60 };

/** A page that answers or hangs, and a process that is a moment in going. */
class Page extends EventEmitter {
  isHanging = false;
  asked = 0;
  isDestroyed = () => false;
  isLoading = () => false;

  executeJavaScriptInIsolatedWorld(): Promise<number> {
    this.asked += 1;
    this.emit("asked");
    // Whoever asks a page whose process goes is never answered.
    return this.isHanging ? new Promise(() => undefined) : Promise.resolve(1);
  }

  forcefullyCrashRenderer(): void {
    setImmediate(() => this.crash());
  }

  crash(): void {
    this.emit("render-process-gone", {}, { reason: "crashed" });
  }
}

function watched() {
  const page = new Page();
  const seen = { losses: 0, reloads: 0, replaced: 0 };
  const watchdog = createWatchdog({
    reload: () => {
      seen.reloads += 1;
      page.isHanging = false;
    },
    replace: () => (seen.replaced += 1),
    onLost: () => (seen.losses += 1),
    log: createLog({ toStandardOutput: false }),
    pulse,
  });
  onTestFinished(watchdog.stop);
  watchdog.watch(page as unknown as WebContents);
  /** Longer than any question that was under way could still count. */
  const beatOn = () => {
    const from = page.asked;
    const beats = (3 * pulse.deadlineMs) / pulse.everyMs;
    return expect.poll(() => page.asked - from).toBeGreaterThan(beats);
  };
  return { page, seen, beatOn };
}

it("a stage that hangs once is lost once, however often it was asked meanwhile and though its process is heard to go", async () => {
  const { page, seen, beatOn } = watched();
  page.isHanging = true;
  await expect.poll(() => seen.reloads).toBe(1);
  await beatOn();
  expect(seen).toEqual({ losses: 1, reloads: 1, replaced: 0 });
});

it("a question that a crash left unanswered does not end the stage that came after it", async () => {
  const { page, seen, beatOn } = watched();
  page.isHanging = true;
  // At once: before the watchdog finds the question unanswered.
  await once(page, "asked");
  page.crash();
  await expect.poll(() => seen.reloads).toBe(1);
  await beatOn();
  expect(seen).toEqual({ losses: 1, reloads: 1, replaced: 0 });
});
