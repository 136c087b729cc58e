// Upload jobs: files added one after the other, each with its progress, none stopping the rest.

import { useSyncExternalStore } from "react";
import type { AssetView } from "../../../server/contract/ipc/ipc.ts";
import { reasonOf } from "../api.ts";
import { t } from "../../locales/messages.ts";

export interface Job {
  readonly id: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly receivedBytes: number;
  readonly state: "waiting" | "running" | "done" | "refused";
  readonly reason: string | null;
  /** It failed and is being retried: it stays where it is visible. */
  readonly isAgain: boolean;
  /** When its transfer started, to compute its rate. */
  readonly startedMs: number | null;
}

/** Steps for each file, one after the other; a thrown error is the reason of the failure. */
export interface Steps {
  readonly takeIn: (path: string, job: string) => Promise<AssetView>;
  /** Required before the file counts as added; may be repeated. */
  readonly finish: (asset: AssetView) => Promise<void>;
  /** Called when files were added: together, or one that was retried later. */
  readonly whenIn: (assets: readonly AssetView[]) => void;
}

interface PendingIntake extends Steps {
  readonly file: File;
  /** Uploaded already, though a following step failed: a retry continues from there. */
  readonly taken: AssetView | null;
}

let jobs: readonly Job[] = [];
const pending = new Map<string, PendingIntake>();
const listeners = new Set<() => void>();
/** One file at a time: they are added in the order in which they were dropped. */
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

/** Returns the added assets, in order. */
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
  // Jobs that succeeded earlier were reported; failed ones stay until they are read.
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
  if (path === "") throw new Error(t("uploads.notAFile"));
  return job.takeIn(path, id);
}

export async function tryAgain(id: string): Promise<void> {
  const whenIn = pending.get(id)?.whenIn;
  change(id, { state: "waiting", isAgain: true, receivedBytes: 0 });
  const asset = await inLine(id);
  if (asset) whenIn?.([asset]);
}

/** Clears finished jobs; running ones continue. */
export function clearJobs(): void {
  const left = jobs.filter(
    ({ state }) => state === "waiting" || state === "running",
  );
  for (const { id, state } of jobs) if (state === "refused") pending.delete(id);
  keep(left);
}

/** How much of a file has been read, as reported by the player. */
export function followJobs(): () => void {
  return window.manager.on("adding", ({ job, receivedBytes, totalBytes }) => {
    change(job, { receivedBytes, sizeBytes: totalBytes });
  });
}
