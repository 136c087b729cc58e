// Network process watchdog: pings the process periodically while it is needed, and kills it when it hangs (V2-663).

import { app, session } from "electron";
import type { Log } from "../../server/platform/log.ts";
import { watchService, type Service } from "./service-watchdog.ts";

export interface NetworkOptions {
  /** Whether what is shown or prepared loads from the network. */
  readonly isNeeded: () => boolean;
  /** The network process has ended: what could not be loaded before is not at fault. */
  readonly onLost: () => void;
  readonly log: Log;
}

export type Network = Omit<Service, "gone">;

/** Service name in Electron's process metrics. */
const service = "network.mojom.NetworkService";

export function watchNetwork({
  isNeeded,
  onLost,
  log,
}: NetworkOptions): Network {
  const watch = watchService({
    names: [service],
    isNeeded,
    // An IP address resolves to itself, but still only through that process: nothing is sent to the network.
    ping: () => session.defaultSession.resolveHost("127.0.0.1"),
    onUnresponsive: () => log.error("network.unresponsive"),
    onLost: (reason) => {
      log.error("network.lost", { reason });
      onLost();
    },
  });
  const stopListening = onNetworkLost(watch.gone);
  return {
    ...{ due: watch.due, changed: watch.changed },
    stop: () => {
      watch.stop();
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
