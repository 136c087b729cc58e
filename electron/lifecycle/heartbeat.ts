// Heartbeat for an external watchdog: systemd, or the supervisor where there is none.

import { spawn } from "node:child_process";
import { writeFile, writeFileSync } from "node:fs";
import type { Config } from "../config.ts";
import { everyAbout, everySecond } from "../../server/platform/shared-timer.ts";
import { isAlive } from "./process-alive.ts";
import { createServiceNotify } from "./service-notify.ts";

export interface Heartbeat {
  /** The interface listens. */
  ready(status: string): void;
  /** From now on a showing has to be on the screen: after a minute without one the heartbeat stops (V2-462). */
  expectShowing(isShowing: () => boolean): void;
  /** Ended on request; must not be restarted, unless it asks for that. */
  ended(isRestartWanted: boolean): void;
}

/** A stage recovers long before; so do a display and a store. */
const longestWithoutMs = 60_000;

export interface ScreenLiveness extends Pick<Heartbeat, "expectShowing"> {
  /** Called periodically. */
  isAlive(): boolean;
}

/** `now`: monotonic milliseconds. */
export function createScreenLiveness(now: () => number): ScreenLiveness {
  let isShowing = (): boolean => true;
  let shownMs = now();
  return {
    expectShowing: (next) => {
      isShowing = next;
      shownMs = now();
    },
    isAlive: () => {
      if (isShowing()) shownMs = now();
      return now() - shownMs <= longestWithoutMs;
    },
  };
}

/** Sends the heartbeat from now on, as long as the main process's event loop runs. */
export function startHeartbeat(
  config: Pick<
    Config,
    "notifySocket" | "heartbeat" | "supervisor" | "supervisorProgram"
  >,
): Heartbeat {
  const { notifySocket, heartbeat } = config;
  const systemd = notifySocket ? createServiceNotify(notifySocket) : null;
  let beat = 0;
  let isBusy = false;
  let lastWord: string | null = null;
  const screen = createScreenLiveness(() => performance.now());

  function live(): void {
    // Without a heartbeat, the external watchdog ends the whole app and restarts it.
    if (!screen.isAlive()) return;
    beat += 1;
    systemd?.notify("WATCHDOG=1");
    if (heartbeat === undefined || isBusy) return;
    isBusy = true;
    // Overwritten in place: the supervisor's folder may not allow new files.
    writeFile(heartbeat, `${beat}\n`, () => {
      isBusy = false;
      // It was still being written when the final word was, and may have overwritten it.
      if (lastWord !== null) writeNow(heartbeat, lastWord);
    });
  }

  live();
  const isWatched = systemd !== null || heartbeat !== undefined;
  const stopBeating = isWatched ? everySecond(live) : undefined;
  const stopKeeping = keepSupervisor(config);
  return {
    ready: (status) => systemd?.notify("READY=1", `STATUS=${status}`),
    expectShowing: screen.expectShowing,
    ended: (isRestartWanted) => {
      stopBeating?.();
      stopKeeping();
      systemd?.notify("STOPPING=1");
      systemd?.stop();
      if (heartbeat === undefined) return;
      // A supervisor that adopted this player never receives its exit code.
      lastWord = isRestartWanted ? "again\n" : "ended\n";
      writeNow(heartbeat, lastWord);
    },
  };
}

/** Heartbeat of a process whose event loop is blocked by work in progress. */
export function beatWhileBusy({ heartbeat }: Pick<Config, "heartbeat">): void {
  if (heartbeat !== undefined)
    writeNow(heartbeat, `busy ${performance.now()}\n`);
}

function writeNow(heartbeat: string, text: string): void {
  try {
    writeFileSync(heartbeat, text);
  } catch {
    // The supervisor is gone, and its file with it.
  }
}

/** A supervisor that was killed is replaced by a new one that adopts this player. */
function keepSupervisor(
  config: Pick<Config, "supervisor" | "supervisorProgram">,
): () => void {
  const { supervisor, supervisorProgram } = config;
  if (supervisor === undefined || supervisorProgram === undefined)
    return () => undefined;
  // The supervisor that started this process is its parent as long as it lives; of one started here, the exit event is received.
  let isThere = (): boolean => isParent(supervisor);
  return everyAbout(supervisorCheckIntervalMs, () => {
    if (isThere()) return;
    const [program = process.execPath, ...flags] = [
      process.execPath,
      ...process.argv.slice(1),
    ];
    const next = spawn(
      supervisorProgram,
      ["--adopt", String(process.pid), program, ...flags],
      { detached: true, stdio: "ignore" },
    );
    let lives = true;
    next.on("error", () => (lives = false));
    next.on("exit", () => (lives = false));
    next.unref();
    isThere = () => lives;
  });
}

/** Linux gives an orphan another parent; on Windows it keeps the pid of the one that is gone. */
export function isParent(
  supervisor: number,
  parent = process.ppid,
  lives: (pid: number) => boolean = isAlive,
): boolean {
  return parent === supervisor && lives(supervisor);
}

const supervisorCheckIntervalMs = 5000;
