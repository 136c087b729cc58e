// Watchdog of a process that serves the others (network, audio): pings it periodically while it is needed, and kills it when it
// hangs.

import { app } from "electron";
import { atMoment } from "../../server/platform/shared-timer.ts";
import { endProcess } from "./end-process.ts";
import {
  firstService,
  nextTickMs,
  stepService,
  type ServiceEffect,
  type ServiceEvent,
} from "./service-watchdog-policy.ts";

export interface ServiceOptions {
  /** Names in Electron's process metrics of what is killed: the process itself, and others that keep a ping from being answered. */
  readonly names: readonly string[];
  /** Whether what is shown or prepared uses it. */
  readonly isNeeded: () => boolean;
  /** Settles once the process has responded, or is gone. */
  readonly ping: () => Promise<unknown>;
  readonly onUnresponsive: () => void;
  /** It has ended: what failed before is not at fault. */
  readonly onLost: (reason: string) => void;
}

export interface Service {
  /** Something that uses it is about to be loaded. */
  due(): void;
  /** Something else is shown or prepared. */
  changed(): void;
  /** It has ended. */
  gone(reason: string): void;
  stop(): void;
}

/** Whatever is due, not earlier than this after the previous time. */
const minTickMs = 100;

export function watchService(options: ServiceOptions): Service {
  const { names, isNeeded, ping, onUnresponsive, onLost } = options;
  let state = firstService(performance.now());
  let stopWaiting = (): void => undefined;
  let isStopped = false;

  /** Woken while it is needed or pinged, and not otherwise: a still image must cost as little as possible. */
  function plan(): void {
    stopWaiting();
    const nextMs = nextTickMs(state, isNeeded());
    if (isStopped || nextMs === null) return;
    const dueMs = Math.max(nextMs, performance.now() + minTickMs);
    stopWaiting = atMoment(dueMs, state.pingedMs !== null, (nowMs) =>
      receive({ kind: "tick", isNeeded: isNeeded() }, nowMs),
    );
  }

  function receive(event: ServiceEvent, nowMs = performance.now()): void {
    const step = stepService(state, event, nowMs);
    state = step.state;
    plan();
    for (const effect of step.effects) carryOut(effect);
  }

  function carryOut(effect: ServiceEffect): void {
    switch (effect.kind) {
      case "ping": {
        const { question } = effect;
        const answered = (): void => receive({ kind: "answered", question });
        void ping().then(answered, answered);
        return;
      }
      case "kill":
        onUnresponsive();
        for (const { pid, serviceName } of app.getAppMetrics())
          if (names.includes(serviceName ?? "")) endProcess(pid);
        return;
      case "lost":
        return onLost(effect.reason);
    }
  }

  return {
    due: () => receive({ kind: "due" }),
    changed: plan,
    gone: (reason) => receive({ kind: "gone", reason }),
    stop: () => {
      isStopped = true;
      stopWaiting();
    },
  };
}
