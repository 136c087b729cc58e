// File descriptors of the main process: work that needs many waits while few are left, and a reserve is kept for work that cannot
// wait (V2-653). Chromium ends the whole program when it finds none for a channel or for shared memory.

import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { Failure } from "../../server/contract/ipc/ipc.ts";
import {
  descriptorLimit,
  freeDescriptors,
  minFree,
} from "../../server/platform/process/descriptors.ts";
import type { Log } from "../../server/platform/log.ts";
import { everySecond } from "../../server/platform/shared-timer.ts";

/** The reserve: descriptors kept open unused, and released when the others run out; as many as may be needed between two counts. */
const maxReserved = 32;
/** How often listeners are notified again while few are left: whatever starts meanwhile may fail because of it. */
const notifyIntervalMs = 10_000;

let reserve: readonly number[] = [];
let given = 0;
let isShort = false;
let notifiedMs = -Infinity;
let log: Pick<Log, "warn" | "info"> | null = null;
const listeners = new Set<() => void>();

/** From now on until the program ends: counts every second, and whenever something is started. */
export function keepDescriptorsBack(into: Pick<Log, "warn" | "info">): void {
  log = into;
  if (descriptorLimit() === null) return;
  fillReserve();
  everySecond(count);
}

/** Calls back whenever few are left: failures from now on may have that cause alone; the returned function unsubscribes. */
export function onFewDescriptors(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether work that needs many descriptors has to wait. */
export function areDescriptorsFew(): boolean {
  count();
  return isShort;
}

/** Throws where the work about to start has to wait. */
export function assertDescriptors(): void {
  if (!areDescriptorsFew()) return;
  notifyListeners();
  throw new Failure(
    "unavailable",
    "This player has too many open files and connections to start anything else.",
  );
}

/** An open failed because no descriptor was left. */
export function noteNoDescriptor(): void {
  if (!isShort) begin(0);
  notifyListeners();
}

function notifyListeners(): void {
  notifiedMs = performance.now();
  for (const listener of listeners) listener();
}

function count(): void {
  const limit = descriptorLimit();
  const free = freeDescriptors("/proc/self", limit);
  if (free === null || limit === null) return;
  const least = minFree(limit);
  if (!isShort && free < least) {
    begin(free);
    notifyListeners();
  } else if (isShort && free >= least * 1.25 + given) end();
  else if (isShort && performance.now() - notifiedMs > notifyIntervalMs)
    notifyListeners();
}

function begin(free: number): void {
  isShort = true;
  given = reserve.length;
  for (const one of reserve) closeSync(one);
  reserve = [];
  log?.warn("descriptors.exhausted", { free, givenUp: given });
}

function end(): void {
  isShort = false;
  fillReserve();
  log?.info("descriptors.recovered");
}

function fillReserve(): void {
  const targetCount = Math.min(
    maxReserved,
    Math.floor((freeDescriptors() ?? 0) / 8),
  );
  const opened: number[] = [];
  try {
    while (opened.length < targetCount) opened.push(openSync(devNull, "r"));
  } catch {
    // Keeps as many as were free.
  }
  reserve = opened;
}
