// GPU process watchdog: requests a screenshot of one pixel periodically, kills the process when it hangs, and switches to
// software rendering when it keeps ending.

import { app } from "electron";
import type { Log } from "../../server/platform/log.ts";
import { atMoment } from "../../server/platform/shared-timer.ts";
import { endProcess } from "./end-process.ts";
import {
  firstGraphics,
  isSilent,
  nextTickMs,
  stepGraphics,
  type GraphicsEffect,
  type GraphicsEvent,
} from "./graphics-watchdog-policy.ts";

export interface GraphicsOptions {
  /** Software rendering is already in use. */
  readonly isSoft: boolean;
  /** Whether something is meant to be drawn now. */
  readonly isDrawn: () => boolean;
  /** What is drawn stays as it is. */
  readonly isStill: () => boolean;
  /** Captures one pixel of what is drawn; resolves with whether there was any. */
  readonly capture: () => Promise<boolean>;
  /** Use software rendering from the next start on, which is due now. */
  readonly soften: (reason: string) => void;
  /** The GPU process has ended: what was late or blank before is not at fault. It last worked at this monotonic moment. */
  readonly onLost: (workedMs: number) => void;
  readonly log: Log;
}

export interface Graphics {
  /** Graphics are about to be used. */
  due(): void;
  /** Something else is shown: a moving showing is pinged more often than one that holds still. */
  changed(): void;
  /** Nothing can be drawn now: whatever is late is not at fault. */
  isSilent(): boolean;
  stop(): void;
}

/** Whatever is due, not earlier than this after the previous time. */
const minTickMs = 100;
/** A view that has never been drawn returns an empty screenshot at once, whatever the state of the GPU process (V2-669). */
const againMs = 250;

export function watchGraphics(options: GraphicsOptions): Graphics {
  const { isSoft, isDrawn, isStill, capture, soften, log } = options;
  let state = firstGraphics(performance.now(), isSoft);

  let stopWaiting = (): void => undefined;
  let isStopped = false;

  /** Woken when there is something to do, and not in between: a still image must cost as little as possible. */
  function plan(): void {
    if (isStopped) return;
    stopWaiting();
    const dueMs = Math.max(
      nextTickMs(state, isStill()),
      performance.now() + minTickMs,
    );
    stopWaiting = atMoment(dueMs, state.pingedMs !== null, (nowMs) =>
      receive({ kind: "tick", isDrawn: isDrawn(), isStill: isStill() }, nowMs),
    );
  }

  function receive(event: GraphicsEvent, nowMs = performance.now()): void {
    const step = stepGraphics(state, event, nowMs);
    state = step.state;
    plan();
    for (const effect of step.effects) carryOut(effect);
  }

  function carryOut(effect: GraphicsEffect): void {
    switch (effect.kind) {
      case "ping": {
        const { question } = effect;
        // A view that was closed rejects its pending capture.
        const answered = (): void => receive({ kind: "answered", question });
        const ping = (): void => {
          if (isStopped || state.question !== question) return;
          void capture().then((hasImage) => {
            if (hasImage) answered();
            else setTimeout(ping, againMs);
          }, answered);
        };
        return ping();
      }
      case "kill": {
        log.error("graphics.unresponsive");
        const [pid] = app
          .getAppMetrics()
          .filter(({ type }) => type === "GPU")
          .map((each) => each.pid);
        if (pid !== undefined) endProcess(pid);
        return;
      }
      case "lost": {
        const { reason, losses, workedMs } = effect;
        log.error("graphics.lost", { reason, losses });
        return options.onLost(workedMs);
      }
      case "soften":
        return soften(
          `The graphics process crashed ${effect.losses} times within a minute. Rendering falls back to software.`,
        );
    }
  }

  const onGone = (
    _event: unknown,
    { type, reason }: { readonly type: string; readonly reason: string },
  ): void => {
    if (type === "GPU") receive({ kind: "gone", reason });
  };
  app.on("child-process-gone", onGone);
  plan();
  return {
    due: () => {
      if (isDrawn()) receive({ kind: "due" });
    },
    changed: plan,
    isSilent: () => isSilent(state, performance.now()),
    stop: () => {
      isStopped = true;
      stopWaiting();
      app.off("child-process-gone", onGone);
    },
  };
}
