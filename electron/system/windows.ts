// What the site check reads from Windows' own programs: numbers, codes and names, never text that depends on the language.

import { win32 } from "node:path";
import { pidOfRun } from "../lifecycle/safe-mode.ts";
import { taskName } from "./windows-task.ts";
import type { CheckResult } from "./check-result.ts";

/** Standard output of a program; null where it prints nothing. */
export type RunProgram = (
  program: string,
  args: readonly string[],
) => Promise<string | null>;

/** The group and the name of each setting, by the aliases that powercfg has in every language. */
const idleSettings = {
  sleep: ["SUB_SLEEP", "STANDBYIDLE"],
  display: ["SUB_VIDEO", "VIDEOIDLE"],
  hibernate: ["SUB_SLEEP", "HIBERNATEIDLE"],
} as const;

export async function sleepOfWindows(
  runProgram: RunProgram,
): Promise<CheckResult> {
  const [sleep, display, hibernate] = await Promise.all(
    Object.values(idleSettings).map(async (setting) =>
      pluggedInValue(
        await runProgram("powercfg", ["/query", "SCHEME_CURRENT", ...setting]),
      ),
    ),
  );
  if ([sleep, display, hibernate].some((seconds) => (seconds ?? 0) > 0))
    return {
      verdict: "advice",
      fact: { code: "plan-sleeps" },
    };
  // Where hibernation is off, its setting may be hidden.
  if (sleep == null || display == null)
    return {
      verdict: "unknown",
      fact: { code: "plan-untold" },
    };
  return {
    verdict: "good",
    fact: { code: "awake" },
  };
}

/**
 * For one setting, powercfg first prints the possible values, and last the two in force: plugged in, then on battery. Their
 * captions are in the language of the system.
 */
export function pluggedInValue(printed: string | null): number | null {
  const values = [...(printed ?? "").matchAll(/: *0x([0-9a-f]{8})\s*$/gim)];
  const value = values.at(-2)?.[1];
  return value === undefined ? null : parseInt(value, 16);
}

const updatePolicies =
  "HKLM\\SOFTWARE\\Policies\\Microsoft\\Windows\\WindowsUpdate";

/** Longer active hours have no effect, unless a policy of its own sets another maximum. */
export const maxActiveHours = 18;

export function activeHoursLength(from: number, to: number): number {
  return (to - from + 24) % 24;
}

export async function updatesOfWindows(
  runProgram: RunProgram,
): Promise<CheckResult> {
  const policy =
    (await runProgram("reg", ["query", updatePolicies, "/s"])) ?? "";
  const valueOf = (name: string): number | null => {
    const [, hex] =
      new RegExp(`^\\s+${name}\\s+REG_DWORD\\s+0x([0-9a-f]+)\\s*$`, "im").exec(
        policy,
      ) ?? [];
    return hex === undefined ? null : parseInt(hex, 16);
  };
  const from = valueOf("ActiveHoursStart");
  const to = valueOf("ActiveHoursEnd");
  const max =
    valueOf("SetActiveHoursMaxRange") === 1
      ? (valueOf("ActiveHoursMaxRange") ?? maxActiveHours)
      : maxActiveHours;
  // Each of these policies makes active hours ineffective.
  const isOverridden = [
    "NoAutoRebootWithLoggedOnUsers",
    "AlwaysAutoRebootAtScheduledTime",
  ].some((name) => valueOf(name) === 1);
  const isInEffect =
    valueOf("SetActiveHours") === 1 &&
    from !== null &&
    to !== null &&
    activeHoursLength(from, to) > 0 &&
    activeHoursLength(from, to) <= max &&
    !isOverridden;
  return isInEffect
    ? {
        verdict: "good",
        fact: { code: "active-hours", from, to },
      }
    : {
        verdict: "advice",
        fact: { code: "no-active-hours" },
      };
}

/** Whether the clock is synchronised from outside this PC; null where Windows does not show this to this user. */
export async function isClockKept(
  runProgram: RunProgram,
): Promise<boolean | null> {
  const status = (await runProgram("w32tm", ["/query", "/status"])) ?? "";
  if (status.includes(serviceNotStarted)) return false;
  const isKeptByStatus = keptByStatus(status);
  if (isKeptByStatus !== null) return isKeptByStatus;
  // Some versions of Windows show the status to administrators only, but show everyone whether there is a source.
  const parameters = await runProgram("reg", [
    ...["query", timeParameters],
    ...["/v", "Type"],
  ]);
  return /\sREG_SZ\s+NoSync\s*$/im.test(parameters ?? "") ? false : null;
}

const timeParameters =
  "HKLM\\SYSTEM\\CurrentControlSet\\Services\\W32Time\\Parameters";
const serviceNotStarted = "0x80070426";
/** No source, and "LOCL": the clock of this PC itself. */
const noSource = new Set([0, 0x4c4f434c]);
const notSynchronized = 3;
const minStratum = 1;
const maxStratum = 15;

/** The first line is the leap indicator, the second the stratum, and the reference is the only hexadecimal number. */
function keptByStatus(status: string): boolean | null {
  const figures = status
    .split(/\r?\n/)
    .map((line) => /^[^:]+: *(\d+) *(?:\(|$)/.exec(line)?.[1])
    .filter((figure) => figure !== undefined);
  const reference = /: *0x([0-9a-f]{8}) *(?:\(|$)/im.exec(status)?.[1];
  const [leap, stratum] = figures.map(Number);
  if (leap === undefined || stratum === undefined || reference === undefined)
    return null;
  return (
    leap !== notSynchronized &&
    stratum >= minStratum &&
    stratum <= maxStratum &&
    !noSource.has(parseInt(reference, 16))
  );
}

/** How the player is started: in place of the desktop, by the task, by the login item, or not at all. */
export async function autostartOfWindows(
  runProgram: RunProgram,
  hasLoginItem: boolean,
  isShell: boolean,
): Promise<CheckResult> {
  const isWatched =
    isShell || isWatching(await runProgram("schtasks", taskQuery));
  return autostartVerdict(isWatched, hasLoginItem, system);
}

/** Started and watched, only started, or neither. */
export function autostartVerdict(
  isWatched: boolean,
  isStarted: boolean,
  of: "linux" | "windows",
): CheckResult {
  if (isWatched)
    return { verdict: "good", fact: { code: "started-and-watched" } };
  return isStarted
    ? { verdict: "advice", fact: { code: "started-only", system: of } }
    : { verdict: "fault", fact: { code: "not-started" } };
}

const system = "windows";
const taskQuery = ["/query", "/tn", taskName, "/xml"];

/** The task's own definition; schtasks prints it in UTF-16 or in one byte per letter. */
function isWatching(printed: string | null): boolean {
  const task = (printed ?? "").replaceAll("\0", "");
  const settings = /<Settings>[^]*<\/Settings>/.exec(task)?.[0] ?? "";
  return (
    /<Arguments>[^<]*--supervise\b/.test(task) &&
    !/<Enabled>\s*false\s*<\/Enabled>/.test(settings)
  );
}

/**
 * Chromium's lock names no process on Windows, so the pid comes from the run record; null where that process is gone. The pid may
 * have been reused by another program.
 */
export async function runningPid(
  dataDir: string,
  program: string,
  runProgram: RunProgram,
): Promise<number | null> {
  const pid = pidOfRun(dataDir);
  if (pid === null) return null;
  const list = await runProgram("tasklist", [
    ...["/fi", `PID eq ${pid}`, "/fo", "csv", "/nh"],
  ]);
  const entry = `"${win32.basename(program)}","${pid}"`.toLowerCase();
  return (list ?? "").toLowerCase().includes(entry) ? pid : null;
}
