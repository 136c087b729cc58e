// Upload jobs: files on their way into the player, some at once, each with its progress, none stopping the rest. They can be paused and
// cancelled, and are stored, so that they continue after a reload of the page.

import { useSyncExternalStore } from "react";
import { reasonOf } from "../api/reason.ts";
import type { SentFile } from "../../../server/contract/ipc/ipc.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";
import { t } from "../../locales/messages.ts";
import { operate } from "../api/operations.ts";
import { Refusal } from "../api/refusal.ts";
import { can, isBrowser } from "../place/abilities.ts";
import { randomId } from "../place/random-id.ts";
import { tabId } from "../place/tab-id.ts";
import { transport } from "../transport/transport.ts";
import type { ChosenFile } from "./dropped-files.ts";
import { isFault, mayHaveArrived, retried } from "./retried.ts";
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
  readonly claim: (
    sent: SentFile,
    folder: string,
    signal: AbortSignal,
  ) => Promise<Added>;
  /** Puts what was added where it belongs; may be repeated, after a reload too. Reports by itself what fails and will not pass. */
  readonly place?:
    | ((assets: readonly Added[], signal: AbortSignal) => Promise<void>)
    | undefined;
  /** Called when files were added and placed: together, or one that was retried later. */
  readonly whenIn: (assets: readonly Added[]) => void;
}

/** Files that were added together, with one summary at their end. */
interface Batch {
  readonly id: string;
  readonly steps: Steps;
  /** What the steps are made of; null where they do not continue after a reload. */
  readonly target: unknown;
  /** By their place among the files. */
  readonly added: Map<number, Added>;
  /** How many are neither added nor refused. */
  open: number;
  isStored: boolean;
  /** Nothing of it is stored any more, or will be in a moment. */
  isOver: boolean;
  /** Ends its placing, which is another tab's, or nobody's any more. */
  readonly placing: AbortController;
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
  /** Its upload is being discarded on the player: a retry begins after that. */
  discarding: Promise<void> | null;
}

let jobs: readonly Job[] = [];
let isPaused = false;
const entries = new Map<string, Entry>();
const attempts = new Map<string, Promise<void>>();
const listeners = new Set<() => void>();

const currentJobs = (): readonly Job[] => jobs;
const currentPause = (): boolean => isPaused;

export function useJobs(): readonly Job[] {
  return useSyncExternalStore(onJobs, currentJobs, currentJobs);
}

export function useIsPaused(): boolean {
  return useSyncExternalStore(onJobs, currentPause, currentPause);
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
    const batch = newBatch({ steps, target, end: resolve }, files.length);
    const mine = files.map(({ file, folder }, place) => {
      const id = randomId();
      entries.set(id, newEntry(batch, place, { file, folder }));
      return newJob(id, file.name, file.size, "waiting");
    });
    putJobs(mine);
    startNext();
    storeJobs(batch, mine);
  });
}

/** As soon as it is possible; they upload already. */
function storeJobs(batch: Batch, mine: readonly Job[]): void {
  const { id: batchId, target } = batch;
  if (target === null || !can("resumableUploads")) return;
  own.set(batchId, batch);
  const stored = mine.flatMap(({ id, name, sizeBytes }) => {
    const entry = entries.get(id);
    if (!entry) return [];
    const { place, folder, sample } = entry;
    return { id, batch: batchId, place, name, sizeBytes, sample, folder };
  });
  keepStored(async () => {
    await storeBatch(
      {
        ...{ id: batchId, target, owner: tabId },
        ...{ seenAt: Date.now(), added: [] },
      },
      stored,
    );
    batch.isStored = true;
    await storeFiles();
  });
}

function newBatch(
  made: Pick<Batch, "steps" | "target"> & Partial<Batch>,
  open: number,
): Batch {
  return {
    ...{ id: randomId(), added: new Map<number, Added>(), open },
    ...{ isStored: false, isOver: false, placing: new AbortController() },
    ...{ end: () => undefined, ...made },
  };
}

function newEntry(
  batch: Batch,
  place: number,
  known: Pick<Entry, "file" | "folder"> & Partial<Entry>,
): Entry {
  return {
    ...{ batch, place, sample: null, sent: null, mayBeAdded: false },
    ...{ isCancelled: false, storedAs: "nothing", controller: null },
    ...{ discarding: null, ...known },
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
    await endedBy(entry.discarding, signal);
    entry.discarding = null;
    const before = entry.mayBeAdded ? await addedBefore(id, signal) : null;
    if (before) {
      succeed(id, entry, before);
      return;
    }
    const added =
      (await sendAndClaim(id, entry, entry.file, signal)) ??
      (await sendAndClaim(id, entry, entry.file, signal));
    if (added === null) throw new Error(t("uploads.discarded"));
    succeed(id, entry, added);
  } catch (error) {
    if (entry.isCancelled) await discard(id, entry);
    else if (signal.aborted)
      change(id, { state: "waiting", interruption: null });
    else refuse(id, entry, error);
  } finally {
    entry.controller = null;
  }
}

/** Rejects with the reason of the signal as soon as that is aborted. */
function endedBy(work: Promise<void> | null, signal: AbortSignal) {
  return Promise.race([
    work,
    new Promise<never>((_, reject) => {
      const abort = (): void => reject(signal.reason as Error);
      signal.addEventListener("abort", abort, { once: true });
      if (signal.aborted) abort();
    }),
  ]);
}

/** Null where the player has discarded the upload while it waited: it is sent again. */
async function sendAndClaim(
  id: string,
  entry: Entry,
  file: File,
  signal: AbortSignal,
): Promise<Added | null> {
  entry.sent ??= await send(file, id, signal);
  await waitForSlot(id, entry);
  signal.throwIfAborted();
  return claimed(id, entry, entry.sent, signal);
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
async function waitForSlot(id: string, { batch, place }: Entry): Promise<void> {
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

/** Null where the player has discarded the upload: nobody claimed it within an hour (V2-15). */
async function claimed(
  id: string,
  entry: Entry,
  sent: SentFile,
  signal: AbortSignal,
): Promise<Added | null> {
  try {
    return await retried(
      () => entry.batch.steps.claim(sent, entry.folder, signal),
      signal,
      (error) => {
        entry.mayBeAdded = true;
        noteInterruption(id, reasonOf(error));
      },
    );
  } catch (error) {
    if (signal.aborted || mayHaveArrived(error)) entry.mayBeAdded = true;
    const isGone = error instanceof Refusal && error.fields?.["uri"];
    if (!isGone) throw error;
    const before = entry.mayBeAdded ? await addedBefore(id, signal) : null;
    if (before === null) entry.sent = null;
    return before;
  }
}

/** The asset of an upload has its identifier (V2-803): null where it was not added yet. */
async function addedBefore(
  id: string,
  signal: AbortSignal,
): Promise<Added | null> {
  try {
    const asset = await retried(
      () => operate("readAsset", { parameters: { id } }, signal),
      signal,
      (error) => {
        noteInterruption(id, reasonOf(error));
      },
    );
    return { id, name: asset.name ?? "" };
  } catch (error) {
    if (error instanceof Refusal && error.code === "not-found") return null;
    throw error;
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

function refuse(id: string, entry: Entry, error: unknown): void {
  const { batch } = entry;
  change(id, {
    ...{ state: "refused", reason: reasonOf(error), isAgain: false },
    interruption: null,
  });
  // A retry continues with what has arrived, unless it is of no use.
  if (entry.sent === null && !isFault(error))
    entry.discarding = discardOnPlayer(id, entry);
  keepStored(() => dropJobs(batch.id, [id]));
  close(batch);
}

const finishing = new Set<Promise<void>>();

/** One of its files is through. */
function close(batch: Batch): void {
  batch.open -= 1;
  if (batch.open > 0) return;
  const finished = finish(batch)
    .catch(notifyInternalError)
    .finally(() => finishing.delete(finished));
  finishing.add(finished);
}

/** It stays stored until everything is where it belongs. */
async function finish(batch: Batch): Promise<void> {
  const { steps, placing } = batch;
  const assets = [...batch.added]
    .sort(([one], [other]) => one - other)
    .map(([, asset]) => asset);
  try {
    if (assets.length > 0) {
      await steps.place?.(assets, placing.signal);
      placing.signal.throwIfAborted();
      steps.whenIn(assets);
    }
  } catch (error) {
    if (!placing.signal.aborted) throw error;
    return;
  } finally {
    batch.end(assets);
  }
  batch.isOver = true;
  keepStored(async () => {
    await dropBatch(batch.id);
    own.delete(batch.id);
  });
}

export async function tryAgain(ids: readonly string[]): Promise<void> {
  const ended = ids.map(
    (id) =>
      new Promise<void>((resolve) => {
        const entry = entries.get(id);
        const job = jobs.find((one) => one.id === id);
        if (!entry || !job) {
          resolve();
          return;
        }
        const { steps, target } = entry.batch;
        entry.batch = newBatch(
          {
            ...{ steps, target },
            end: () => {
              resolve();
            },
          },
          1,
        );
        entry.storedAs = "nothing";
        change(id, { state: "waiting", isAgain: true, receivedBytes: 0 });
        storeJobs(entry.batch, [job]);
      }),
  );
  // After all of them are waiting.
  startNext();
  await Promise.all(ended);
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
/** Nobody waits for it. */
const discardMs = 30_000;

async function discard(
  id: string,
  entry: Entry,
  maxTries = maxDiscardTries,
): Promise<void> {
  entries.delete(id);
  keepStored(() => dropJobs(entry.batch.id, [id]));
  close(entry.batch);
  await discardOnPlayer(id, entry, maxTries);
}

/** Nothing of it is left on the player; what fails for longer is discarded there by itself (V2-801). */
async function discardOnPlayer(
  id: string,
  entry: Entry,
  maxTries = maxDiscardTries,
): Promise<void> {
  const uploadId = isBrowser ? id : (entry.sent?.uri.split(":")[1] ?? null);
  if (uploadId === null) return;
  let failures = 0;
  const ending = new AbortController();
  await retried(
    () =>
      operate(
        "cancelUpload",
        { parameters: { id: uploadId } },
        AbortSignal.timeout(discardMs),
      ),
    ending.signal,
    () => {
      failures += 1;
      if (failures >= maxTries) ending.abort();
    },
  ).catch(() => undefined);
}

/** Clears finished and failed jobs, and what failed ones have left on the player; running ones continue. */
export async function clearJobs(maxTries = maxDiscardTries): Promise<void> {
  const refused = jobs.flatMap(({ id, state }) => {
    const entry = entries.get(id);
    return entry && state === "refused" ? [[id, entry] as const] : [];
  });
  for (const [id] of refused) entries.delete(id);
  keep(
    jobs.filter(
      ({ state }) =>
        ["waiting", "running", "missing"].includes(state) ||
        (state === "done" && hasOpenJobs()),
    ),
  );
  await Promise.all(
    refused.map(
      ([id, entry]) => entry.discarding ?? discardOnPlayer(id, entry, maxTries),
    ),
  );
}

// Stored jobs.

/** What fails here only prevents that uploads continue after a reload. */
function keepStored(act: () => Promise<unknown>): void {
  if (can("resumableUploads")) act().catch(() => undefined);
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
  for (const batch of stored)
    if (!batch.isOver && !owned.has(batch.id)) letGo(batch);
  for (const batch of adopted)
    if (!own.has(batch.id)) continueBatch(batch, stepsOf(batch.target));
  startNext();
}

/** It is uploaded by another tab. */
function letGo({ id: batchId, placing }: Batch): void {
  own.delete(batchId);
  placing.abort();
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
  const { id: batchId, target } = stored;
  const batch = newBatch(
    { id: batchId, steps, target },
    stored.jobs.length + 1,
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

/** For what is cancelled to be discarded, and for what is added to be put where it belongs. */
const leaveMs = 5_000;

async function discardAll(): Promise<void> {
  await cancelJobs(
    jobs.map(({ id }) => id),
    1,
  );
  await clearJobs(1);
  await Promise.all(finishing);
}

/** Before a sign-out: the next person gets nothing of it. */
export async function forgetUploads(): Promise<void> {
  // A sign-out does not wait for a player that does not respond: it discards them by itself (V2-801).
  await Promise.race([
    discardAll(),
    new Promise((resolve) => setTimeout(resolve, leaveMs)),
  ]);
  for (const { placing } of own.values()) placing.abort();
  own.clear();
  await dropEverything().catch(() => undefined);
}
