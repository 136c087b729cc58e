// Signs of life for whoever watches from outside: systemd, or the supervisor where there is none.

import { spawn } from "node:child_process";
import { writeFile, writeFileSync } from "node:fs";
import type { Config } from "../config.ts";
import { everyAbout, everySecond } from "../../server/platform/shared-timer.ts";
import { isAlive } from "./process-alive.ts";
import { createServiceNotify } from "./service-notify.ts";

export interface Heartbeat {
  /** The interface listens. */
  ready(status: string): void;
  /** From now on a showing has to be on the screen: without one for a minute there is no more sign of life (V2-462). */
  expectShowing(isShowing: () => boolean): void;
  /** Ended because it was told to; nobody needs to start it again, unless it asks for that. */
  ended(isRestartWanted: boolean): void;
}

/** A stage that is brought back is back long before; so are a display and a store. */
const longestWithoutMs = 60_000;

export interface ScreenLiveness extends Pick<Heartbeat, "expectShowing"> {
  /** Asked now and then. */
  isAlive(): boolean;
}

/** `now`: steady milliseconds. */
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

/** From now on, as long as the main process turns. */
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
    // Whoever watches ends the whole of us, and starts it anew.
    if (!screen.isAlive()) return;
    beat += 1;
    systemd?.notify("WATCHDOG=1");
    if (heartbeat === undefined || isBusy) return;
    isBusy = true;
    // In place: the supervisor's folder may be one where nothing may be made.
    writeFile(heartbeat, `${beat}\n`, () => {
      isBusy = false;
      // It was still being written when the last word was, and may lie over it.
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
      // A supervisor that took this player over never hears its exit code.
      lastWord = isRestartWanted ? "again\n" : "ended\n";
      writeNow(heartbeat, lastWord);
    },
  };
}

/** Of a process that cannot turn now, and does something all the same. */
export function beatWhileBusy({ heartbeat }: Pick<Config, "heartbeat">): void {
  if (heartbeat !== undefined)
    writeNow(heartbeat, `busy ${performance.now()}\n`);
}

function writeNow(heartbeat: string, text: string): void {
  try {
    writeFileSync(heartbeat, text);
  } catch {
    // The supervisor has gone, and its file with it.
  }
}

/** A supervisor that was killed is replaced by one that takes this player over. */
function keepSupervisor(
  config: Pick<Config, "supervisor" | "supervisorProgram">,
): () => void {
  const { supervisor, supervisorProgram } = config;
  if (supervisor === undefined || supervisorProgram === undefined)
    return () => undefined;
  // The one that started us is our parent as long as it lives; one that we started says itself that it ended.
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

/** Linux gives an orphan another parent; on Windows it keeps the number of the one that is gone. */
export function isParent(
  supervisor: number,
  parent = process.ppid,
  lives: (pid: number) => boolean = isAlive,
): boolean {
  return parent === supervisor && lives(supervisor);
}

const supervisorCheckIntervalMs = 5000;
