// The processes by which Chromium launches all others on Linux (zygotes): a stopped one blocks the main process itself, so a thread
// watches them (V2-674).

import { Worker } from "node:worker_threads";
import type { Log } from "../../server/platform/log.ts";
import { endProcess } from "./end-process.ts";
import type { LauncherMessage } from "./launcher-thread.ts";

export interface LaunchersOptions {
  /** Operations in progress may have waited for one of them: they are not at fault. */
  readonly onBlocked: () => void;
  /** Nothing can be launched any more, until the whole app is restarted. */
  readonly onLost: () => void;
  readonly log: Log;
}

let launchers: readonly number[] = [];

/** Starts watching; the returned function stops it. */
export function watchLaunchers(options: LaunchersOptions): () => void {
  const { onBlocked, onLost, log } = options;
  // Elsewhere the system launches them.
  if (process.platform !== "linux") return () => undefined;
  const thread = new Worker(new URL("./launcher-thread.ts", import.meta.url));
  thread.unref();
  let isStopped = false;
  thread.on("message", (message: LauncherMessage) => {
    if (isStopped) return;
    if ("launchers" in message) {
      ({ launchers } = message);
      return;
    }
    const { pid, act } = message;
    log.error(act === "lost" ? "launcher.lost" : "launcher.stopped", {
      ...{ pid, act },
    });
    onBlocked();
    if (act === "lost") onLost();
  });
  // Everything is shown without this thread, as long as no launcher is stopped.
  thread.on("error", (error) => log.error("app.internal-error", { error }));
  return () => {
    isStopped = true;
    thread
      .terminate()
      .catch((error: unknown) => log.error("app.internal-error", { error }));
  };
}

/** At the very end: a stopped launcher would not notice that the app has ended (V2-651). */
export function endLaunchers(): void {
  for (const pid of launchers) endProcess(pid);
}
