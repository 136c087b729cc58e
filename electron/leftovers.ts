// What Chromium keeps of pictures that have gone from the glass is let go of before it is much, and what this process is done with.

import type { Size, WebContents } from "electron";
import type { Log } from "../server/platform/log.ts";
import { createCollector } from "./own-garbage.ts";

export interface Leftovers {
  /** A picture has come onto a glass of so many dots. */
  add(dots: Size): void;
  stop(): void;
}

export interface LeftoversOptions {
  /** Of the stage. */
  readonly contents: () => WebContents;
  readonly log: Log;
}

/**
 * To the compositor nearly every showing is another picture, the same file's second one, too; each it unpacks as large as it
 * is seen, and keeps it for a next time that never comes, up to half a gigabyte.
 */
const mostBytes = 96 * 1024 * 1024;
/** The change is over by then, and the next one not yet near. */
const calmMs = 400;

export function createLeftovers({
  contents,
  log,
}: LeftoversOptions): Leftovers {
  const collectOwn = createCollector();
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;

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
      await wire.sendCommand("Memory.simulatePressureNotification", {
        level: "critical",
      });
      await wire.sendCommand("HeapProfiler.collectGarbage");
    } catch (error) {
      log.warn("glass.leftovers-stay", { error });
    } finally {
      if (wire.isAttached()) wire.detach();
    }
  }

  return {
    add: ({ width, height }) => {
      bytes += width * height * 4;
      if (bytes < mostBytes) return;
      bytes = 0;
      clearTimeout(timer);
      timer = setTimeout(() => {
        collectOwn();
        void letGo();
      }, calmMs);
    },
    stop: () => clearTimeout(timer),
  };
}
