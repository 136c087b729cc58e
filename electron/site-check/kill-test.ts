// Kills the player that runs on this store and waits for it to be back: proves that a supervisor restarts it.

import { readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { outputOf } from "../system/program-output.ts";
import { callOfPlayer } from "./console-command.ts";
import type { CheckResult } from "../system/check-result.ts";
import { system } from "../system/system.ts";
import { runningPid } from "../system/windows.ts";

/** The player has to show something again within ten seconds. */
const goalMs = 10_000;
const timeoutMs = 45_000;
const checkIntervalMs = 100;

export async function killAndWait(
  config: Config,
  call = callOfPlayer(),
): Promise<CheckResult> {
  if (!config.tryKill)
    return {
      verdict: "unknown",
      fact: { code: "not-killed", call },
    };
  const pid = await pidOfPlayer(config.dataDir);
  if (pid === null)
    return {
      verdict: "fault",
      fact: { code: "no-player", dataDir: config.dataDir },
    };
  const from = performance.now();
  process.kill(pid, "SIGKILL");
  for (;;) {
    const waited = performance.now() - from;
    const now = await pidOfPlayer(config.dataDir);
    if (now !== null && now !== pid && (await answers(config))) break;
    if (waited > timeoutMs)
      return {
        verdict: "fault",
        fact: { code: "not-back", seconds: timeoutMs / 1000 },
      };
    await new Promise((resolve) => setTimeout(resolve, checkIntervalMs));
  }
  const seconds = (performance.now() - from) / 1000;
  const isInTime = seconds * 1000 <= goalMs;
  return {
    verdict: isInTime ? "good" : "advice",
    fact: { code: isInTime ? "back" : "back-late", seconds },
  };
}

function pidOfPlayer(dataDir: string): Promise<number | null> {
  return system === "windows"
    ? runningPid(dataDir, process.execPath, outputOf)
    : pidOfLock(dataDir);
}

/** Chromium's lock contains the host name and the pid. */
async function pidOfLock(dataDir: string): Promise<number | null> {
  const lock = await readlink(join(dataDir, "chromium", "SingletonLock")).catch(
    () => "",
  );
  const pid = lock.startsWith(`${hostname()}-`)
    ? Number(lock.slice(hostname().length + 1))
    : NaN;
  if (!Number.isInteger(pid) || pid <= 1) return null;
  try {
    process.kill(pid, 0);
    return pid;
  } catch {
    return null;
  }
}

async function answers(config: Config): Promise<boolean> {
  const { apiHost, apiPort, httpsPort } = config;
  const isHere = apiHost === "0.0.0.0" || httpsPort !== undefined;
  const host = isHere ? "127.0.0.1" : apiHost;
  return fetch(`http://${host}:${apiPort}/api/v2/info`, {
    signal: AbortSignal.timeout(1000),
  }).then(
    (response) => response.status < 500,
    () => false,
  );
}
