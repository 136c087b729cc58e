// A crashed, hung or failed stage is brought back within bounds; the glass stays black meanwhile, never white.

import type { WebContents } from "electron";
import type { Log } from "../server/platform/log.ts";

export interface Watchdog {
  /** Keeps an eye on these contents, until they are gone for good. */
  watch(contents: WebContents): void;
  stop(): void;
}

export interface WatchdogOptions {
  /** Loads the page anew in the same view. */
  readonly reload: () => void;
  /** Puts a new view in the place of the old. */
  readonly replace: () => void;
  /** The stage can no longer be counted on; called once per loss, before reload or replace. */
  readonly onLost: () => void;
  readonly log: Log;
}

/** A stage lost more often than this inside the window is not helped by loading it once more. */
const mostReloads = 3;
const windowMs = 60_000;
/** With a new view each time, never faster than this: a machine in trouble needs air. */
const replacePauseMs = 2000;
/** A living page answers within milliseconds; decoding a huge picture may take seconds. */
const pulseEveryMs = 5000;
const pulseDeadlineMs = 15_000;
/** Isolated from the page's own scripts. */
const pulseWorld = 998;

export function createWatchdog(options: WatchdogOptions): Watchdog {
  const { reload, replace, onLost, log } = options;
  let watched: WebContents | null = null;
  let losses: number[] = [];
  let recovery: NodeJS.Timeout | undefined;
  let isStopped = false;
  const pulse = setInterval(() => void feelPulse(), pulseEveryMs);

  function lost(contents: WebContents, reason: string): void {
    if (isStopped || contents !== watched || recovery) return;
    const now = performance.now();
    losses = [...losses.filter((at) => now - at < windowMs), now];
    const isHopeless = losses.length > mostReloads;
    log.error("stage.lost", { reason, losses: losses.length });
    onLost();
    recovery = setTimeout(
      () => {
        recovery = undefined;
        if (isHopeless) replace();
        else reload();
      },
      isHopeless ? replacePauseMs * (losses.length - mostReloads) : 0,
    );
  }

  async function feelPulse(): Promise<void> {
    const contents = watched;
    if (!contents || contents.isDestroyed() || contents.isLoading() || recovery)
      return;
    const deadline = setTimeout(() => kill(contents), pulseDeadlineMs);
    try {
      await contents.executeJavaScriptInIsolatedWorld(pulseWorld, [
        { code: "1" },
      ]);
    } catch {
      // Loaded anew or gone in between; what that means is heard elsewhere.
    }
    clearTimeout(deadline);
  }

  /** A hung page answers no reload: its process has to go first. */
  function kill(contents: WebContents): void {
    if (contents.isDestroyed() || contents !== watched || recovery) return;
    contents.forcefullyCrashRenderer();
    lost(contents, "It no longer answers.");
  }

  return {
    watch: (contents) => {
      watched = contents;
      contents.on("render-process-gone", (_event, { reason }) =>
        lost(contents, reason),
      );
      contents.on("unresponsive", () => kill(contents));
      contents.on(
        "did-fail-load",
        (_event, _code, description, _url, isMainFrame) => {
          if (isMainFrame) lost(contents, description);
        },
      );
    },
    stop: () => {
      isStopped = true;
      clearInterval(pulse);
      clearTimeout(recovery);
    },
  };
}
