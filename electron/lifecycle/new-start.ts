// A new start that is asked for, out of safe mode or by a service: the watcher's business where there is one, else our own.

import { spawn } from "node:child_process";
import { app } from "electron";
import type { Config } from "../config.ts";
import { startAgain } from "./exit-codes.ts";

/** Answers the exit code that belongs to it; this run is to end now. */
export function requestRestart(config: Config): number {
  if (isWatched(config)) return startAgain;
  if (config.appImage === undefined) app.relaunch();
  else startWhenGone(config.appImage);
  return 0;
}

/** What systemd started goes with us to the last child: whoever we left behind to start us again would, too. */
export function isWatched({
  notifySocket,
  supervisor,
  heartbeat,
}: Config): boolean {
  return [notifySocket, supervisor, heartbeat].some((by) => by !== undefined);
}

/**
 * Electron would leave a helper of its own to wait for our end, whatever it is to start: out of an AppImage, whose
 * files go with us. The shell is the system's, and waits for the end of a pipe that nobody else holds.
 */
function startWhenGone(program: string): void {
  const words = [program, ...process.argv.slice(1)];
  spawn("/bin/sh", ["-c", 'read -r _; exec "$@" </dev/null', "sh", ...words], {
    ...{ detached: true, stdio: ["pipe", "ignore", "ignore"] },
  }).unref();
}
