// Download queue of one connection: downloads the missing files in parallel, within its rate limit and the disk space, for as long as
// they are requested.

import { playerSentences } from "../../../contract/sentences/player-sentences.ts";
import type { FileFailure } from "../../../core/sync-connection/connection-state.ts";
import type { DesiredState } from "../../../core/sync-connection/plan-progress.ts";
import type { Fetch } from "../../../core/sync-plan/sync-plan.ts";
import type { FileProgress } from "../../../core/sync-plan/sync-state.ts";
import { partsOfApps } from "../../../core/sync-plan/desired-content.ts";
import { createRate } from "../../../platform/http/transfer-rate.ts";
import type { Clock } from "../../../platform/clock.ts";
import { statfs } from "node:fs/promises";
import { OutsideError } from "../../../platform/outside-error.ts";
import type { RemoteError } from "../remote/remote-error.ts";
import {
  downloadFile,
  fileFailureOf,
  isPortal,
  isUnavailable,
  type DiskSpace,
  type DownloadOptions,
} from "./download-file.ts";

export interface DownloadQueue {
  /** From now on exactly these files are requested: downloads of all others are aborted. */
  request(fetches: readonly Fetch[], desired: DesiredState): void;
  /** Null while nothing is downloaded. */
  tally(): Tally | null;
  /** The rate limit of the connection may have changed. */
  limit(): void;
  /** Aborts all downloads; resolves when they have ended. */
  stop(): Promise<void>;
}

export interface Tally {
  readonly filesDone: number;
  readonly filesTotal: number;
  readonly receivedBytes: number;
  readonly totalBytes: number;
  readonly bytesPerSecond: number;
  readonly files: readonly FileProgress[];
}

export interface DownloadQueueOptions extends DownloadOptions {
  /** Upper bound, whatever the limit of the connection is. */
  readonly maxBytesPerSecond: number;
  /** `isRequested`: it is still wanted; otherwise its download was aborted too late. */
  readonly onCame: (md5: string, isRequested: boolean) => void;
  readonly onFailed: (md5: string, failure: FileFailure) => void;
  /** Files begin to be downloaded after everything was at rest. */
  readonly onBegun: () => void;
  /** Called once a second while downloads are running. */
  readonly onSecond: () => void;
  /**
   * Called with the error that ended the whole batch: no space, no proxy, an unavailable server, a portal; `hasReceived`: some
   * bytes have come in.
   */
  readonly onEnded: (error: unknown, hasReceived: boolean) => void;
}

interface Running {
  readonly fetch: Fetch;
  readonly abort: AbortController;
  receivedBytes: number;
  totalBytes: number | null;
}

/** The files that are requested at the moment, and their progress. */
interface Batch {
  readonly desired: DesiredState;
  readonly names: ReadonlyMap<string, string>;
  readonly partsOfApps: ReadonlySet<string>;
  waiting: Fetch[];
}

/** Small files spend most of their time waiting for a response, so many of them run at once. */
const maxAtOnce = 16;
/** Large ones saturate the line: with more bytes than this under way, at most two run at once. */
const plentyBytes = 32 * 1024 * 1024;
const fewAtOnce = 2;
/** Assumed for a file of unknown size. */
const defaultBytes = 4 * 1024 * 1024;
const secondMs = 1000;

export function createDownloadQueue(
  options: DownloadQueueOptions,
): DownloadQueue {
  const { connection, clock, parts } = options;
  const rate = createRate(clock);
  const siteRate = createRate(clock);
  const diskSpace = createDiskSpace(parts.dir, clock.monotonic);
  const speed = createSpeed(clock);
  const running = new Map<string, Running>();
  /** All running downloads, including aborted ones that have not ended yet. */
  const ending = new Set<Promise<void>>();
  let batch: Batch | null = null;
  let filesDone = 0;
  let bytesDone = 0;
  let hasReceived = false;
  /** Ends the whole batch. */
  let remoteError: unknown = null;
  /** Reported after everything else is done. */
  let portal: RemoteError | null = null;
  const away = createAwayServers();
  let stopTimer = (): void => undefined;

  function limit(): void {
    const { rateLimit } = connection();
    const most = Math.min(rateLimit ?? Infinity, options.maxBytesPerSecond);
    rate.limit(most === Infinity ? null : most);
    const { maxBytesPerSecond } = options;
    siteRate.limit(maxBytesPerSecond === Infinity ? null : maxBytesPerSecond);
  }

  function request(fetches: readonly Fetch[], desired: DesiredState): void {
    const requested = new Set(fetches.map(({ md5 }) => md5));
    for (const [md5, { abort }] of running)
      if (!requested.has(md5)) {
        running.delete(md5);
        abort.abort();
      }
    if (fetches.length === 0) return end();
    if (batch === null) begin();
    remoteError = null;
    portal = null;
    away.forget();
    batch = {
      desired,
      names: new Map(
        desired.content.assets.map(({ remoteId, facts }) => [
          remoteId,
          facts.name,
        ]),
      ),
      partsOfApps: partsOfApps(desired.content),
      waiting: fetches.filter(({ md5 }) => !running.has(md5)),
    };
    startNext();
  }

  function begin(): void {
    filesDone = 0;
    bytesDone = 0;
    hasReceived = false;
    limit();
    options.onBegun();
    speed.begin();
    waitASecond();
  }

  function end(): void {
    batch = null;
    stopTimer();
  }

  function waitASecond(): void {
    stopTimer = clock.after(secondMs, () => {
      waitASecond();
      speed.note(tally()?.receivedBytes ?? 0);
      options.onSecond();
    });
  }

  function startNext(): void {
    while (batch && remoteError === null && mayBegin()) {
      const fetch = batch.waiting.shift();
      if (!fetch) break;
      start(fetch, batch);
    }
    if (!batch || running.size > 0) return;
    end();
    options.onEnded(remoteError ?? away.remoteError() ?? portal, hasReceived);
  }

  function start(fetch: Fetch, { desired, partsOfApps: ofApps }: Batch): void {
    const { md5 } = fetch;
    const one: Running = {
      ...{ fetch, abort: new AbortController() },
      ...{ receivedBytes: 0, totalBytes: fetch.sizeBytes },
    };
    running.set(md5, one);
    const done = startDownload(one, desired, ofApps.has(md5))
      .then(
        () => came(one),
        (error: unknown) => failed(one, error),
      )
      .finally(() => ending.delete(done));
    ending.add(done);
  }

  function startDownload(
    one: Running,
    { sources }: DesiredState,
    isPartOfApp: boolean,
  ): Promise<void> {
    const { fetch, abort } = one;
    return downloadFile(fetch, {
      ...{
        ...options,
        rate,
        siteRate,
        diskSpace,
        signal: abort.signal,
        isPartOfApp,
      },
      sources: sources.get(fetch.md5) ?? [],
      onBytes: (received, total) => {
        hasReceived = true;
        one.receivedBytes = received;
        one.totalBytes = total ?? fetch.sizeBytes;
      },
    });
  }

  function came(one: Running): void {
    const isStillRequested = leave(one);
    away.came(sourcesOf(one.fetch));
    options.onCame(one.fetch.md5, isStillRequested);
    if (!isStillRequested) return;
    filesDone += 1;
    bytesDone += one.receivedBytes;
    startNext();
  }

  function failed(one: Running, error: unknown): void {
    // It was aborted.
    if (!leave(one)) return;
    const failure = fileFailureOf(error, one.receivedBytes);
    if (isPortal(error)) portal ??= error;
    if (isUnavailable(error) && error.waitMs === null)
      leaveOutAway(one.fetch, error);
    if (failure) options.onFailed(one.fetch.md5, failure);
    else remoteError ??= error;
    startNext();
  }

  /** Files on a server that is unavailable are left to another run (V2-680). */
  function leaveOutAway(fetch: Fetch, error: RemoteError): void {
    away.failed(fetch.md5, sourcesOf(fetch), error);
    if (!batch) return;
    const { waiting } = batch;
    batch.waiting = waiting.filter((one) => !away.isAway(sourcesOf(one)));
  }

  function sourcesOf({ md5 }: Fetch): readonly string[] {
    return batch?.desired.sources.get(md5) ?? [];
  }

  /** Returns false if it was no longer requested. */
  function leave(one: Running): boolean {
    const { md5 } = one.fetch;
    return running.get(md5) === one && running.delete(md5);
  }

  function mayBegin(): boolean {
    if (running.size >= Math.min(maxAtOnce, rate.maxAtOnce())) return false;
    if (running.size < fewAtOnce) return true;
    const underWay = sum([...running.values()], totalOf);
    return underWay < plentyBytes;
  }

  function tally(): Tally | null {
    if (!batch) return null;
    const { waiting, names } = batch;
    const underWay = [...running.values()];
    return {
      filesDone,
      filesTotal: filesDone + underWay.length + waiting.length,
      receivedBytes: bytesDone + sum(underWay, (one) => one.receivedBytes),
      totalBytes:
        bytesDone +
        sum(underWay, (one) => one.totalBytes ?? 0) +
        sum(waiting, (one) => one.sizeBytes ?? 0),
      bytesPerSecond: speed.perSecond(),
      files: underWay.map(({ fetch, receivedBytes, totalBytes }) => {
        const [remoteId = ""] = fetch.remoteIds;
        const name = names.get(remoteId) ?? remoteId;
        return { remoteId, name, receivedBytes, totalBytes };
      }),
    };
  }

  return {
    request,
    tally,
    limit,
    stop: async () => {
      for (const { abort } of running.values()) abort.abort();
      running.clear();
      end();
      await Promise.all(ending);
    },
  };
}

function totalOf({ totalBytes }: Running): number {
  return totalBytes ?? defaultBytes;
}

function sum<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((total, one) => total + of(one), 0);
}

interface Server {
  /** MD5 of the files that failed since the last success. */
  readonly failed: Set<string>;
  error: RemoteError;
}

/** A single file may itself be the cause. */
const fewestFiles = 2;

/** Tracks unavailable file servers: two consecutive failures by different files mark a server, one does not. */
function createAwayServers() {
  const servers = new Map<string, Server>();
  const awayAt = (origin: string): Server | null => {
    const server = servers.get(origin);
    return server && server.failed.size >= fewestFiles ? server : null;
  };
  return {
    /** A file was downloaded from one of these addresses. */
    came: (sources: readonly string[]): void => {
      for (const origin of originsOf(sources)) servers.delete(origin);
    },
    /** A file failed at all of these addresses: no response, or the transfer broke off. */
    failed: (
      md5: string,
      sources: readonly string[],
      error: RemoteError,
    ): void => {
      for (const origin of originsOf(sources)) {
        const server = servers.get(origin) ?? { failed: new Set(), error };
        server.failed.add(md5);
        server.error = error;
        servers.set(origin, server);
      }
    },
    /** True if all of these addresses are on unavailable servers, so no request is worth sending. */
    isAway: (sources: readonly string[]): boolean =>
      sources.length > 0 &&
      originsOf(sources).every((origin) => awayAt(origin) !== null),
    /** The last error of an unavailable server; null if there is none. */
    remoteError: (): RemoteError | null => {
      for (const origin of servers.keys()) {
        const server = awayAt(origin);
        if (server) return server.error;
      }
      return null;
    },
    forget: (): void => servers.clear(),
  };
}

function originsOf(sources: readonly string[]): readonly string[] {
  return [...new Set(sources.map((source) => new URL(source).origin))];
}

interface Speed {
  begin(): void;
  /** Total bytes received since the beginning. */
  note(bytes: number): void;
  perSecond(): number;
}

const windowMs = 5000;

function createSpeed(clock: Clock): Speed {
  let marks: { readonly at: number; readonly bytes: number }[] = [];
  return {
    begin: () => {
      marks = [{ at: clock.monotonic(), bytes: 0 }];
    },
    note: (bytes) => {
      const at = clock.monotonic();
      marks = [
        ...marks.filter((mark) => at - mark.at <= windowMs),
        { at, bytes },
      ];
    },
    perSecond: () => {
      const first = marks[0];
      const last = marks.at(-1);
      if (!first || !last || last.at <= first.at) return 0;
      const rate = ((last.bytes - first.bytes) * 1000) / (last.at - first.at);
      return Math.max(0, Math.round(rate));
    },
  };
}

/** Other programs write to the disk, too. */
const measureIntervalMs = 500;
/** With less than this to spare, every call measures. */
const plentyFreeBytes = 256 * 1024 * 1024;

function createDiskSpace(dir: string, monotonic: () => number): DiskSpace {
  let measuredAt = -Infinity;
  /** As measured then, minus what has been promised since. */
  let freeBytes = 0;

  async function measure(bytes: number, reserveBytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(dir);
    measuredAt = monotonic();
    freeBytes = bavail * bsize - bytes;
    if (freeBytes < reserveBytes)
      throw new OutsideError("no-space", playerSentences["disk-reserve-left"]);
  }

  return {
    assertFor: (bytes, reserveBytes) => {
      const isRecent = monotonic() - measuredAt < measureIntervalMs;
      if (!isRecent || freeBytes - bytes < reserveBytes + plentyFreeBytes)
        return measure(bytes, reserveBytes);
      freeBytes -= bytes;
      return null;
    },
  };
}
