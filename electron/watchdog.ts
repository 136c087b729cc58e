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
  readonly pulse?: Pulse;
}

interface Pulse {
  readonly everyMs: number;
  readonly deadlineMs: number;
}

/** A stage lost more often than this inside the window is not helped by loading it once more. */
const mostReloads = 3;
const windowMs = 60_000;
/** With a new view each time, never faster than this: a machine in trouble needs air. */
const replacePauseMs = 2000;
/** A living page answers within milliseconds; decoding a huge picture may take seconds. */
const usualPulse: Pulse = { everyMs: 5000, deadlineMs: 15_000 };
/** A process that was told to go is gone by then, its report of how it crashed written; one that was gone before says nothing. */
const goneMs = 2000;
/** Isolated from the page's own scripts. */
const pulseWorld = 998;

export function createWatchdog(options: WatchdogOptions): Watchdog {
  const { reload, replace, onLost, log, pulse = usualPulse } = options;
  let watched: WebContents | null = null;
  let losses: number[] = [];
  let recovery: NodeJS.Timeout | undefined;
  /** Until the question under way is answered: asked twice, a page that hung once is killed twice. */
  let asking: NodeJS.Timeout | undefined;
  /** Until the process that was told to go is gone. */
  let killing: NodeJS.Timeout | undefined;
  let isStopped = false;
  const beat = setInterval(feelPulse, pulse.everyMs);

  function lost(contents: WebContents, reason: string): void {
    if (isStopped || contents !== watched || recovery) return;
    calm();
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

  function feelPulse(): void {
    const contents = watched;
    if (!contents || contents.isDestroyed() || contents.isLoading()) return;
    if (asking ?? killing ?? recovery) return;
    const mine = setTimeout(() => kill(contents), pulse.deadlineMs);
    asking = mine;
    // Loaded anew or gone in between: what that means is heard elsewhere.
    const answered = (): void => {
      if (asking === mine) calm();
    };
    contents
      .executeJavaScriptInIsolatedWorld(pulseWorld, [{ code: "1" }])
      .then(answered, answered);
  }

  function calm(): void {
    clearTimeout(asking);
    clearTimeout(killing);
    asking = killing = undefined;
  }

  /** A hung page answers no reload: its process has to go first, and is lost once, when it has gone. */
  function kill(contents: WebContents): void {
    if (contents.isDestroyed() || contents !== watched || recovery || killing)
      return;
    calm();
    killing = setTimeout(() => lost(contents, silent), goneMs);
    contents.forcefullyCrashRenderer();
  }

  return {
    watch: (contents) => {
      watched = contents;
      calm();
      contents.on("render-process-gone", (_event, { reason }) =>
        lost(contents, killing ? silent : reason),
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
      clearInterval(beat);
      clearTimeout(recovery);
      calm();
    },
  };
}

const silent = "It no longer answers.";
