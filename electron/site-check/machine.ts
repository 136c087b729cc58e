// Site checks of the machine: sleep, updates, disk and clock.

import { open, readFile, readdir, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../server/platform/files/writable-folder.ts";
import { diskRefusalOf } from "../../server/platform/outside-error.ts";
import type { CheckResult } from "../system/check-result.ts";
import { outputOf } from "../system/program-output.ts";
import { tooSmallSharedMemory } from "../chromium/shared-memory.ts";
import { system } from "../system/system.ts";
import {
  isClockKept,
  sleepOfWindows,
  updatesOfWindows,
} from "../system/windows.ts";

const onWindows = system === "windows";

const awake: CheckResult = {
  verdict: "good",
  fact: { code: "awake" },
};

export async function checkSleep(): Promise<CheckResult> {
  if (onWindows) return sleepOfWindows(outputOf);
  const x = await outputOf("xset", ["q"]);
  const hasDpms = /DPMS is Enabled/.test(x ?? "");
  const saver = Number(/timeout:\s+(\d+)/.exec(x ?? "")?.[1] ?? 0);
  const saverSeconds = saver === 0 ? null : saver;
  const sleep = await outputOf("systemctl", ["is-enabled", "sleep.target"]);
  const mayBeSuspended = sleep !== null && sleep.trim() !== "masked";
  if (x === null && sleep === null)
    return {
      verdict: "unknown",
      fact: { code: "sleep-untold" },
    };
  return !hasDpms && saverSeconds === null && !mayBeSuspended
    ? awake
    : {
        verdict: "advice",
        fact: { code: "may-sleep", hasDpms, saverSeconds, mayBeSuspended },
      };
}

export async function checkUpdates(): Promise<CheckResult> {
  if (onWindows) return updatesOfWindows(outputOf);
  const folder = "/etc/apt/apt.conf.d";
  const names = await readdir(folder).catch(() => null);
  if (names === null)
    return {
      verdict: "unknown",
      fact: { code: "no-apt" },
    };
  const texts = await Promise.all(
    names.map((name) => readFile(join(folder, name), "utf8").catch(() => "")),
  );
  const all = texts.join("\n").replaceAll(/^[ \t]*(\/\/|#).*$/gm, "");
  const reboots = /Automatic-Reboot\s+"true"/.test(all);
  const at = /Automatic-Reboot-Time\s+"([^"]+)"/.exec(all)?.[1];
  if (!reboots)
    return {
      verdict: "good",
      fact: { code: "never-restarts" },
    };
  return {
    verdict: at === undefined ? "fault" : "good",
    fact:
      at === undefined
        ? { code: "restarts-at-once" }
        : { code: "restarts-at", at },
  };
}

/** Below this, downloads stop; a warning should come long before. */
const littleBytes = 4 * 2 ** 30;
const trialBytes = 16 * 2 ** 20;
/** A video of 20 Mbit/s takes 2.5; writing while playing needs some more. */
const slowMiBs = 10;

export async function checkDisk(dataDir: string): Promise<CheckResult> {
  try {
    return await measureDisk(dataDir);
  } catch (error) {
    const refusal = diskRefusalOf(error);
    if (refusal === null) throw error;
    const isFull = refusal === "full";
    return {
      verdict: "fault",
      fact: { code: "disk-refuses", dataDir, isFull },
    };
  }
}

async function measureDisk(dataDir: string): Promise<CheckResult> {
  makeFolder(dataDir);
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const speed = await writingMiBs(join(dataDir, "site-check.part"));
  const measured = { freeBytes: free, bytesPerSecond: speed * 2 ** 20 };
  if (free < littleBytes)
    return {
      verdict: "fault",
      fact: { code: "disk-full", ...measured },
    };
  return speed < slowMiBs
    ? {
        verdict: "advice",
        fact: { code: "disk-slow", ...measured },
      }
    : {
        verdict: "good",
        fact: { code: "disk", ...measured },
      };
}

async function writingMiBs(file: string): Promise<number> {
  const handle = await open(file, "w", 0o600);
  try {
    const from = performance.now();
    await handle.writeFile(Buffer.alloc(trialBytes, 0x5a));
    await handle.sync();
    return trialBytes / 2 ** 20 / ((performance.now() - from) / 1000);
  } finally {
    await handle.close();
    await rm(file, { force: true });
  }
}

/** No build is older than the year it was made in. */
const minYear = 2026;

export async function checkClock(): Promise<CheckResult> {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const now = new Date();
  const reported = { now: now.getTime(), zone: timeZone, system };
  if (now.getFullYear() < minYear)
    return {
      verdict: "fault",
      fact: { code: "clock-behind", ...reported },
    };
  const isKept = onWindows ? await isClockKept(outputOf) : await isTimeKept();
  if (isKept === null)
    return {
      verdict: "unknown",
      fact: { code: "clock-untold", ...reported },
    };
  return isKept
    ? {
        verdict: "good",
        fact: { code: "clock-kept", ...reported },
      }
    : {
        verdict: "advice",
        fact: { code: "clock-not-kept", ...reported },
      };
}

async function isTimeKept(): Promise<boolean | null> {
  const reported = await outputOf("timedatectl", [
    "show",
    "-p",
    "NTPSynchronized",
  ]);
  return reported === null ? null : /NTPSynchronized=yes/.test(reported);
}

export function checkSharedMemory(): CheckResult {
  const bytes = tooSmallSharedMemory();
  if (bytes === null)
    return {
      verdict: "good",
      fact: { code: "shared-memory" },
    };
  return {
    verdict: "advice",
    fact: { code: "shared-memory-small", bytes },
  };
}
