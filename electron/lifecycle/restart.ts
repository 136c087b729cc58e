// Restarts the app on request, out of safe mode or by a service: done by the supervisor where there is one, else by the app
// itself.

import { spawn } from "node:child_process";
import { app } from "electron";
import type { Config } from "../config.ts";
import { startAgain } from "./exit-codes.ts";

/** Returns the exit code for it; the caller ends this run now. */
export function requestRestart(config: Config): number {
  if (isWatched(config)) return startAgain;
  if (config.appImage === undefined) app.relaunch();
  else startWhenGone(config.appImage);
  return 0;
}

/** What systemd started ends with all its children: a process left behind to restart the app would end, too. */
export function isWatched({
  notifySocket,
  supervisor,
  heartbeat,
}: Config): boolean {
  return [notifySocket, supervisor, heartbeat].some((by) => by !== undefined);
}

/**
 * Electron's relaunch would leave a helper process waiting for this one to end, which runs from the AppImage whose files
 * disappear with this process. The shell is the system's, and waits for the end of a pipe that no other process holds.
 */
function startWhenGone(program: string): void {
  const words = [program, ...process.argv.slice(1)];
  spawn("/bin/sh", ["-c", 'read -r _; exec "$@" </dev/null', "sh", ...words], {
    ...{ detached: true, stdio: ["pipe", "ignore", "ignore"] },
  }).unref();
}
