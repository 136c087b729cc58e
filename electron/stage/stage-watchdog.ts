// Stage watchdog: recovers a crashed, hung or failed stage within a time limit; the screen is never white meanwhile.

import type { WebContents } from "electron";
import type { Log } from "../../server/platform/log.ts";
import { atMoment } from "../../server/platform/shared-timer.ts";
import type { StageLoss } from "../../server/player/player.ts";
import { endProcess } from "../chromium/end-process.ts";
import {
  firstWatch,
  isAtRest,
  isSilent,
  nextTickMs,
  stepWatch,
  defaultTimes,
  type StageEffect,
  type StageEvent,
  type StageTimes,
} from "./stage-watchdog-policy.ts";

export interface Watchdog {
  /** Watches these contents, which are about to load their page; the previous ones are no longer watched. */
  watch(contents: WebContents): void;
  /** The page of those contents is running. */
  started(): void;
  /** The stage is about to be used. */
  due(): void;
  /** Something else is shown: a moving showing is pinged more often than one that holds still. */
  changed(): void;
  /** It does not respond now: deadlines missed meanwhile are not the showing's fault. */
  isSilent(): boolean;
  /** Calls back once it responds; never, when it is lost before. */
  whenItAnswers(act: () => void): void;
  stop(): void;
}

export interface WatchdogOptions {
  /** Reloads the page in the same view. */
  readonly reload: () => void;
  /** Replaces the old view with a new one. */
  readonly replace: () => void;
  /** The stage is lost; called once per loss, before reload or replace. */
  readonly onLost: (loss: StageLoss) => void;
  /** No stage starts any more, however often one is launched. */
  readonly onUnrecoverable: () => void;
  /** What is shown holds still. */
  readonly isStill?: () => boolean;
  readonly log: Log;
  readonly times?: StageTimes;
  readonly end?: (pid: number) => void;
}

/** Isolated from the page's own scripts. */
const pulseWorld = 998;
const aborted = -3;

export function createWatchdog(options: WatchdogOptions): Watchdog {
  const { log, times = defaultTimes, end = endProcess } = options;
  const { isStill = () => false } = options;
  const restTimes = { ...times, pingIntervalMs: times.restIntervalMs };
  const timesNow = (): StageTimes => (isStill() ? restTimes : times);
  let watched: WebContents | null = null;
  let state = firstWatch(performance.now());
  let stopWaiting = (): void => undefined;
  let waiting: (() => void)[] = [];
  let isStopped = false;

  function receive(event: StageEvent, nowMs = performance.now()): void {
    if (isStopped) return;
    const before = state;
    const step = stepWatch(state, event, nowMs, timesNow());
    state = step.state;
    plan();
    for (const effect of step.effects) carryOut(effect);
    // An answer to an earlier ping changes nothing.
    if (event.kind !== "answered" || state === before) return;
    const acts = waiting;
    waiting = [];
    for (const act of acts) act();
  }

  function plan(): void {
    stopWaiting();
    // The next ping may be sent a little sooner or later; a deadline is exact.
    const isDeadline = !isAtRest(state);
    stopWaiting = atMoment(nextTickMs(state, timesNow()), isDeadline, (nowMs) =>
      receive({ kind: "tick" }, nowMs),
    );
  }

  function carryOut(effect: StageEffect): void {
    switch (effect.kind) {
      case "ping":
        return ping(effect.question);
      case "kill":
        return kill();
      case "lost": {
        const { reason, losses } = effect;
        log.error("stage.lost", { reason, losses });
        waiting = [];
        return options.onLost(effect.isSilent ? "silent" : "gone");
      }
      case "reload":
        return options.reload();
      case "replace":
        return options.replace();
      case "hopeless":
        log.error("stage.recovery-failed", { launches: effect.launches });
        return options.onUnrecoverable();
    }
  }

  function ping(question: number): void {
    if (!watched || watched.isDestroyed()) return;
    // Rejects when it was reloaded or closed meanwhile; other events report that.
    const answered = (): void => receive({ kind: "answered", question });
    watched
      .executeJavaScriptInIsolatedWorld(pulseWorld, [{ code: "1" }])
      .then(answered, answered);
  }

  function kill(): void {
    // 0 while it has no process, and killing 0 would end this process and all its children.
    const pid = watched?.isDestroyed() === false ? watched.getOSProcessId() : 0;
    if (pid > 0) end(pid);
  }

  return {
    watch: (contents) => {
      watched = contents;
      const own = (event: StageEvent): void => {
        if (contents === watched) receive(event);
      };
      contents.on("render-process-gone", (_event, { reason }) =>
        own({ kind: "gone", reason }),
      );
      contents.on("unresponsive", () => own({ kind: "unresponsive" }));
      contents.on(
        "did-fail-load",
        (_event, code, reason, _url, isMainFrame) => {
          if (isMainFrame && code !== aborted) own({ kind: "gone", reason });
        },
      );
      // The first launch may never emit an event.
      receive({ kind: "tick" });
    },
    started: () => receive({ kind: "started" }),
    due: () => receive({ kind: "due" }),
    changed: () => {
      if (!isStopped) plan();
    },
    isSilent: () => isSilent(state, performance.now()),
    whenItAnswers: (act) => {
      waiting.push(act);
      receive({ kind: "due" });
    },
    stop: () => {
      isStopped = true;
      stopWaiting();
    },
  };
}
