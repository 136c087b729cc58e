// The processes by which Chromium launches all others on Linux (zygotes): one that is stopped holds up the main process itself, so a thread looks after them (V2-674).

import { Worker } from "node:worker_threads";
import type { Log } from "../../server/platform/log.ts";
import { endProcess } from "./end-process.ts";
import type { LauncherMessage } from "./launcher-thread.ts";

export interface LaunchersOptions {
  /** What was under way may have waited for one of them: it is not to blame. */
  readonly onHeldUp: () => void;
  /** Nothing can be launched any more, until the whole is started anew. */
  readonly onLost: () => void;
  readonly log: Log;
}

let launchers: readonly number[] = [];

/** From now on, until what is answered is called. */
export function watchLaunchers(options: LaunchersOptions): () => void {
  const { onHeldUp, onLost, log } = options;
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
    onHeldUp();
    if (act === "lost") onLost();
  });
  // Everything is shown without it, as long as nobody stops one.
  thread.on("error", (error) => log.error("app.bug-met", { error }));
  return () => {
    isStopped = true;
    thread
      .terminate()
      .catch((error: unknown) => log.error("app.bug-met", { error }));
  };
}

/** At the very end: one that is stopped would not notice that we are gone (V2-651). */
export function endLaunchers(): void {
  for (const pid of launchers) endProcess(pid);
}
