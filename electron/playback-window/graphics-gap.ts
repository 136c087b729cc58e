// Fills the gap while the graphics process or the stage restarts with the last frame that was verified.

import { setTimeout as pause } from "node:timers/promises";
import type { LastFrame } from "../x11/x11-last-frame.ts";

export interface GraphicsGapOptions {
  readonly frame: LastFrame;
  /** Whether the graphics process draws the showing on the screen again. */
  readonly isDrawn: () => Promise<boolean>;
  /** The graphics process is back, or takes too long: from now on the window shows what is drawn. */
  readonly onOver: () => void;
}

/** Once there is a stage again, something is shown on it, which ends the cover by itself. */
export type LostProcess = "graphics" | "stage";

export interface GraphicsGap {
  /** The screen shows this showing as it should. */
  verified(showingId: string): void;
  /** Something else is on the screen, or above it: the kept frame is of no use any more. */
  changed(): void;
  /** The graphics process, or the stage, has ended while this showing was on the screen. */
  lost(what: LostProcess, showingId: string | undefined): Promise<void>;
  /** Whether the kept frame is on the screen. */
  isCovered(): boolean;
  stop(): void;
}

/** A copy of the window takes the X server a few milliseconds. */
const keepEveryMs = 4000;
const pollMs = 100;
/** What a view has drawn is on the screen a few frames later. */
const presentedMs = 150;
/** A graphics process starts within seconds, also on a busy machine; if it does not, the window has to be recovered. */
const maxCoveredMs = 8000;

export function createGraphicsGap(options: GraphicsGapOptions): GraphicsGap {
  const { frame, isDrawn, onOver } = options;
  let kept: { readonly showingId: string; readonly atMs: number } | null = null;
  let cover: object | null = null;
  let isStopped = false;
  /** The graphics process was among what was lost. */
  let areGraphicsLost = false;

  async function fill(what: LostProcess, mine: object): Promise<void> {
    if (!(await frame.cover())) return;
    const until = performance.now() + maxCoveredMs;
    while (cover === mine && !isStopped && performance.now() < until) {
      if (what === "graphics" && (await isDrawn().catch(() => false))) {
        await pause(presentedMs);
        break;
      }
      await pause(pollMs);
    }
    if (cover === mine) await frame.uncover();
  }

  return {
    verified: (showingId) => {
      const now = performance.now();
      if (cover) return;
      if (kept?.showingId === showingId && now - kept.atMs < keepEveryMs)
        return;
      kept = { showingId, atMs: now };
      frame.keep().catch(() => undefined);
    },
    changed: () => {
      if (!kept) return;
      kept = null;
      if (cover) frame.uncover().catch(() => undefined);
      cover = null;
      frame.forget().catch(() => undefined);
    },
    lost: async (what, showingId) => {
      const mine = {};
      areGraphicsLost ||= what === "graphics";
      if (kept && kept.showingId === showingId) {
        cover = mine;
        await fill(what, mine);
        // One cover lasts until the last of several losses in a row. Whatever ended it, the window has to be checked (V2-650).
        if (cover !== null && cover !== mine) return;
        cover = null;
      }
      if (!areGraphicsLost || isStopped) return;
      areGraphicsLost = false;
      onOver();
    },
    isCovered: () => cover !== null,
    stop: () => {
      isStopped = true;
      frame.close();
    },
  };
}
