// Upload jobs: files added one after the other, each with its progress, none stopping the rest.

import { useSyncExternalStore } from "react";
import type { SentFile } from "../../../server/contract/ipc/ipc.ts";
import type { AssetView } from "../asset-view.ts";
import { reasonOf } from "../api.ts";
import { t } from "../../locales/messages.ts";
import { Refusal } from "../operations.ts";
import { randomId } from "../place/random-id.ts";
import { transport } from "../transport/transport.ts";

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

/** A thrown error is the reason of the failure. */
export interface Steps {
  /** Puts the uploaded file into an asset; may be repeated. */
  readonly claim: (sent: SentFile) => Promise<AssetView>;
  /** Called when files were added: together, or one that was retried later. */
  readonly whenIn: (assets: readonly AssetView[]) => void;
}

interface PendingUpload extends Steps {
  readonly file: File;
  /** Uploaded already, though it could not be claimed: a retry continues from there. */
  readonly sent: SentFile | null;
}

let jobs: readonly Job[] = [];
const pending = new Map<string, PendingUpload>();
const listeners = new Set<() => void>();
/** One file at a time: they are added in the order in which they were dropped. */
let line: Promise<unknown> = Promise.resolve();

export function useJobs(): readonly Job[] {
  return useSyncExternalStore(onJobs, () => jobs);
}

export function hasOpenJobs(): boolean {
  return jobs.some(({ state }) => state === "waiting" || state === "running");
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
    const id = randomId();
    pending.set(id, { ...steps, file, sent: null });
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
    const sent = job.sent ?? (await send(job.file, id));
    pending.set(id, { ...job, sent });
    const asset = await job.claim(sent);
    change(id, { state: "done", receivedBytes: job.file.size });
    pending.delete(id);
    return asset;
  } catch (error) {
    // The player discards an upload that nobody claims within an hour (V2-15).
    if (error instanceof Refusal && error.fields?.["uri"])
      pending.set(id, { ...job, sent: null });
    const reason = reasonOf(error);
    change(id, { state: "refused", reason, isAgain: false });
    return null;
  }
}

async function send(file: File, id: string): Promise<SentFile> {
  const sent = await transport.sendFile(file, (receivedBytes, sizeBytes) => {
    change(id, { receivedBytes, sizeBytes });
  });
  if (sent === null) throw new Error(t("uploads.notAFile"));
  return sent;
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
