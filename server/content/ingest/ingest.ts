// Takes every asset from its source to `finished`: leased, fetched, processed, retried, never lost (V4-210 to V4-216).

import { createHash } from "node:crypto";
import { sql } from "kysely";
import { generalSentences } from "../../contract/sentences/general-sentences.ts";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import type { Database } from "../../platform/database/database.ts";
import type { FilePart } from "../../platform/files/partial-file.ts";
import { AnswerError } from "../../platform/http/download.ts";
import type { Log } from "../../platform/log.ts";
import {
  diskRefusalOf,
  OutsideError,
  systemCode,
} from "../../platform/outside-error.ts";
import type { ContentTables } from "../tables.ts";
import { digestFile } from "./digest.ts";
import {
  fetchLimits,
  fetchSource,
  isMediaAddress,
  reasonOf,
  type Found,
  type Shown,
} from "./fetch.ts";
import type { FileRetention } from "./file-retention.ts";
import { createLeases, type Job } from "./leases.ts";
import { processBytes, writeProcessed } from "./process-asset.ts";
import { IngestError } from "./ingest-error.ts";
import { parseSource } from "./source-address.ts";
import { StorageAwayError } from "../files/storage-away.ts";
import type { StoredFiles } from "../files/stored-files.ts";
import {
  errorType,
  inSpan,
  inTrace,
  traceField,
  type Span,
  type Traces,
} from "../traces/traces.ts";

export interface Ingest {
  start(): void;
  /** Called when work may be due. */
  wake(): void;
  underWay(): number;
  stop(): Promise<void>;
}

export interface IngestOptions {
  readonly database: Database<ContentTables>;
  readonly store: StoredFiles;
  readonly fileRetention: FileRetention;
  readonly log: Log;
  readonly owner: string;
  readonly leaseMs: number;
  readonly maxBytes: number;
  readonly mayConnect: (address: string) => boolean;
  readonly makeId: () => string;
  readonly now: () => number;
  /** Called when stored files may have become unneeded. */
  readonly onLeftOver: () => void;
  /** Called when an asset has changed. */
  readonly onChanged: () => void;
  /** Growing pauses between attempts; after the last one the asset ends in an error. */
  readonly pausesMs?: readonly number[] | undefined;
  readonly slowMs?: number | undefined;
  /** For all attempts at one source together. */
  readonly maxFetchMs?: number | undefined;
  readonly traces?: Traces | null;
}

/** A few parallel fetches saturate a line; more would only delay each other. Processing local bytes has its own slots. */
const placesFor = { fetching: 4, processing: 2 };
type Place = keyof typeof placesFor;
/** A glitch costs seconds, a restarting server a minute; a longer outage is reported. */
const defaultPausesMs = [1_000, 4_000, 15_000, 60_000, 180_000];
/** A service is not restarted this often during one ingest: beyond it, the asset itself is what crashes the process. */
const maxTries = 20;
/** This much progress resets the count of attempts. */
const progressBytes = 1024 ** 2;
/** How often to look for work left by other instances and for pauses that have ended. */
const pollIntervalMs = 1_000;
const storagePauseMs = 15_000;

export function createIngest(options: IngestOptions): Ingest {
  const { database, store, fileRetention, log, leaseMs } = options;
  const { traces = null } = options;
  const { pausesMs = defaultPausesMs, maxFetchMs = fetchLimits.maxFetchMs } =
    options;
  const { kysely } = database;
  const leases = createLeases(options);
  const running = new Map<string, Running>();
  let isStopped = false;
  let isTaking = false;
  let isRunRequested = false;

  /** Leases due assets until all slots are taken; a call during a run makes it run once more. */
  async function takeUp(): Promise<void> {
    if (isTaking || isStopped) {
      isRunRequested = true;
      return;
    }
    isTaking = true;
    try {
      do {
        isRunRequested = false;
        for (const place of ["processing", "fetching"] as const)
          for (let hasMore = true; hasMore && !isStopped;)
            hasMore = await fill(place);
      } while (isRunRequested && !isStopped);
    } finally {
      isTaking = false;
    }
  }

  const runningAt = (place: Place): readonly Running[] =>
    [...running.values()].filter((each) => each.place === place);

  /** Starts one more here if there is one; when all slots are taken, a team that holds several gives one up. */
  async function fill(place: Place): Promise<boolean> {
    const inPlace = runningAt(place);
    const isFull = inPlace.length >= placesFor[place];
    const surplus = isFull ? surplusOf(inPlace) : null;
    if (isFull && surplus === null) return false;
    const teams = [...new Set(inPlace.map(({ job }) => job.teamId))];
    const criteria = {
      notAssets: [...running.keys()],
      hasBytes: place === "processing",
    };
    // A team without a slot has priority (V4-277).
    const job =
      (await leases.take({ ...criteria, notTeams: teams })) ??
      (isFull || teams.length === 0
        ? null
        : await leases.take({ ...criteria, notTeams: [] }));
    if (job === null) return false;
    // Nothing starts on a database that is about to be closed.
    if (isStopped) await leases.putDown(job.id, 0, job);
    else {
      surplus?.abort.abort();
      begin(job, place);
    }
    return !isFull;
  }

  /** Database work outside the jobs; stop() waits for it. */
  const backgroundWork = new Set<Promise<void>>();

  function runInBackground(act: () => Promise<void>, failure: string): void {
    const done = act()
      .catch((error: unknown) => log.error(failure, { error }))
      .finally(() => backgroundWork.delete(done));
    backgroundWork.add(done);
  }

  const wake = (): void => runInBackground(takeUp, "ingest.poll-failed");

  function begin(job: Job, place: Place): void {
    const abort = new AbortController();
    const done = inTrace(traces, { name: "ingest", kind: "internal" }, (span) =>
      ingestAsset(job, abort.signal, span),
    )
      .catch((error: unknown) => {
        // The database is unavailable: the lease expires and a worker takes the asset again.
        log.error("ingest.aborted", { asset: job.id, error });
      })
      .finally(() => {
        running.delete(job.id);
        wake();
      });
    running.set(job.id, { job, place, abort, done });
  }

  async function ingestAsset(
    job: Job,
    signal: AbortSignal,
    span: Span | null,
  ): Promise<void> {
    const had = await partOf(job).sizeBytes();
    const startedAt = performance.now();
    try {
      if (job.tries >= maxTries)
        throw new IngestError(serviceSentences["processing-interrupted"]);
      await ingestOnce(job, signal);
    } catch (error) {
      span?.fail(signal.aborted ? "interrupted" : errorType(error));
      await giveUp(job);
      const spentMs = job.spentMs + performance.now() - startedAt;
      if (signal.aborted)
        await leases.putDown(job.id, 0, { tries: job.tries, spentMs });
      else if (error instanceof IngestError) await endWith(job, error.message);
      else if (error instanceof StorageAwayError)
        await waitForStorage(job, error);
      else await tryAgain({ ...job, spentMs }, had, error);
    }
  }

  async function ingestOnce(job: Job, signal: AbortSignal): Promise<void> {
    const hash = job.sourceHash ?? (await fetchBytes(job, signal));
    if (hash === null) return;
    await storeStatus(job, "processing", hash);
    const processed = await inSpan(
      traces,
      { name: "ingest.process", kind: "internal" },
      () => processBytes(job, hash, { ...options, signal }),
    ).catch((error: unknown) => {
      throw error instanceof IngestError ? error : new ProcessingError(error);
    });
    const isWritten = await leases.whileOurs(job.id, async (transaction) => {
      await writeProcessed(transaction, job, processed, options);
      await fileRetention.release(transaction, job.id);
    });
    if (isWritten) noteFinished(job);
    // Deleted meanwhile, or leased by another worker.
    else await giveUp(job);
  }

  function noteFinished({ id }: Job): void {
    log.info("asset.finished", { asset: id, ...traceField(traces) });
    options.onChanged();
  }

  async function giveUp({ id }: Job): Promise<void> {
    await fileRetention.giveUp(id);
    options.onLeftOver();
  }

  /** The hash of the fetched bytes; null where the asset is no file and is finished already. */
  async function fetchBytes(
    job: Job,
    signal: AbortSignal,
  ): Promise<string | null> {
    const { sourceUrl } = job;
    if (!sourceUrl) throw new IngestError(serviceSentences["source-none"]);
    // Otherwise it would be downloaded in vain, again and again.
    if (!store.isLocal && !(await store.check()).canRead)
      throw new StorageAwayError(new Error("It was not asked for the source."));
    await storeStatus(job, "downloading");
    const part = partOf(job);
    // The server of the source is a stranger, to whom the trace is not sent.
    const source = await inSpan(
      traces,
      { name: "ingest.download", kind: "internal" },
      () => find(job, sourceUrl, part, signal),
    );
    if (source.kind !== "bytes") {
      await part.discard();
      await finishAddress(job, sourceUrl, source);
      return null;
    }
    const { aside } = source;
    // On the last attempt the bytes are accepted, or rejected, as they are.
    const mayBeCut = source.mayBeCut && pausesMs[job.tries] !== undefined;
    try {
      if (aside.sizeBytes === 0)
        throw new IngestError(serviceSentences["source-empty"]);
      await assertAnnounced(job, aside.path, aside.sizeBytes);
    } catch (error) {
      // The stored bytes are compared with those of the next attempt.
      if (mayBeCut) throw cutShort();
      await part.discard();
      throw error;
    }
    if (mayBeCut && !isAnnounced(job)) throw cutShort();
    await fileRetention.keep(aside, job.id, true);
    return aside.hash;
  }

  async function find(
    job: Job,
    url: string,
    part: FilePart,
    signal: AbortSignal,
  ): Promise<Found> {
    const { headers, userAgent, isVerified, validator } = job;
    try {
      return await fetchSource({
        ...{ url, headers, userAgent, isVerified, validator, part },
        silenceMs: fetchLimits.silenceMs,
        maxBytes: options.maxBytes,
        minRate: {
          bytes: fetchLimits.minBytes,
          ms: options.slowMs ?? fetchLimits.slowMs,
        },
        mayConnect: options.mayConnect,
        signal: AbortSignal.any([
          signal,
          AbortSignal.timeout(Math.max(0, maxFetchMs - job.spentMs)),
        ]),
        noteValidator: (validator) => noteValidator(job.id, validator),
      });
    } catch (error) {
      // Without a reachability check it counts as a page, and the player deals with it (V4-217).
      if (isVerified || signal.aborted || !mayBePage(url, job.tries, error))
        throw error;
      return { kind: "web", mimetype: "text/html" };
    }
  }

  /** Not a file by its extension, not a server that answers only later, not an interrupted transfer (V4-275). */
  function mayBePage(url: string, tries: number, error: unknown): boolean {
    const source = parseSource(url);
    if ("problem" in source || isMediaAddress(source.address)) return false;
    const isOfServer =
      error instanceof AnswerError ||
      (error instanceof OutsideError && error.kind === "corrupt");
    if (isOfServer) return pausesMs[tries] === undefined;
    return !(error instanceof OutsideError);
  }

  /** It says nothing about the source: no attempt is counted. */
  async function waitForStorage(job: Job, error: unknown): Promise<void> {
    log.warn("ingest.failed", {
      ...{ asset: job.id, tries: job.tries, error },
      ...traceField(traces),
    });
    const pause = Math.min(storagePauseMs, ...pausesMs.slice(-1));
    const { tries, spentMs } = job;
    await leases.putDown(job.id, pause, { tries, spentMs });
    setTimeout(wake, pause).unref();
  }

  async function tryAgain(
    job: Job,
    had: number,
    error: unknown,
  ): Promise<void> {
    const got = (await partOf(job).sizeBytes()) - had;
    // A disk that fails says nothing about the asset: it is retried until the disk works (V4-335).
    const lastTry = pausesMs.length - ((await isStorageFault(error)) ? 1 : 0);
    const tries = got >= progressBytes ? 0 : Math.min(job.tries, lastTry);
    const pause = pausesMs[tries];
    log.warn("ingest.failed", {
      ...{ asset: job.id, tries, error },
      ...traceField(traces),
    });
    const isLate =
      !(error instanceof ProcessingError) && job.spentMs >= maxFetchMs;
    if (isLate) await endWith(job, serviceSentences["source-slow"]);
    else if (pause !== undefined) {
      await leases.putDown(job.id, pause, {
        ...{ tries: tries + 1, spentMs: job.spentMs + pause },
      });
      setTimeout(wake, pause).unref();
    } else if (error instanceof ProcessingError)
      await endWith(job, serviceSentences["processing-unforeseen"]);
    else
      await endWith(
        job,
        composeSentence(serviceSentences["source-failed"], {
          reason: reasonOf(error),
        }),
      );
  }

  /** The disk or the object storage of the service is full, rejects what is stored, or is away. */
  async function isStorageFault(error: unknown): Promise<boolean> {
    if (!(error instanceof ProcessingError)) return false;
    const { cause } = error;
    if (cause instanceof StorageAwayError) return true;
    if (cause instanceof OutsideError) return cause.kind === "no-space";
    if (diskRefusalOf(cause) !== null) return true;
    return systemCode(cause) === "ENOENT" && (await store.isEmpty());
  }

  /** Written as soon as it is known, unless another worker holds the lease by now. */
  async function storeStatus(
    { id }: Job,
    status: "downloading" | "processing",
    hash?: string,
  ): Promise<void> {
    const isOurs = await leases.whileOurs(id, async (transaction) => {
      await transaction
        .updateTable("assets")
        .set({ status })
        .where("id", "=", id)
        .execute();
      if (hash === undefined) return;
      await transaction
        .updateTable("asset_intakes")
        .set({ source_hash: hash })
        .where("asset_id", "=", id)
        .execute();
      await transaction
        .deleteFrom("uploads")
        .where("asset_id", "=", id)
        .execute();
      await fileRetention.release(transaction, id);
    });
    if (!isOurs) running.get(id)?.abort.abort();
    if (!isOurs)
      throw new Error("the asset was deleted or is processed elsewhere");
  }

  async function endWith(job: Job, reason: string): Promise<void> {
    const isWritten = await leases.whileOurs(job.id, async (transaction) => {
      await transaction
        .updateTable("assets")
        .set({ status: "error", processing_error: reason })
        .where("id", "=", job.id)
        .execute();
      await closeIngest(transaction, job.id);
    });
    if (!isWritten) return;
    log.warn("asset.rejected", {
      ...{ asset: job.id, reason },
      ...traceField(traces),
    });
    options.onChanged();
    options.onLeftOver();
    await partOf(job).discard();
  }

  /** A page or a stream keeps its address. */
  async function finishAddress(
    job: Job,
    address: string,
    { kind, mimetype }: Shown,
  ): Promise<void> {
    const isWritten = await leases.whileOurs(job.id, async (transaction) => {
      await transaction
        .updateTable("assets")
        .set({
          ...{ status: "finished", processing_error: "", type: kind, mimetype },
          ...{ asset_url: address, md5: "skip_md5" },
          ...(job.title === "" && { title: address.slice(0, 4096) }),
        })
        .where("id", "=", job.id)
        .execute();
      await closeIngest(transaction, job.id);
    });
    if (isWritten) noteFinished(job);
  }

  async function closeIngest(
    transaction: typeof kysely,
    id: string,
  ): Promise<void> {
    // Bytes received in vain are dropped like the file of a deleted asset.
    await sql`INSERT INTO dropped_files (hash)
      SELECT source_hash FROM asset_intakes WHERE asset_id = ${id} AND source_hash IS NOT NULL
      UNION SELECT source_hash FROM uploads WHERE asset_id = ${id}
      ON CONFLICT DO NOTHING`.execute(transaction);
    await transaction
      .deleteFrom("uploads")
      .where("asset_id", "=", id)
      .execute();
    await transaction
      .updateTable("asset_intakes")
      .set({
        ...{ due_at: null, lease_owner: null, lease_until: 0 },
        ...{ source_hash: null, validator: null },
      })
      .where("asset_id", "=", id)
      .execute();
  }

  async function noteValidator(
    id: string,
    validator: string | null,
  ): Promise<void> {
    await kysely
      .updateTable("asset_intakes")
      .set({ validator })
      .where("asset_id", "=", id)
      .execute();
  }

  const partOf = ({ id }: Job): FilePart =>
    store.part(createHash("md5").update(id).digest("hex"));

  async function renew(): Promise<void> {
    // A job started while the query runs has a fresh lease and is not part of the query.
    const renewing = [...running];
    const ours = await leases.renew(renewing.map(([id]) => id));
    for (const [id, { abort }] of renewing) if (!ours.has(id)) abort.abort();
  }

  let timers: readonly NodeJS.Timeout[] = [];
  return {
    start: () => {
      timers = [
        setInterval(wake, pollIntervalMs),
        setInterval(
          () => runInBackground(renew, "ingest.renew-failed"),
          Math.floor(leaseMs / 3),
        ),
      ];
      wake();
    },
    wake,
    underWay: () => running.size,
    stop: async () => {
      isStopped = true;
      timers.forEach(clearInterval);
      for (const { abort } of running.values()) abort.abort();
      await Promise.all([...running.values()].map(({ done }) => done));
      await Promise.all(backgroundWork);
    },
  };
}

interface Running {
  readonly job: Job;
  readonly place: Place;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/** Of the team with the most slots, if more than one: the job started last, which continues later. */
function surplusOf(all: readonly Running[]): Running | null {
  const last = new Map<string, { count: number; latest: Running }>();
  // An aborted job is about to free its slot, so no other has to be stopped.
  if (all.some(({ abort }) => abort.signal.aborted)) return null;
  for (const each of all) {
    const { count = 0 } = last.get(each.job.teamId) ?? {};
    last.set(each.job.teamId, { count: count + 1, latest: each });
  }
  const [most] = [...last.values()].sort((a, b) => b.count - a.count);
  return most && most.count > 1 ? most.latest : null;
}

/** A failure with bytes that are stored already: not the fault of the source. */
class ProcessingError extends Error {
  constructor(cause: unknown) {
    super("processing failed", { cause });
  }
}

function cutShort(): OutsideError {
  return new OutsideError(
    "broken-off",
    generalSentences["server-size-unknown"],
  );
}

/** An announced hash or size reveals bytes that were cut short. */
function isAnnounced({ sourceMd5, sourceSize }: Job): boolean {
  return sourceMd5 !== null || sourceSize !== null;
}

/** The source must match what the client stated about it (V4-218). */
export async function assertAnnounced(
  { sourceMd5, sourceSize }: Pick<Job, "sourceMd5" | "sourceSize">,
  file: string,
  sizeBytes: number,
): Promise<void> {
  if (sourceSize !== null && sourceSize !== sizeBytes)
    throw new IngestError(
      composeSentence(serviceSentences["source-size"], {
        bytes: sizeBytes,
        announced: sourceSize,
      }),
    );
  if (sourceMd5 === null) return;
  const { md5 } = await digestFile(file);
  if (md5 !== sourceMd5.toLowerCase())
    throw new IngestError(
      composeSentence(serviceSentences["source-md5"], {
        md5,
        announced: sourceMd5,
      }),
    );
}
