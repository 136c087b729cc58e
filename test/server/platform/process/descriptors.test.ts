// File descriptors: how many are left, and how many of them clients may use.

import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { expect, it, onTestFinished } from "vitest";
import {
  descriptorLimit,
  freeDescriptors,
  isOutOfDescriptors,
  minFree,
} from "../../../../server/platform/process/descriptors.ts";
import {
  hasDescriptorLimits,
  limitDescriptors,
  takeAllDescriptors,
} from "../../../support/machine/descriptors.ts";

/** Of a program that has this many open and does nothing. */
function withOpen(count: number): number {
  const file = openSync(devNull, "r");
  const stdio = Array<number>(count).fill(file);
  const child = spawn("sleep", ["3600"], { stdio });
  closeSync(file);
  onTestFinished(() => void child.kill("SIGKILL"));
  return child.pid ?? 0;
}

it.skipIf(!hasDescriptorLimits)(
  "[V2-653] counts descriptors left below the limit, also one that was set below what is open",
  () => {
    const pid = withOpen(40);
    const of = `/proc/${pid}`;
    limitDescriptors(pid, 70);
    expect([descriptorLimit(of), freeDescriptors(of)]).toEqual([70, 30]);
    limitDescriptors(pid, 20);
    expect(freeDescriptors(of)).toBe(0);
  },
);

it.skipIf(!hasDescriptorLimits)(
  "[V2-653] finds none left where not even the count can be read",
  () => {
    const before = freeDescriptors() ?? 0;
    expect(before).toBeGreaterThan(10);
    const giveBack = takeAllDescriptors();
    expect(freeDescriptors()).toBe(0);
    giveBack();
    expect(freeDescriptors()).toBeGreaterThan(0);
  },
);

it("[V2-653] reserves fewer where there are few at all", () => {
  expect([64, 128, 256, 8192].map(minFree)).toEqual([16, 32, 64, 64]);
});

it("[V2-653] distinguishes a shortage of descriptors from any other error", () => {
  const errors = ["EMFILE", "ENFILE", "ENOENT"].map((code) =>
    Object.assign(new Error(code), { code }),
  );
  expect(errors.map(isOutOfDescriptors)).toEqual([true, true, false]);
});
