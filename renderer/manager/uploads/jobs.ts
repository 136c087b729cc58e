// Files on their way in: each a job that is told as it goes, one after the other, none stopping the rest.

import { useSyncExternalStore } from "react";
import type { AssetView } from "../../../server/contract/ipc/ipc.ts";
import { reasonOf } from "../api.ts";
import { texts } from "../texts/texts.ts";

export interface Job {
  readonly id: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly receivedBytes: number;
  readonly state: "waiting" | "running" | "done" | "refused";
  readonly reason: string | null;
  /** It was refused and is tried again: it stays where it can be seen. */
  readonly isAgain: boolean;
  /** When its bytes began to come in, for how fast they come. */
  readonly startedMs: number | null;
}

/** What is done with each file, one step after the other; what one throws is the reason. */
export interface Steps {
  readonly takeIn: (path: string, job: string) => Promise<AssetView>;
  /** What has to follow before it counts as in; it may be done again. */
  readonly finish: (asset: AssetView) => Promise<void>;
  /** What follows when files are in: together, or one that was tried again later. */
  readonly whenIn: (assets: readonly AssetView[]) => void;
}

interface PendingIntake extends Steps {
  readonly file: File;
  /** Taken in already, though what has to follow failed: another try goes on from there. */
  readonly taken: AssetView | null;
}

let jobs: readonly Job[] = [];
const pending = new Map<string, PendingIntake>();
const listeners = new Set<() => void>();
/** One file at a time: they stand in the order in which they were dropped. */
let line: Promise<unknown> = Promise.resolve();

export function useJobs(): readonly Job[] {
  return useSyncExternalStore(onJobs, () => jobs);
}

function onJobs(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function keep(next: readonly Job[]): void {
  jobs = next;
  for (const listener of listeners) listener();
}

function change(id: string, changed: Partial<Job>): void {
  keep(jobs.map((job) => (job.id === id ? { ...job, ...changed } : job)));
}

/** Answers what came of it: the assets that are there now, in order. */
export async function runJobs(
  files: readonly File[],
  steps: Steps,
): Promise<readonly AssetView[]> {
  const mine = files.map((file): Job => {
    const id = crypto.randomUUID();
    pending.set(id, { ...steps, file, taken: null });
    return {
      ...{ id, name: file.name, sizeBytes: file.size, receivedBytes: 0 },
      ...{ state: "waiting", reason: null, isAgain: false, startedMs: null },
    };
  });
  // What went well before has been told; what was refused stays until it is read.
  keep([...jobs.filter(({ state }) => state !== "done"), ...mine]);
  const tasks = mine.map(({ id }) => inLine(id));
  const assets = (await Promise.all(tasks)).filter((asset) => asset !== null);
  if (assets.length > 0) steps.whenIn(assets);
  return assets;
}

function inLine(id: string): Promise<AssetView | null> {
  const task = line.then(() => run(id));
  line = task;
  return task;
}

async function run(id: string): Promise<AssetView | null> {
  const job = pending.get(id);
  if (!job) return null;
  change(id, { state: "running", reason: null, startedMs: Date.now() });
  try {
    const asset = job.taken ?? (await takeIn(job, id));
    pending.set(id, { ...job, taken: asset });
    await job.finish(asset);
    change(id, { state: "done", receivedBytes: job.file.size });
    pending.delete(id);
    return asset;
  } catch (error) {
    const reason = reasonOf(error);
    change(id, { state: "refused", reason, isAgain: false });
    return null;
  }
}

function takeIn(job: PendingIntake, id: string): Promise<AssetView> {
  const path = window.manager.pathOf(job.file);
  if (path === "") throw new Error(texts.uploads.noPath);
  return job.takeIn(path, id);
}

export async function tryAgain(id: string): Promise<void> {
  const whenIn = pending.get(id)?.whenIn;
  change(id, { state: "waiting", isAgain: true, receivedBytes: 0 });
  const asset = await inLine(id);
  if (asset) whenIn?.([asset]);
}

/** Jobs that came to an end are cleared away; those under way go on. */
export function clearJobs(): void {
  const left = jobs.filter(
    ({ state }) => state === "waiting" || state === "running",
  );
  for (const { id, state } of jobs) if (state === "refused") pending.delete(id);
  keep(left);
}

/** How much of a file has been read, as the player tells it. */
export function followJobs(): () => void {
  return window.manager.on("adding", ({ job, receivedBytes, totalBytes }) => {
    change(job, { receivedBytes, sizeBytes: totalBytes });
  });
}
