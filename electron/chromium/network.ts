// Network process watchdog: pings the process periodically while it is needed, and kills it when it hangs (V2-663).

import { app, session } from "electron";
import type { Log } from "../../server/platform/log.ts";
import { atMoment } from "../../server/platform/shared-timer.ts";
import { endProcess } from "./end-process.ts";
import {
  firstNetwork,
  nextTickMs,
  stepNetwork,
  type NetworkEffect,
  type NetworkEvent,
} from "./network-watch.ts";

export interface NetworkOptions {
  /** Whether what is shown or prepared loads from the network. */
  readonly isNeeded: () => boolean;
  /** The network process has ended: what could not be loaded before is not at fault. */
  readonly onLost: () => void;
  readonly log: Log;
}

export interface Network {
  /** Something is about to be loaded. */
  due(): void;
  stop(): void;
}

/** Service name in Electron's process metrics. */
const service = "network.mojom.NetworkService";
/** Whatever is due, not earlier than this after the previous time. */
const minTickMs = 100;

export function watchNetwork(options: NetworkOptions): Network {
  const { isNeeded, onLost, log } = options;
  let state = firstNetwork(performance.now());
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

  function receive(event: NetworkEvent, nowMs = performance.now()): void {
    const step = stepNetwork(state, event, nowMs);
    state = step.state;
    plan();
    for (const effect of step.effects) carryOut(effect);
  }

  function carryOut(effect: NetworkEffect): void {
    switch (effect.kind) {
      case "ping": {
        const { question } = effect;
        // Rejects when the process has ended meanwhile.
        const answered = (): void => receive({ kind: "answered", question });
        // An IP address resolves to itself, but still only through that process: nothing is sent to the network.
        void session.defaultSession
          .resolveHost("127.0.0.1")
          .then(answered, answered);
        return;
      }
      case "kill": {
        log.error("network.unresponsive");
        const networkProcess = app
          .getAppMetrics()
          .find(({ serviceName }) => serviceName === service);
        if (networkProcess) endProcess(networkProcess.pid);
        return;
      }
      case "lost":
        log.error("network.lost", { reason: effect.reason });
        return onLost();
    }
  }

  const stopListening = onNetworkLost((reason) =>
    receive({ kind: "gone", reason }),
  );
  return {
    due: () => receive({ kind: "due" }),
    stop: () => {
      isStopped = true;
      stopWaiting();
      stopListening();
    },
  };
}

/** Until then Chromium may still hold on to the process that has ended. */
const newOneMs = 500;
const listeners = new Set<(reason: string) => void>();

/** Calls back whenever the process has ended and its successor can be used; the returned function unsubscribes. */
export function onNetworkLost(listener: (reason: string) => void): () => void {
  if (listeners.size === 0) app.on("child-process-gone", onGone);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) app.off("child-process-gone", onGone);
  };
}

function onGone(
  _event: unknown,
  { serviceName, reason }: Electron.Details,
): void {
  if (serviceName !== service) return;
  setTimeout(() => {
    for (const listener of [...listeners]) listener(reason);
  }, newOneMs);
}
