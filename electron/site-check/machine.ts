// Site checks of the machine: sleep, updates, disk and clock.

import { mkdir, open, readFile, readdir, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
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
  ...{ verdict: "good", fact: { code: "awake" }, advice: null },
  found: "Nothing sleeps or blanks.",
};

export async function checkSleep(): Promise<CheckResult> {
  if (onWindows) return sleepOfWindows(outputOf);
  const causes: string[] = [];
  const x = await outputOf("xset", ["q"]);
  const hasDpms = /DPMS is Enabled/.test(x ?? "");
  if (hasDpms) causes.push("the display may be switched off (DPMS)");
  const saver = Number(/timeout:\s+(\d+)/.exec(x ?? "")?.[1] ?? 0);
  const saverSeconds = saver === 0 ? null : saver;
  if (saver !== 0) causes.push(`the screen saver comes after ${saver} s`);
  const sleep = await outputOf("systemctl", ["is-enabled", "sleep.target"]);
  const mayBeSuspended = sleep !== null && sleep.trim() !== "masked";
  if (mayBeSuspended) causes.push("the machine may be suspended");
  if (x === null && sleep === null)
    return {
      verdict: "unknown",
      fact: { code: "sleep-untold" },
      found: "Neither xset nor systemctl answers.",
      advice: "See in the desktop's settings that nothing sleeps or blanks.",
    };
  return causes.length === 0
    ? awake
    : {
        verdict: "advice",
        fact: { code: "may-sleep", hasDpms, saverSeconds, mayBeSuspended },
        found: `The player keeps it awake, but ${causes.join(", ")}.`,
        advice:
          "xset s off -dpms; systemctl mask sleep.target suspend.target hibernate.target hybrid-sleep.target",
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
      found: "This system does not update by apt.",
      advice: "See that updates restart nothing while people look.",
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
      found: "Updates never restart this machine by themselves.",
      advice: null,
    };
  return {
    verdict: at === undefined ? "fault" : "good",
    fact:
      at === undefined
        ? { code: "restarts-at-once" }
        : { code: "restarts-at", at },
    found:
      at === undefined
        ? "Updates restart this machine at once."
        : `Updates restart this machine at ${at}.`,
    advice:
      at === undefined
        ? 'Set Unattended-Upgrade::Automatic-Reboot-Time "04:00"; in /etc/apt/apt.conf.d.'
        : null,
  };
}

/** Below this, downloads stop; a warning should come long before. */
const littleBytes = 4 * 2 ** 30;
const trialBytes = 16 * 2 ** 20;
/** A video of 20 Mbit/s takes 2.5; writing while playing needs some more. */
const slowMiBs = 10;

export async function checkDisk(dataDir: string): Promise<CheckResult> {
  await mkdir(dataDir, { recursive: true });
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const speed = await writingMiBs(join(dataDir, "site-check.part"));
  const measured = { freeBytes: free, bytesPerSecond: speed * 2 ** 20 };
  const finding = `${(free / 2 ** 30).toFixed(1)} GiB free, ${speed.toFixed(0)} MiB/s written through.`;
  if (free < littleBytes)
    return {
      verdict: "fault",
      fact: { code: "disk-full", ...measured },
      found: finding,
      advice: "Make room: below 4 GiB a few films fill it.",
    };
  return speed < slowMiBs
    ? {
        verdict: "advice",
        fact: { code: "disk-slow", ...measured },
        found: finding,
        advice: "This disk is slow: fetching may take long, playing does not.",
      }
    : {
        ...{ verdict: "good", found: finding, advice: null },
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
  const text = `It is ${now.toLocaleString("sv")} in ${timeZone}`;
  if (now.getFullYear() < minYear)
    return {
      verdict: "fault",
      fact: { code: "clock-behind", ...reported },
      found: `${text}.`,
      advice: "The clock is behind: dated content waits until it is right.",
    };
  const isKept = onWindows ? await isClockKept(outputOf) : await isTimeKept();
  if (isKept === null)
    return {
      verdict: "unknown",
      fact: { code: "clock-untold", ...reported },
      found: `${text}; nobody tells whether it is kept right.`,
      advice: onWindows
        ? "See in the settings that the clock is set by the network; as administrator, this check is told."
        : "See that the clock is set by the network.",
    };
  return isKept
    ? {
        verdict: "good",
        fact: { code: "clock-kept", ...reported },
        found: `${text}, set by the network.`,
        advice: null,
      }
    : {
        verdict: "advice",
        fact: { code: "clock-not-kept", ...reported },
        found: `${text}, not set by the network.`,
        advice: onWindows
          ? "sc.exe config w32time start= auto; net start w32time; w32tm /resync"
          : "timedatectl set-ntp true",
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
      ...{ verdict: "good", fact: { code: "shared-memory" }, advice: null },
      found: "There is enough shared memory.",
    };
  return {
    verdict: "advice",
    fact: { code: "shared-memory-small", bytes },
    found: `Shared memory (/dev/shm) is small: ${Math.round(bytes / 1024)} KiB. Files are used in its place.`,
    advice:
      "In a container, give it more (docker run --shm-size=512m); films then need less of the processor.",
  };
}
