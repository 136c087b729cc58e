// Upload jobs: files on their way into the player, some at once, each with its progress, none stopping the rest. They can be paused and
// cancelled, and are stored, so that they continue after a reload of the page.

import { useSyncExternalStore } from "react";
import type { SentFile } from "../../../server/contract/ipc/ipc.ts";
import { reasonOf } from "../reason.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";
import { t } from "../../locales/messages.ts";
import { operate } from "../operations.ts";
import { Refusal } from "../refusal.ts";
import { isBrowser } from "../place/abilities.ts";
import { randomId } from "../place/random-id.ts";
import { tabId } from "../place/tab-id.ts";
import { retryPause } from "../transport/retry-pause.ts";
import { transport } from "../transport/transport.ts";
import { Unreachable } from "../transport/unreachable.ts";
import type { ChosenFile } from "./dropped-files.ts";
import {
  adopt,
  dropBatch,
  dropEverything,
  dropJobs,
  sampleOf,
  storeBatch,
  storeFile,
  type AdoptedBatch,
} from "./stored-uploads.ts";

export interface Job {
  readonly id: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly receivedBytes: number;
  /** "missing": after a reload its file has to be chosen again. */
  readonly state: "waiting" | "running" | "missing" | "done" | "refused";
  readonly reason: string | null;
  /** Why it does not move at the moment; it is tried again by itself. */
  readonly interruption: string | null;
  /** It failed and is being retried: it stays where it is visible. */
  readonly isAgain: boolean;
  /** When its transfer started, and with how many bytes, to compute its rate. */
  readonly startedMs: number | null;
  readonly startedBytes: number;
}

export interface Added {
  readonly id: string;
  readonly name: string;
}

/** A thrown error is the reason of the failure. */
export interface Steps {
  /** Puts the uploaded file into an asset; may be repeated. The folder is the one it came in. */
  readonly claim: (sent: SentFile, folder: string) => Promise<Added>;
  /** Called when files were added: together, or one that was retried later. */
  readonly whenIn: (assets: readonly Added[]) => void;
}

/** Files that were added together, with one summary at their end. */
interface Batch {
  readonly id: string;
  readonly steps: Steps;
  /** By their place among the files. */
  readonly added: Map<number, Added>;
  /** How many are neither added nor refused. */
  open: number;
  isStored: boolean;
  readonly end: (assets: readonly Added[]) => void;
}

interface Entry {
  batch: Batch;
  readonly place: number;
  readonly folder: string;
  file: File | null;
  /** To recognize the file when it is chosen again. */
  readonly sample: ArrayBuffer | null;
  /** Uploaded already, though it could not be claimed: a retry continues from there. */
  sent: SentFile | null;
  /** The response to its claim was lost. */
  mayBeAdded: boolean;
  isCancelled: boolean;
  /** Whether its content, or a sample of it, is stored. */
  storedAs: "nothing" | "file" | "sample";
  controller: AbortController | null;
}

let jobs: readonly Job[] = [];
let isPaused = false;
const entries = new Map<string, Entry>();
const attempts = new Map<string, Promise<void>>();
const listeners = new Set<() => void>();

export function useJobs(): readonly Job[] {
  return useSyncExternalStore(onJobs, () => jobs);
}

export function useIsPaused(): boolean {
  return useSyncExternalStore(onJobs, () => isPaused);
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

/**
 * Returns what was added, in the order of the files. `target` is what the steps are made of, as a JSON value; without one, they do not
 * continue after a reload.
 */
export function runJobs(
  files: readonly ChosenFile[],
  steps: Steps,
  target: unknown = null,
): Promise<readonly Added[]> {
  return new Promise((resolve) => {
    const batch = newBatch(steps, files.length, resolve);
    const mine = files.map(({ file, folder }, place) => {
      const id = randomId();
      entries.set(id, newEntry(batch, place, { file, folder }));
      return newJob(id, file.name, file.size, "waiting");
    });
    putJobs(mine);
    startNext();
    if (target === null) return;
    own.set(batch.id, batch);
    keepStored(async () => {
      await storeBatch(
        {
          ...{ id: batch.id, target, owner: tabId },
          ...{ seenAt: Date.now(), added: [] },
        },
        mine.map(({ id, name, sizeBytes }, place) => ({
          ...{ id, batch: batch.id, place, name, sizeBytes, sample: null },
          folder: files[place]?.folder ?? "",
        })),
      );
      batch.isStored = true;
      await storeFiles();
    });
  });
}

function newBatch(
  steps: Steps,
  open: number,
  end: Batch["end"] = () => undefined,
  id = randomId(),
): Batch {
  return { id, steps, added: new Map(), open, isStored: false, end };
}

function newEntry(
  batch: Batch,
  place: number,
  known: Pick<Entry, "file" | "folder"> & Partial<Entry>,
): Entry {
  return {
    ...{ batch, place, sample: null, sent: null, mayBeAdded: false },
    ...{ isCancelled: false, storedAs: "nothing", controller: null },
    ...known,
  };
}

function newJob(
  id: string,
  name: string,
  sizeBytes: number,
  state: Job["state"],
): Job {
  return {
    ...{ id, name, sizeBytes, receivedBytes: 0, state, reason: null },
    ...{ interruption: null, isAgain: false, startedMs: null, startedBytes: 0 },
  };
}

/** Jobs that succeeded earlier were reported; failed ones stay until they are read. */
function putJobs(mine: readonly Job[]): void {
  const isOver = !hasOpenJobs();
  // A pause ends with the uploads that it was for.
  if (isOver) isPaused = false;
  keep([...jobs.filter(({ state }) => !isOver || state !== "done"), ...mine]);
}

function startNext(): void {
  if (isPaused) return;
  for (const { id, state } of jobs) {
    if (attempts.size >= transport.filesAtOnce) return;
    if (state === "waiting" && !attempts.has(id)) start(id);
  }
}

function start(id: string): void {
  const attempt = run(id)
    .catch(notifyInternalError)
    .finally(() => {
      attempts.delete(id);
      startNext();
    });
  attempts.set(id, attempt);
}

async function run(id: string): Promise<void> {
  const entry = entries.get(id);
  const job = jobs.find((one) => one.id === id);
  if (!entry?.file || !job) return;
  const { signal } = (entry.controller = new AbortController());
  const startedBytes = job.receivedBytes;
  change(id, {
    // One that is tried again stays in the list of its reason, and keeps the focus there.
    reason: job.isAgain ? job.reason : null,
    ...{ state: "running", interruption: null },
    ...{ startedMs: Date.now(), startedBytes },
  });
  try {
    const before = entry.mayBeAdded ? await addedBefore(id, signal) : null;
    if (before) {
      succeed(id, entry, before);
      return;
    }
    entry.sent ??= await send(entry.file, id, signal);
    await turnOf(id, entry);
    signal.throwIfAborted();
    succeed(id, entry, await claimed(id, entry, entry.sent, signal));
  } catch (error) {
    if (entry.isCancelled) await discard(id, entry);
    else if (signal.aborted)
      change(id, { state: "waiting", interruption: null });
    else refuse(id, entry, error);
  } finally {
    entry.controller = null;
  }
}

async function send(
  file: File,
  id: string,
  signal: AbortSignal,
): Promise<SentFile> {
  const sent = await transport.sendFile(file, {
    ...{ signal, uploadId: id },
    onBytes: (receivedBytes) => {
      noteBytes(id, receivedBytes);
    },
    onInterrupted: (interruption) => {
      noteInterruption(id, interruption);
    },
  });
  if (sent === null) throw new Error(t("uploads.notAFile"));
  return sent;
}

const progress = new Map<string, number>();
let progressTimer: ReturnType<typeof setTimeout> | null = null;
const progressMs = 100;

/** With many files, not every piece of progress is shown. */
function noteBytes(id: string, receivedBytes: number): void {
  progress.set(id, receivedBytes);
  progressTimer ??= setTimeout(() => {
    progressTimer = null;
    const moved = new Map(progress);
    progress.clear();
    keep(
      jobs.map((job) => {
        const bytes = moved.get(job.id);
        return bytes === undefined || job.state === "done"
          ? job
          : { ...job, receivedBytes: bytes };
      }),
    );
  }, progressMs);
}

function noteInterruption(id: string, interruption: string | null): void {
  const job = jobs.find((one) => one.id === id);
  if (!job || job.interruption === interruption) return;
  const since = { startedMs: Date.now(), startedBytes: job.receivedBytes };
  change(id, { interruption, ...(interruption === null && since) });
}

/** These are added in the order in which they were dropped; a large one does not hold up the others. */
const maxOrderedBytes = 8 * 1024 * 1024;

/** Waits for the files before it that are on their way. */
async function turnOf(id: string, { batch, place }: Entry): Promise<void> {
  await Promise.all(
    jobs.flatMap((job) => {
      const other = entries.get(job.id);
      const isBefore =
        job.id !== id && other?.batch === batch && other.place < place;
      const isOrdered =
        job.sizeBytes <= maxOrderedBytes && job.interruption === null;
      return isBefore && isOrdered ? (attempts.get(job.id) ?? []) : [];
    }),
  );
}

async function claimed(
  id: string,
  entry: Entry,
  sent: SentFile,
  signal: AbortSignal,
): Promise<Added> {
  for (let failures = 0; ; failures += 1)
    try {
      return await entry.batch.steps.claim(sent, entry.folder);
    } catch (error) {
      if (isPassing(error)) {
        entry.mayBeAdded = true;
        noteInterruption(id, reasonOf(error));
        await retryPause(failures, signal);
        continue;
      }
      const isGone = error instanceof Refusal && error.fields?.["uri"];
      if (!isGone) throw error;
      const before = entry.mayBeAdded ? await addedBefore(id, signal) : null;
      if (before) return before;
      // The player discards an upload that nobody claims within an hour (V2-15).
      entry.sent = null;
      throw error;
    }
}

/** Whether it may succeed by itself. In a window, the player is in the same program. */
function isPassing(error: unknown): boolean {
  if (error instanceof Unreachable) return true;
  return (
    isBrowser &&
    error instanceof Refusal &&
    ["unavailable", "too-many", "unauthorized"].includes(error.code)
  );
}

/** The asset of an upload has its identifier (V2-803): null where it was not added yet. */
async function addedBefore(
  id: string,
  signal: AbortSignal,
): Promise<Added | null> {
  for (let failures = 0; ; failures += 1)
    try {
      const asset = await operate("readAsset", { parameters: { id } });
      return { id, name: asset.name ?? "" };
    } catch (error) {
      if (error instanceof Refusal && error.code === "not-found") return null;
      if (!isPassing(error)) throw error;
      noteInterruption(id, reasonOf(error));
      await retryPause(failures, signal);
    }
}

function succeed(id: string, { batch, place }: Entry, added: Added): void {
  const sizeBytes = jobs.find((job) => job.id === id)?.sizeBytes ?? 0;
  progress.delete(id);
  change(id, {
    ...{ state: "done", receivedBytes: sizeBytes, interruption: null },
  });
  entries.delete(id);
  batch.added.set(place, added);
  const { id: assetId, name } = added;
  keepStored(async () => {
    await dropJobs(batch.id, [id], [{ id: assetId, name }]);
    await storeFiles();
  });
  close(batch);
}

function refuse(id: string, { batch }: Entry, error: unknown): void {
  const reason = reasonOf(error);
  change(id, {
    ...{ state: "refused", reason, isAgain: false, interruption: null },
  });
  keepStored(() => dropJobs(batch.id, [id]));
  close(batch);
}

/** One of its files is through. */
function close(batch: Batch): void {
  batch.open -= 1;
  if (batch.open > 0) return;
  const assets = [...batch.added]
    .sort(([one], [other]) => one - other)
    .map(([, asset]) => asset);
  if (assets.length > 0) batch.steps.whenIn(assets);
  keepStored(async () => {
    await dropBatch(batch.id);
    own.delete(batch.id);
  });
  batch.end(assets);
}

export async function tryAgain(ids: readonly string[]): Promise<void> {
  await Promise.all(
    ids
      .map(
        (id) =>
          new Promise<void>((resolve) => {
            const entry = entries.get(id);
            if (!entry) {
              resolve();
              return;
            }
            entry.batch = newBatch(entry.batch.steps, 1, () => {
              resolve();
            });
            change(id, { state: "waiting", isAgain: true, receivedBytes: 0 });
          }),
      )
      .concat([
        // After all of them are waiting.
        Promise.resolve().then(startNext),
      ]),
  );
}

export function setPaused(next: boolean): void {
  isPaused = next;
  keep([...jobs]);
  if (next) for (const entry of entries.values()) entry.controller?.abort();
  else startNext();
}

/** Nothing of them is left on the player; what is added already stays. */
export async function cancelJobs(
  ids: readonly string[],
  maxTries = maxDiscardTries,
): Promise<void> {
  const cancelled = ids.flatMap((id): readonly (readonly [string, Entry])[] => {
    const entry = entries.get(id);
    const state = jobs.find((job) => job.id === id)?.state;
    return entry && state !== "refused" ? [[id, entry]] : [];
  });
  const isCancelled = new Set(cancelled.map(([id]) => id));
  keep(jobs.filter(({ id }) => !isCancelled.has(id)));
  if (!hasOpenJobs()) isPaused = false;
  await Promise.all(
    cancelled.map(async ([id, entry]) => {
      entry.isCancelled = true;
      entry.controller?.abort();
      // A running one discards what it has sent when it has stopped.
      if (attempts.has(id)) await attempts.get(id);
      else await discard(id, entry, maxTries);
    }),
  );
}

const maxDiscardTries = 8;
const never = new AbortController().signal;

async function discard(
  id: string,
  entry: Entry,
  maxTries = maxDiscardTries,
): Promise<void> {
  entries.delete(id);
  keepStored(() => dropJobs(entry.batch.id, [id]));
  close(entry.batch);
  const uploadId = isBrowser ? id : (entry.sent?.uri.split(":")[1] ?? null);
  if (uploadId === null) return;
  for (let failures = 0; failures < maxTries; failures += 1)
    try {
      await operate("cancelUpload", { parameters: { id: uploadId } });
      return;
    } catch (error) {
      // There is none, or the player discards it by itself (V2-801).
      if (!isPassing(error)) return;
      await retryPause(failures, never);
    }
}

/** Clears finished and failed jobs; running ones continue. */
export function clearJobs(): void {
  for (const { id, state } of jobs) if (state === "refused") entries.delete(id);
  keep(
    jobs.filter(
      ({ state }) =>
        ["waiting", "running", "missing"].includes(state) ||
        (state === "done" && hasOpenJobs()),
    ),
  );
}

// Stored jobs.

/** What fails here only prevents that uploads continue after a reload. */
function keepStored(act: () => Promise<unknown>): void {
  if (isBrowser) act().catch(() => undefined);
}

let isStoring = false;

/** Stores the content of the files that are open, in their order, as far as they fit. */
async function storeFiles(): Promise<void> {
  if (isStoring) return;
  isStoring = true;
  try {
    for (let next = nextToStore(); next; next = nextToStore()) {
      const [id, entry, file] = next;
      // Also where it fails: it is not tried for ever.
      entry.storedAs = "sample";
      if (await storeFile(id, file, storedBytes())) entry.storedAs = "file";
    }
  } finally {
    isStoring = false;
  }
}

function nextToStore(): readonly [string, Entry, File] | null {
  for (const [id, entry] of entries) {
    const { file, batch, storedAs } = entry;
    if (file && batch.isStored && storedAs === "nothing")
      return [id, entry, file];
  }
  return null;
}

function storedBytes(): number {
  let bytes = 0;
  for (const { file, storedAs } of entries.values())
    if (storedAs === "file") bytes += file?.size ?? 0;
  return bytes;
}

/** Batches of this page that are stored, or will be in a moment. */
const own = new Map<string, Batch>();

/**
 * Continues what this tab uploaded before a reload, and what tabs uploaded that are gone; lets go of what another tab has taken. Call it
 * now and then.
 */
export async function adoptStored(
  stepsOf: (target: unknown) => Steps,
): Promise<void> {
  const stored = [...own.values()].filter(({ isStored }) => isStored);
  const { adopted, owned } = await adopt(
    ...([tabId, Date.now(), new Set(own.keys())] as const),
  );
  // One that has ended meanwhile is stored no more; its rejected files stay in the list.
  for (const { id, open } of stored) if (open > 0 && !owned.has(id)) letGo(id);
  for (const batch of adopted) continueBatch(batch, stepsOf(batch.target));
  startNext();
}

/** It is uploaded by another tab. */
function letGo(batchId: string): void {
  own.delete(batchId);
  const lost = [...entries].filter(([, { batch }]) => batch.id === batchId);
  for (const [id, { controller }] of lost) {
    entries.delete(id);
    controller?.abort();
  }
  const isLost = new Set(lost.map(([id]) => id));
  if (isLost.size > 0) keep(jobs.filter(({ id }) => !isLost.has(id)));
}

function continueBatch(stored: AdoptedBatch, steps: Steps): void {
  // One more, so that a batch of which everything was added ends as well.
  const batch = newBatch(
    ...([steps, stored.jobs.length + 1, undefined, stored.id] as const),
  );
  batch.isStored = true;
  own.set(batch.id, batch);
  for (const [place, asset] of stored.added.entries())
    batch.added.set(place - stored.added.length, asset);
  putJobs(
    stored.jobs.map(({ id, name, sizeBytes, ...job }) => {
      entries.set(
        id,
        newEntry(batch, job.place, {
          ...{ file: job.file, folder: job.folder, sample: job.sample },
          ...{ mayBeAdded: true, storedAs: job.file ? "file" : "sample" },
        }),
      );
      return newJob(id, name, sizeBytes, job.file ? "waiting" : "missing");
    }),
  );
  close(batch);
}

/** Continues with the bytes that have arrived. Returns the files that belong to none of the missing ones. */
export async function chooseAgain(
  files: readonly File[],
): Promise<readonly File[]> {
  const others: File[] = [];
  for (const file of files) {
    const sample = await sampleOf(file).catch(() => null);
    const found = jobs.find(({ id, state, name, sizeBytes }) => {
      if (state !== "missing" || sizeBytes !== file.size) return false;
      const known = entries.get(id)?.sample ?? null;
      // The page was reloaded before it had read anything of the file.
      if (known === null) return name === file.name;
      return sample !== null && isSameSample(known, sample);
    });
    const entry = found && entries.get(found.id);
    if (entry) {
      entry.file = file;
      change(found.id, { state: "waiting" });
    } else others.push(file);
  }
  startNext();
  return others;
}

function isSameSample(one: ArrayBuffer, other: ArrayBuffer): boolean {
  const [left, right] = [new Uint8Array(one), new Uint8Array(other)];
  return (
    left.length === right.length &&
    left.every((byte, place) => byte === right[place])
  );
}

/** Before a sign-out: the next person gets nothing of it. */
export async function forgetUploads(): Promise<void> {
  // Once: whoever signs out does not wait for a player that does not respond, which discards them by itself (V2-801).
  await cancelJobs(
    jobs.map(({ id }) => id),
    1,
  );
  clearJobs();
  await dropEverything().catch(() => undefined);
}
