// Frees the decoded images that Chromium keeps after they have left the screen, and this process's own garbage, before they use
// much memory.

import v8 from "node:v8";
import vm from "node:vm";
import { setTimeout as pause } from "node:timers/promises";
import type { Size, WebContents } from "electron";
import type { Log } from "../../server/platform/log.ts";

export interface ImageCacheCleanup {
  /** An image has been shown on a screen of this size, with this many pixels per CSS pixel in each direction. */
  add(screenSize: Size, scaleFactor?: number): void;
  /** Call before preparing a showing: a due cleanup runs now instead of competing with that preparation. */
  comeFirst(): Promise<void>;
  stop(): void;
}

export interface ImageCacheCleanupOptions {
  /** Web contents of the stage. */
  readonly contents: () => WebContents;
  readonly log: Log;
}

/**
 * The compositor treats nearly every showing as a new image, even the second showing of the same file; it decodes each at its
 * displayed size and caches it for a reuse that never comes, up to half a gigabyte.
 */
const maxBytes = 96 * 1024 * 1024;
/** By then the transition is over, a fade too, and the next one is not yet near. */
const idleMs = 400;
/** By then the new image is on the screen and the previous one is gone. */
const shownMs = 50;
/** The cleanup normally takes a tenth of this. */
const maxMs = 500;

export function createImageCacheCleanup({
  contents,
  log,
}: ImageCacheCleanupOptions): ImageCacheCleanup {
  const collectOwn = createCollector();
  let bytes = 0;
  let timer: NodeJS.Timeout | null = null;
  let dueAtMs = 0;
  let underway: Promise<void> | null = null;

  function forget(): void {
    if (timer) clearTimeout(timer);
    timer = null;
  }

  /**
   * Only a memory pressure notification makes Chromium drop what it can recreate. JavaScript garbage is small, but what it keeps
   * alive is not: left alone, it is collected only when it has grown large.
   */
  async function letGo(): Promise<void> {
    const stage = contents();
    if (stage.isDestroyed() || stage.isCrashed()) return;
    const { debugger: wire } = stage;
    try {
      wire.attach();
      const commands = [
        wire.sendCommand("Memory.simulatePressureNotification", {
          level: "critical",
        }),
        wire.sendCommand("HeapProfiler.collectGarbage"),
      ];
      // Both processes at the same time, so that nothing waits for one after the other.
      collectOwn();
      await Promise.all(commands);
    } catch (error) {
      log.warn("image-cache.cleanup-failed", { error });
    } finally {
      if (wire.isAttached()) wire.detach();
    }
  }

  function begin(): void {
    forget();
    const mine = letGo().finally(() => {
      if (underway === mine) underway = null;
    });
    underway = mine;
  }

  return {
    add: ({ width, height }, scaleFactor = 1) => {
      bytes += width * height * scaleFactor ** 2 * 4;
      if (bytes < maxBytes) return;
      bytes = 0;
      forget();
      dueAtMs = performance.now();
      timer = setTimeout(begin, idleMs);
    },
    comeFirst: async () => {
      if (timer)
        await pause(Math.max(0, dueAtMs + shownMs - performance.now()));
      if (timer) begin();
      // Recovering a hung stage is the watchdog's task; the next showing must not hang with it.
      if (underway) await Promise.race([underway, pause(maxMs)]);
    },
    stop: forget,
  };
}

// Collects this process's garbage on request: left alone, V8 waits until there is much of it.

/** Takes a few hundredths of a second, during which this process does nothing else. */
function createCollector(): () => void {
  v8.setFlagsFromString("--expose-gc");
  return vm.runInNewContext("gc") as () => void;
}
