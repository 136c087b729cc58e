// Downloads remote images and videos into the store in the background, so that they play without a network (V2-26).

import { createHash } from "node:crypto";
import { generalSentences } from "../../contract/sentences/general-sentences.ts";
import type { Asset } from "../../core/asset.ts";
import { Failure } from "../../core/failure.ts";
import type { FilePart } from "../../platform/files/partial-file.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import { reasonOfConnection } from "../../platform/http/client.ts";
import {
  AnswerError,
  download,
  TooManyBytesError,
  type Downloaded,
  type DownloadHead,
} from "../../platform/http/download.ts";
import type { Log } from "../../platform/log.ts";
import { OutsideError } from "../../platform/outside-error.ts";
import { createAnnouncement, createOneGo } from "../event-emitter.ts";
import type { Uploads } from "./uploads.ts";
import type { Library } from "../library/library.ts";
import { maxWaitMsFor } from "../library/library-change.ts";
import { everySecond, noProgress, type Progress } from "./transfer-progress.ts";
import type { SettingsStore } from "../settings.ts";
import type { Clock } from "../../platform/clock.ts";

export interface Fetcher {
  /** Downloads what is pending, and everything that becomes pending later. */
  start(): void;
  /** Aborts running downloads; a later start resumes them. */
  stop(): void;
  /** Once a second while bytes arrive, and once when a download has ended (V2-128). */
  onProgress(listener: (progress: Progress) => void): () => void;
}

export interface FetcherOptions {
  readonly library: Library;
  readonly uploads: Uploads;
  readonly store: FileStore;
  readonly settings: SettingsStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly maxBytes: number;
}

/** Two at a time fill a connection; more only make each of them later. */
const maxAtOnce = 2;
/** A connection that delivers no byte for this long is closed and resumed. */
const silenceMs = 30_000;
/** Growing pauses between retries: a hiccup costs seconds, an unreachable server one request every five minutes. */
const pausesMs = [2_000, 10_000, 60_000, 300_000];
/** A download slower than this gives its slot to others that wait, and is resumed later. */
const minBytesPerSecond = 1024;
const rateCheckMs = 30_000;
/** The server knows that there is no such file: a retry would get the same answer. */
const finalStatuses = new Set([404, 410]);
/** Attempts for a file that may have been cut short; after that it is judged as it is (V2-720). */
const maxUntoldEnds = 3;

/** Ends a download permanently: a retry would give the same result. */
class PermanentFailure extends Error {}

/** The file may be incomplete: its server does not declare where it ends, and two attempts differed. */
class UntoldEnd extends OutsideError {
  constructor() {
    super("broken-off", generalSentences["server-size-unknown"]);
  }
}

/** A download that occupies one of the slots. */
interface Job {
  /** An asset whose address has changed since has another job. */
  readonly uri: string;
  readonly abort: AbortController;
  /** How often this address failed before. */
  readonly tries: number;
  /** How often it ended without a declared length. */
  readonly untoldEnds: number;
  receivedBytes: number;
  totalBytes: number | null;
}

/** A failed download until its next attempt; it occupies no slot. */
interface Retry {
  readonly uri: string;
  readonly tries: number;
  readonly untoldEnds: number;
  isDue: boolean;
  cancel(): void;
}

export function createFetcher(options: FetcherOptions): Fetcher {
  const { library, uploads, store, settings, clock, log, maxBytes } = options;
  const jobs = new Map<string, Job>();
  const retries = new Map<string, Retry>();
  const progress = createAnnouncement<Progress>();
  const takeUpSoon = createOneGo(takeUp, clock);
  let stopListening = (): void => undefined;
  let isStopped = false;

  function takeUp(): void {
    if (isStopped) return;
    const pending = library.assets().filter((asset) => asset.isProcessing);
    const uris = new Map(pending.map(({ id, uri }) => [id, uri]));
    for (const [id, job] of jobs) if (uris.get(id) !== job.uri) end(id, job);
    for (const [id, retry] of retries)
      if (uris.get(id) !== retry.uri) forgetRetry(id, retry);
    while (jobs.size < maxAtOnce) {
      const next = nextOf(pending);
      if (!next) return;
      begin(next);
    }
  }

  /** By an address of another server that a slow download keeps waiting. */
  function isSlotNeeded({ uri }: Job): boolean {
    const pending = library.assets().filter((asset) => asset.isProcessing);
    const next = nextOf(pending);
    return next !== undefined && hostOf(next.uri) !== hostOf(uri);
  }

  /** In play order, but an address whose server is already being used comes after one of another server. */
  function nextOf(pending: readonly Asset[]): Asset | undefined {
    const due = pending.filter(
      ({ id }) => !jobs.has(id) && (retries.get(id)?.isDue ?? true),
    );
    const busy = new Set([...jobs.values()].map(({ uri }) => hostOf(uri)));
    return due.find(({ uri }) => !busy.has(hostOf(uri))) ?? due[0];
  }

  function begin(asset: Asset): void {
    const retry = retries.get(asset.id);
    if (retry) forgetRetry(asset.id, retry);
    const job: Job = {
      ...{ uri: asset.uri, abort: new AbortController() },
      tries: retry?.tries ?? 0,
      untoldEnds: retry?.untoldEnds ?? 0,
      ...{ receivedBytes: 0, totalBytes: null },
    };
    jobs.set(asset.id, job);
    fetchOnce(asset, job).catch((error: unknown) => {
      log.error("download.internal-error", { asset: asset.id, error });
      // Its slot is free again; an error that occurs each time must not cause a tight loop.
      if (jobs.get(asset.id) === job) retryLater(asset, job, error);
      takeUp();
    });
  }

  function retryLater({ id }: Asset, job: Job, reason: unknown): void {
    const { uri, tries } = job;
    jobs.delete(id);
    const pauseMs = pausesMs[Math.min(tries, pausesMs.length - 1)] ?? 0;
    const retry: Retry = {
      ...{ uri, tries: tries + 1, isDue: false },
      untoldEnds: job.untoldEnds + (reason instanceof UntoldEnd ? 1 : 0),
      cancel: clock.after(pauseMs, () => {
        retry.isDue = true;
        takeUp();
      }),
    };
    retries.set(id, retry);
  }

  function forgetRetry(id: string, retry: Retry): void {
    retries.delete(id);
    retry.cancel();
  }

  function end(id: string, job: Job): void {
    jobs.delete(id);
    job.abort.abort();
  }

  function emit(assetId: string, job: Job, isDone: boolean): void {
    const { receivedBytes, totalBytes } = job;
    progress.emit({
      ...{ ...noProgress, assetId, receivedBytes, totalBytes, isDone },
    });
  }

  function tooLarge(): PermanentFailure {
    return new PermanentFailure(
      `The file is larger than the limit of ${maxBytes} bytes.`,
    );
  }

  async function fetchOnce(asset: Asset, job: Job): Promise<void> {
    const part = store.part(partNameOf(asset));
    const reason = await downloadPart(asset, part, job).then(
      () => null,
      (error: unknown) => error,
    );
    if (jobs.get(asset.id) !== job) {
      // After a stop these bytes are resumed at the next start; after the asset is deleted they never are.
      if (!isStopped) await part.discard();
      return;
    }
    if (reason === null || reason instanceof PermanentFailure)
      emit(asset.id, job, true);
    if (reason === null) {
      jobs.delete(asset.id);
      log.info("asset.downloaded", { asset: asset.id });
    } else if (reason instanceof PermanentFailure) {
      await part.discard();
      log.warn("download.rejected", {
        asset: asset.id,
        reason: reason.message,
      });
      library.endProcessing(asset, reason.message);
      jobs.delete(asset.id);
    } else {
      const sentence = `The file cannot be downloaded: ${reasonOf(reason)}. Retrying automatically.`;
      retryLater(asset, job, reason);
      library.setProblem(asset.id, sentence);
    }
    takeUp();
  }

  async function downloadPart(
    asset: Asset,
    part: FilePart,
    job: Job,
  ): Promise<void> {
    const had = await part.sizeBytes();
    const endWatch = { now: (): void => undefined };
    const got = await download(new URL(asset.uri), {
      ...{
        path: part.path,
        had,
        maxBytes,
        assertDiskSpace: part.assertDiskSpace,
      },
      validator: had > 0 ? library.fetchValidator(asset.id) : null,
      request: {
        signal: job.abort.signal,
        verifyTls: settings.all().verifySsl && !asset.web.isCertificateSkipped,
        originHeaders: asset.web.headers,
        silenceMs,
      },
      begin: async (head) => {
        if (head.from === 0) await part.truncate(0);
        job.abort.signal.throwIfAborted();
        library.noteFetch(asset.id, head.validator);
        job.totalBytes = head.totalBytes;
        job.receivedBytes = head.from;
        endWatch.now = watch(asset, job, head);
        return true;
      },
      took: (_bytes, receivedBytes) => {
        job.receivedBytes = receivedBytes;
        return null;
      },
    })
      .finally(() => endWatch.now())
      .catch((error: unknown) => {
        throw permanentFailureOf(error) ?? error;
      });
    if (got === null) return;
    // These bytes are compared with those of the next attempt.
    const mayBeCut = !got.isEndDeclared && !got.isAsBefore;
    if (mayBeCut && job.untoldEnds < maxUntoldEnds - 1) throw new UntoldEnd();
    await admit(asset, part, got);
  }

  async function admit(
    asset: Asset,
    { path }: FilePart,
    { sha256: hash, sizeBytes, bytes }: Downloaded,
  ): Promise<void> {
    let isStillAttached = false;
    const file = await uploads
      .admit({ path, hash, sizeBytes, bytes }, "file", (stored) => {
        isStillAttached = library.attachFile(asset, stored);
      })
      .catch((error: unknown) => {
        throw error instanceof Failure
          ? new PermanentFailure(error.message)
          : error;
      });
    if (!isStillAttached) await uploads.forget([file.hash]);
  }

  /** Reports progress, and ends a download that only trickles while others wait; the returned function stops watching. */
  function watch(asset: Asset, job: Job, { from, body }: DownloadHead) {
    let checked = { atMs: clock.monotonic(), bytes: from };
    let reportedBytes = from;
    return everySecond(clock, () => {
      const { receivedBytes } = job;
      const periodMs = clock.monotonic() - checked.atMs;
      if (periodMs >= rateCheckMs) {
        const minBytes = (minBytesPerSecond * periodMs) / 1000;
        if (receivedBytes - checked.bytes < minBytes && isSlotNeeded(job))
          body.destroy(tooSlow());
        checked = { atMs: clock.monotonic(), bytes: receivedBytes };
      }
      if (jobs.get(asset.id) !== job || receivedBytes <= reportedBytes) return;
      reportedBytes = receivedBytes;
      emit(asset.id, job, false);
    });
  }

  /** An error that a retry would not change, with a message; null for any other. */
  function permanentFailureOf(error: unknown): PermanentFailure | null {
    if (error instanceof TooManyBytesError)
      return error.wereAnnounced
        ? new PermanentFailure("The server sent more data than expected.")
        : tooLarge();
    if (error instanceof AnswerError && finalStatuses.has(error.status))
      return new PermanentFailure(
        `The file cannot be downloaded: its server responded with status ${error.status}.`,
      );
    return null;
  }

  return {
    start: () => {
      isStopped = false;
      stopListening = library.onChanged((change) =>
        takeUpSoon.request(maxWaitMsFor(change)),
      );
      takeUp();
    },
    onProgress: progress.on,
    stop: () => {
      isStopped = true;
      stopListening();
      takeUpSoon.stop();
      for (const [id, job] of jobs) end(id, job);
      for (const [id, retry] of retries) forgetRetry(id, retry);
    },
  };
}

function tooSlow(): OutsideError {
  return new OutsideError("broken-off", generalSentences["server-slow"]);
}

function hostOf(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).host : uri;
}

/** One partial file per address: bytes that arrive late for a former address never end up in it. */
function partNameOf({ id, uri }: Asset): string {
  return createHash("sha256").update(`${id} ${uri}`).digest("hex").slice(0, 32);
}

function reasonOf(error: unknown): string {
  return error instanceof OutsideError || error instanceof AnswerError
    ? error.message.replace(/\.$/, "")
    : reasonOfConnection(error);
}
