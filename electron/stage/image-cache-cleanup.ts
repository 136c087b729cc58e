// What Chromium keeps of pictures that have gone from the glass is let go of before it is much, and what this process is done with.

import v8 from "node:v8";
import vm from "node:vm";
import { setTimeout as pause } from "node:timers/promises";
import type { Size, WebContents } from "electron";
import type { Log } from "../../server/platform/log.ts";

export interface ImageCacheCleanup {
  /** A picture has come onto a glass of this size, with so many dots to its pixel each way. */
  add(screenSize: Size, scaleFactor?: number): void;
  /** Before something is made ready: what is due goes now, and not later together with that. */
  comeFirst(): Promise<void>;
  stop(): void;
}

export interface ImageCacheCleanupOptions {
  /** Of the stage. */
  readonly contents: () => WebContents;
  readonly log: Log;
}

/**
 * To the compositor nearly every showing is another picture, the same file's second one, too; each it unpacks as large as it
 * is seen, and keeps it for a next time that never comes, up to half a gigabyte.
 */
const maxBytes = 96 * 1024 * 1024;
/** The change is over by then, a fade too, and the next one not yet near. */
const idleMs = 400;
/** The picture that has come is on the glass by then, and what gave way to it is gone. */
const shownMs = 50;
/** It takes a tenth of this. */
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
   * Told that memory is short, Chromium gives up what it could make again; nothing else makes it do so. What scripts have
   * done with is small, and what hangs by it is not: left alone, it is collected when it has become much.
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
      // Both processes at the same time: nobody is to wait for one after the other.
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
      // A stage that hangs is another's to bring back; what comes next is not to hang with it.
      if (underway) await Promise.race([underway, pause(maxMs)]);
    },
    stop: forget,
  };
}

// What this process has done with, collected when it is told to: left alone, it waits until there is much of it.

/** Takes a few hundredths of a second, in which nothing else happens here. */
function createCollector(): () => void {
  v8.setFlagsFromString("--expose-gc");
  return vm.runInNewContext("gc") as () => void;
}
