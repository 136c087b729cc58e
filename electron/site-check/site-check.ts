// Site check: what would stop, cover, slow or blank the player on this PC; each check is timed and comes with advice.

import type { Config } from "../config.ts";
import { checkPin } from "./pin.ts";
import { checkAutostart, checkSandbox } from "./player.ts";
import { checkCodecs, checkDisplays, checkGraphics } from "./screen.ts";
import {
  checkClock,
  checkDisk,
  checkSharedMemory,
  checkSleep,
  checkUpdates,
} from "./machine.ts";
import { killAndWait } from "./kill.ts";
import type { CheckResult } from "../system/check-result.ts";
import { othersWhoMayRead } from "../../server/platform/files/private-folder.ts";
import { system } from "../system/system.ts";

export interface SiteLine extends CheckResult {
  readonly name: string;
  readonly ms: number;
}

export interface SiteReport {
  readonly time: string;
  readonly lines: readonly SiteLine[];
  readonly faults: number;
}

/** No check may hold up the others; a machine that does not answer is reported as such. */
const timeoutMs = 10_000;
const killTimeoutMs = 60_000;

/** Needs the app to be ready. The recovery is tested only on request: it interrupts playback (V2-260). */
export async function checkSite(config: Config): Promise<SiteReport> {
  const checks: readonly (readonly [
    string,
    () => Promise<CheckResult>,
    number?,
  ])[] = [
    ["sleep", () => checkSleep()],
    ["updates", () => checkUpdates()],
    ["displays", () => Promise.resolve(checkDisplays(config))],
    ["graphics", () => checkGraphics()],
    ["codecs", () => checkCodecs()],
    ["disk", () => checkDisk(config.dataDir)],
    ["data folder", () => checkDataFolder(config.dataDir)],
    ["shared memory", () => Promise.resolve(checkSharedMemory())],
    ["clock", () => checkClock()],
    ["autostart", () => checkAutostart(config)],
    ["sandbox", () => Promise.resolve(checkSandbox(config))],
    ["exit PIN", () => checkPin(config.dataDir)],
    ["kill and recover", () => killAndWait(config), killTimeoutMs],
  ];
  const lines: SiteLine[] = [];
  // One after the other, so that each is timed by itself.
  for (const [name, check, most = timeoutMs] of checks)
    lines.push(await timed(name, check, most));
  return {
    time: new Date().toISOString(),
    lines,
    faults: lines.filter(({ verdict }) => verdict === "fault").length,
  };
}

async function timed(
  name: string,
  check: () => Promise<CheckResult>,
  maxMs: number,
): Promise<SiteLine> {
  const from = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<CheckResult>((resolve) => {
    timer = setTimeout(() => resolve(late(maxMs / 1000)), maxMs);
  });
  const result = await Promise.race([check(), timeout]).catch(
    (error: unknown) =>
      failed(error instanceof Error ? error.message : String(error)),
  );
  clearTimeout(timer);
  return { name, ...result, ms: Math.round(performance.now() - from) };
}

const unknown = {
  verdict: "unknown",
  advice: "Look at this one by hand.",
} as const;

function late(seconds: number): CheckResult {
  const finding = `No answer within ${seconds} s.`;
  return { ...unknown, found: finding, fact: { code: "late", seconds } };
}

function failed(reason: string): CheckResult {
  return { ...unknown, found: reason, fact: { code: "failed", reason } };
}

// Site check of the data folder: whether other users of the machine may read its files.

async function checkDataFolder(dataDir: string): Promise<CheckResult> {
  const others = await othersWhoMayRead(dataDir);
  if (others.length === 0)
    return {
      ...{ verdict: "good", fact: { code: "folder-own" }, advice: null },
      found: "Nobody else may read the data folder.",
    };
  return {
    verdict: "advice",
    fact: { code: "folder-open", dataDir, others, system },
    found: `Others may read ${dataDir} and the secrets in it: ${others.join(", ")}.`,
    advice:
      system === "windows"
        ? `In a terminal, as the player's user: icacls "${dataDir}" /inheritance:r /grant:r "*S-1-3-4:(OI)(CI)F" "*S-1-5-18:(OI)(CI)F" "*S-1-5-32-544:(OI)(CI)F"`
        : "Give the player a folder of its own (--data-dir).",
  };
}
