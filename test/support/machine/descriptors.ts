// Takes all file descriptors of a process: of this one, or of the app.

import { execFileSync } from "node:child_process";
import { closeSync, openSync, readdirSync } from "node:fs";
import { devNull } from "node:os";
import { onTestFinished } from "vitest";
import { systemCode } from "../../../server/platform/outside-error.ts";

/** Only Linux has limits that can be set from outside. */
export const hasDescriptorLimits = process.platform === "linux";

/** How many a process has open. */
export function openDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** The soft limit of a running process; the hard one stays. */
export function limitDescriptors(pid: number, most: number): void {
  execFileSync("prlimit", ["--pid", String(pid), `--nofile=${most}:`]);
}

function softLimitOf(pid: number): number {
  const words = ["--pid", String(pid), "--nofile", "--noheadings"];
  const text = execFileSync("prlimit", [...words, "--output", "SOFT"]);
  return Number(text.toString());
}

/**
 * Until the returned function is called, and no longer than this test, nothing can be opened in this process. Files with such tests
 * have a process of their own, see `ownProcess` in the Vitest configuration.
 */
export function takeAllDescriptors(): () => void {
  const before = softLimitOf(process.pid);
  const highest = Math.max(...readdirSync("/proc/self/fd").map(Number));
  // Raising the limit again starts a program, which takes a dozen descriptors for its pipes.
  limitDescriptors(process.pid, highest + 64);
  const taken: number[] = [];
  const giveBack = (): void => {
    for (const one of taken.splice(0)) closeSync(one);
    limitDescriptors(process.pid, before);
  };
  onTestFinished(giveBack);
  try {
    for (;;) taken.push(openSync(devNull, "r"));
  } catch (error) {
    if (systemCode(error) !== "EMFILE") throw error;
  }
  return () => {
    // Without one, no other program can be started.
    for (const one of taken.splice(0)) closeSync(one);
  };
}
