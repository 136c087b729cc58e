// Remote pictures and videos on their way into the store, so that they play without a network (V2-26).

import { createHash } from "node:crypto";
import type { Asset } from "../core/asset.ts";
import { Failure } from "../core/failure.ts";
import type { FilePart } from "../platform/file-part.ts";
import type { FileStore } from "../platform/file-store.ts";
import {
  askHttp,
  reasonOfConnection,
  type HttpAnswer,
} from "../platform/http-client.ts";
import type { Log } from "../platform/log.ts";
import { OutsideError } from "../platform/outside-error.ts";
import { createAnnouncement, createOneGo } from "./announcement.ts";
import type { Intake } from "./intake.ts";
import type { Library } from "./library.ts";
import { mostWaitMsFor } from "./library-change.ts";
import { everySecond, noProgress, type Progress } from "./progress.ts";
import type { SettingsStore } from "./settings.ts";
import type { Clock } from "./stage.ts";

export interface Fetcher {
  /** Takes up what waits, and whatever comes to wait later. */
  start(): void;
  /** Ends what is under way; a later start takes it up again. */
  stop(): void;
  /** Once a second while bytes come in, and once when nothing more will (V2-128). */
  onProgress(listener: (progress: Progress) => void): () => void;
}

export interface FetcherOptions {
  readonly library: Library;
  readonly intake: Intake;
  readonly store: FileStore;
  readonly settings: SettingsStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly mostBytes: number;
}

/** Two at once fill a line; more only make each of them late. */
const mostAtOnce = 2;
/** Without a byte for this long a connection is given up and resumed. */
const silenceMs = 30_000;
/** Growing pauses between tries: a hiccup costs seconds, a server that is gone one request in five minutes. */
const pausesMs = [2_000, 10_000, 60_000, 300_000];
/** A download slower than this gives its slot to others that wait, and is resumed later. */
const minBytesPerSecond = 1024;
const rateCheckMs = 30_000;
/** The server knows that there is no such file: asking again would bring the same. */
const finalStatuses = new Set([404, 410]);

/** What ends a fetch for good: trying again would bring the same. */
class NotWanted extends Error {}

/** A download that holds one of the slots. */
interface Job {
  /** An asset that shows another address by now has another job. */
  readonly uri: string;
  readonly abort: AbortController;
  /** How often this address failed before. */
  readonly tries: number;
  receivedBytes: number;
  totalBytes: number | null;
}

/** What failed, until its next try; it holds no slot. */
interface Retry {
  readonly uri: string;
  readonly tries: number;
  isDue: boolean;
  cancel(): void;
}

export function createFetcher(options: FetcherOptions): Fetcher {
  const { library, intake, store, settings, clock, log, mostBytes } = options;
  const jobs = new Map<string, Job>();
  const retries = new Map<string, Retry>();
  const progress = createAnnouncement<Progress>();
  const takeUpSoon = createOneGo(takeUp, clock);
  let stopListening = (): void => undefined;
  let isStopped = false;

  function takeUp(): void {
    if (isStopped) return;
    const wanted = library.assets().filter((asset) => asset.isProcessing);
    const uris = new Map(wanted.map(({ id, uri }) => [id, uri]));
    for (const [id, job] of jobs) if (uris.get(id) !== job.uri) end(id, job);
    for (const [id, retry] of retries)
      if (uris.get(id) !== retry.uri) forgetRetry(id, retry);
    while (jobs.size < mostAtOnce) {
      const next = nextOf(wanted);
      if (!next) return;
      begin(next);
    }
  }

  /** By an address of another server, which a slow one keeps waiting. */
  function isSlotWanted({ uri }: Job): boolean {
    const wanted = library.assets().filter((asset) => asset.isProcessing);
    const next = nextOf(wanted);
    return next !== undefined && hostOf(next.uri) !== hostOf(uri);
  }

  /** In the order of the library, but an address whose server is asked already gives way to one of another server. */
  function nextOf(wanted: readonly Asset[]): Asset | undefined {
    const due = wanted.filter(
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
      ...{ receivedBytes: 0, totalBytes: null },
    };
    jobs.set(asset.id, job);
    fetchOnce(asset, job).catch((error: unknown) => {
      log.error("fetch.bug-met", { asset: asset.id, error });
      // Its slot is free again; a fault that comes each time must not come in a tight loop.
      if (jobs.get(asset.id) === job) retryLater(asset, job);
      takeUp();
    });
  }

  function retryLater({ id }: Asset, { uri, tries }: Job): void {
    jobs.delete(id);
    const pauseMs = pausesMs[Math.min(tries, pausesMs.length - 1)] ?? 0;
    const retry: Retry = {
      ...{ uri, tries: tries + 1, isDue: false },
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

  function tell(assetId: string, job: Job, isDone: boolean): void {
    const { receivedBytes, totalBytes } = job;
    progress.tell({
      ...{ ...noProgress, assetId, receivedBytes, totalBytes, isDone },
    });
  }

  function tooLarge(): NotWanted {
    return new NotWanted(
      `The file is larger than the ${mostBytes} bytes allowed.`,
    );
  }

  async function fetchOnce(asset: Asset, job: Job): Promise<void> {
    const part = store.part(partNameOf(asset));
    const reason = await bringIn(asset, part, job).then(
      () => null,
      (error: unknown) => error,
    );
    if (jobs.get(asset.id) !== job) {
      // Stopped, these bytes are asked for again at the next start; deleted meanwhile, they never are.
      if (!isStopped) await part.discard();
      return;
    }
    if (reason === null || reason instanceof NotWanted)
      tell(asset.id, job, true);
    if (reason === null) {
      jobs.delete(asset.id);
      log.info("asset.fetched", { asset: asset.id });
    } else if (reason instanceof NotWanted) {
      await part.discard();
      log.warn("fetch.refused", { asset: asset.id, reason: reason.message });
      library.endProcessing(asset, reason.message);
      jobs.delete(asset.id);
    } else {
      const sentence = `The file cannot be fetched: ${reasonOf(reason)}. It is tried again.`;
      retryLater(asset, job);
      library.setProblem(asset.id, sentence);
    }
    takeUp();
  }

  async function bringIn(
    asset: Asset,
    part: FilePart,
    job: Job,
  ): Promise<void> {
    const had = await part.sizeBytes();
    const validator = had > 0 ? library.fetchValidator(asset.id) : null;
    const answer = await askHttp(new URL(asset.uri), {
      signal: job.abort.signal,
      verifyTls: settings.all().verifySsl && !asset.web.isCertificateSkipped,
      originHeaders: asset.web.headers,
      silenceMs,
      // Resumed only when the server can vouch that it is still the same file.
      headers: validator
        ? { Range: `bytes=${had}-`, "If-Range": validator }
        : {},
    });
    const start = startOf(answer, had);
    if (start === "elsewhere") {
      await part.truncate(0);
      throw new OutsideError("corrupt", "its server has another part of it");
    }
    if (start !== "whole") await pourIn(answer, start, asset, part, job);
    let isStillWanted = false;
    const file = await intake
      .admit(await part.finish(), "file", (kept) => {
        isStillWanted = library.attachFile(asset, kept);
      })
      .catch((error: unknown) => {
        throw error instanceof Failure ? new NotWanted(error.message) : error;
      });
    if (!isStillWanted) await intake.forget([file.hash]);
  }

  async function pourIn(
    answer: HttpAnswer,
    { from, total }: Start,
    asset: Asset,
    part: FilePart,
    job: Job,
  ): Promise<void> {
    if ((total ?? 0) > mostBytes) {
      answer.body.destroy();
      throw tooLarge();
    }
    if (from === 0) await part.truncate(0);
    job.abort.signal.throwIfAborted();
    library.noteFetch(asset.id, validatorOf(answer));
    job.totalBytes = total;
    job.receivedBytes = from;
    let checked = { atMs: clock.monotonic(), bytes: from };
    const stopTelling = everySecond(clock, () => {
      part.sizeBytes().then(
        (size) => {
          const periodMs = clock.monotonic() - checked.atMs;
          if (periodMs >= rateCheckMs) {
            const leastBytes = (minBytesPerSecond * periodMs) / 1000;
            if (size - checked.bytes < leastBytes && isSlotWanted(job))
              answer.body.destroy(tooSlow());
            checked = { atMs: clock.monotonic(), bytes: size };
          }
          if (jobs.get(asset.id) !== job || size <= job.receivedBytes) return;
          job.receivedBytes = size;
          tell(asset.id, job, false);
        },
        () => undefined,
      );
    });
    const { bytes, isOver } = await part
      .write(answer.body, from, (total ?? mostBytes) - from)
      .finally(stopTelling);
    job.receivedBytes = from + bytes;
    if (isOver)
      throw total === null
        ? tooLarge()
        : new NotWanted("The address sends more than it announced.");
    if (total !== null && from + bytes < total)
      throw new OutsideError("broken-off", "the connection broke off");
  }

  return {
    start: () => {
      isStopped = false;
      stopListening = library.onChanged((how) =>
        takeUpSoon.ask(mostWaitMsFor(how)),
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

/** Where the answer's bytes begin, and how many there are in all where it says so. */
interface Start {
  readonly from: number;
  readonly total: number | null;
}

/** `whole`: all of it came before anybody could look at it. `elsewhere`: what is here cannot be gone on with. */
function startOf(
  { status, headers, body }: HttpAnswer,
  had: number,
): Start | "whole" | "elsewhere" {
  if (status === 200) {
    const length = Number(headers["content-length"] ?? NaN);
    return { from: 0, total: Number.isSafeInteger(length) ? length : null };
  }
  const range = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(
    headers["content-range"] ?? "",
  );
  const total = range && range[2] !== "*" ? Number(range[2]) : null;
  if (status === 206 && range?.[1] === String(had)) return { from: had, total };
  body.destroy();
  if (status === 416 && total === had) return "whole";
  if (status === 416 || status === 206) return "elsewhere";
  if (finalStatuses.has(status))
    throw new NotWanted(
      `The file cannot be fetched: its server answers ${status}, it has no such file.`,
    );
  throw new OutsideError("corrupt", `it answers ${status}`);
}

function tooSlow(): OutsideError {
  return new OutsideError("broken-off", "its server sends too slowly");
}

function hostOf(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).host : uri;
}

/** Of each address its own: what comes in late for another one is not among its bytes. */
function partNameOf({ id, uri }: Asset): string {
  return createHash("sha256").update(`${id} ${uri}`).digest("hex").slice(0, 32);
}

/** A strong entity tag, else the date of the last change. */
function validatorOf({ headers }: HttpAnswer): string | null {
  const { etag } = headers;
  if (etag && !etag.startsWith("W/")) return etag;
  return headers["last-modified"] ?? null;
}

function reasonOf(error: unknown): string {
  return error instanceof OutsideError
    ? error.message.replace(/\.$/, "")
    : reasonOfConnection(error);
}
