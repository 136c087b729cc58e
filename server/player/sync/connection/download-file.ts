// Downloads one missing file: tries its addresses in order, resumes partial downloads, verifies the bytes, retries a few times and
// adds the file to the asset store.

import pRetry, { AbortError } from "p-retry";
import type { FileFailure } from "../../../core/sync-connection/failed-files.ts";
import type { DesiredFile } from "../../../core/sync-plan/desired-content.ts";
import type { SyncConnection } from "../../../core/sync-plan/sync-state.ts";
import { Failure } from "../../../core/failure.ts";
import type { Aside } from "../../../platform/files/partial-file.ts";
import {
  AnswerError,
  digestsOf,
  download as downloadBytes,
  TooManyBytesError,
  UnexpectedHeadError,
  type Downloaded,
  type DownloadHead,
} from "../../../platform/http/download.ts";
import type { Rate, DiskSpace } from "../download/limits.ts";
import type { Part, Parts } from "../download/partial-files.ts";
import { RemoteError, toRemoteError, waitOf } from "../remote/remote-error.ts";
import type { SiteDownload } from "../site/site-sharing.ts";
import type { SyncLibrary } from "../store/library-store.ts";
import { shareDownload, type PlayerSource } from "./share-download.ts";
import type { Clock } from "../../../platform/clock.ts";
import { pause } from "../../../platform/clock.ts";

/** Options shared by all files of a connection. */
export interface DownloadOptions {
  readonly connection: () => SyncConnection;
  /** Sent to the content service only, never to a host it redirects to. */
  readonly token: () => Promise<string | null>;
  readonly library: Pick<SyncLibrary, "admit" | "admitPart" | "hasFile">;
  readonly parts: Parts;
  readonly clock: Clock;
  readonly random: () => number;
  /** Disk space to keep free. */
  readonly reserveBytes: () => number;
  /** A transfer without a byte for this long is aborted and resumed later. */
  readonly silenceMs: number;
  /** Other players of the site may have the file, or be downloading it; null: they are not asked. */
  readonly site: SiteFiles | null;
}

/** Files of this connection, shared within the site. */
export type SiteFiles = (
  of: {
    readonly md5: string;
    readonly bytes: number;
    readonly sizeBytes: number | null;
    readonly path: string;
  },
  signal: AbortSignal,
) => Promise<SiteDownload | null>;

export interface DownloadFileOptions extends DownloadOptions {
  readonly rate: Rate;
  /** Of what other players of the site send: the operator's limit is that of the line to the content service. */
  readonly siteRate: Rate;
  readonly diskSpace: DiskSpace;
  readonly signal: AbortSignal;
  /** Addresses of the file; at least one. */
  readonly sources: readonly string[];
  /** Apps consist of web pages: one with the right length is not taken for a captive portal. */
  readonly isPartOfApp: boolean;
  /** Bytes received, and the total where it is known. */
  readonly onBytes: (receivedBytes: number, totalBytes: number | null) => void;
}

/** The bytes do not match the hash from the content service. */
class WrongBytes extends Error {
  /** They were requested again from the first byte. */
  readonly isFromStart: boolean;
  /** False: they may be truncated, because the server does not declare where they end (V2-681). */
  readonly isEndDeclared: boolean;

  constructor(message: string, isFromStart: boolean, isEndDeclared = true) {
    super(message);
    this.name = "WrongBytes";
    this.isFromStart = isFromStart;
    this.isEndDeclared = isEndDeclared;
  }
}

/** The server does not return the file at this address. */
class NotGiven extends Error {}

/** Enough for a brief outage; anything longer is left to the next poll. */
const maxTries = 3;
const firstPauseMs = 1000;
const pauseGrowth = 4;
/** A longer pause is not waited for within a batch. */
const maxPauseMs = 30_000;

/** Larger than any video; a server that declares no end cannot fill the disk. */
const maxBytes = 1024 ** 4;
/** Of bytes from a player that knows no validator of their source: other players continue them, the source does not. */
const siteValidator = '"vitrine-site"';
/** Below this size, downloading from scratch is faster than recording how to resume. */
const smallBytes = 256 * 1024;

/** Throws the error of the last try: a RemoteError, a Failure of the store, WrongBytes or NotGiven. */
export async function downloadFile(
  file: DesiredFile,
  options: DownloadFileOptions,
): Promise<void> {
  const { clock, random, signal, parts, library } = options;

  async function attempt(): Promise<void> {
    signal.throwIfAborted();
    await parts.alone(file.md5, signal, async () => {
      // Another connection may have downloaded it in the meantime.
      if (library.hasFile(file.md5)) return;
      const shared = await beginShared(file, options);
      let isComplete = false;
      try {
        const aside = await receive(file, { ...options, shared });
        shared?.verified();
        await admit(file, aside, options).catch((error: unknown) => {
          throw error instanceof Failure && error.code !== "no-space"
            ? error
            : toRemoteError(error, "The player's store");
        });
        isComplete = true;
      } finally {
        shared?.end(isComplete);
      }
    });
  }

  /** A partial file that was corrupted on the way proves nothing about the file on the server. */
  async function attemptFromStart(): Promise<void> {
    await attempt().catch((error: unknown) => {
      if (error instanceof WrongBytes && !error.isFromStart) return attempt();
      throw error;
    });
  }

  await pRetry(
    () =>
      attemptFromStart().catch((error: unknown) => {
        if (isWorthATry(error)) throw error;
        throw new AbortError(error as Error);
      }),
    {
      // Without the signal: it would end the wait while the last try still stores the file. The try itself observes it.
      ...{ retries: maxTries - 1, minTimeout: 0, maxTimeout: 0 },
      onFailedAttempt: async (error) => {
        if (error.retriesLeft === 0) return;
        const grown = firstPauseMs * pauseGrowth ** (error.attemptNumber - 1);
        const requestedWaitMs =
          error instanceof RemoteError ? error.waitMs : null;
        if ((requestedWaitMs ?? 0) > maxPauseMs) throw error;
        const ms = Math.max(requestedWaitMs ?? 0, grown * (0.5 + random()));
        await pause(clock, ms, signal);
      },
    },
  );
}

async function admit(
  { md5 }: DesiredFile,
  aside: Aside,
  { library, parts, isPartOfApp }: DownloadFileOptions,
): Promise<void> {
  if (isPartOfApp) await library.admitPart(aside, md5);
  else await library.admit(aside, md5);
  // The validator of the partial file is not needed any more.
  await parts.part(md5).done();
}

/** Null: other players of the site are not asked; also if they could send any number of bytes. */
async function beginShared(
  { md5, sizeBytes }: DesiredFile,
  { site, parts, signal }: DownloadFileOptions,
): Promise<SiteDownload | null> {
  if (site === null || sizeBytes === null) return null;
  const { path, sizeBytes: had } = parts.part(md5);
  return site({ md5, sizeBytes, path, bytes: await had() }, signal);
}

interface SharedOptions extends DownloadFileOptions {
  readonly shared: SiteDownload | null;
}

function receive(file: DesiredFile, options: SharedOptions): Promise<Aside> {
  const { shared, signal, parts } = options;
  if (shared === null) return fromAnySource(file, options);
  return shareDownload(shared, signal, {
    fromSource: () => fromAnySource(file, options),
    fromPlayer: (player) =>
      download(file, {
        ...{ ...options, player, source: player.address.href },
        ...{ part: parts.part(file.md5), token: null },
      }),
    isWrong: (error) => error instanceof WrongBytes,
    isNotGiven: (error) => error instanceof NotGiven,
    isImplausible: (error) => error instanceof UnexpectedHeadError,
  });
}

/** Downloads from the first address that returns the file; throws the error of the last one (V2-534). */
async function fromAnySource(
  file: DesiredFile,
  options: SharedOptions,
): Promise<Aside> {
  const { sources, parts, connection, token } = options;
  for (const [place, source] of sources.entries())
    try {
      return await download(file, {
        ...options,
        ...{ source, player: null },
        part: parts.part(file.md5),
        token: isSameOrigin(source, connection()) ? await token() : null,
      });
    } catch (error) {
      if (!isOfAddress(error) || place === sources.length - 1) throw error;
    }
  throw new Error("a file without a source");
}

/** The error concerns this address only: another one may still work. */
function isOfAddress(error: unknown): boolean {
  return (
    error instanceof NotGiven ||
    (error instanceof WrongBytes && error.isFromStart) ||
    isPortal(error) ||
    isUnavailable(error)
  );
}

function isWorthATry(error: unknown): boolean {
  return error instanceof WrongBytes || isUnavailable(error);
}

/** The failure of this file alone; null for an error that every other file would meet, too. */
export function fileFailureOf(
  error: unknown,
  receivedBytes: number,
): FileFailure | null {
  // Only a complete file is known to be damaged (V2-681).
  if (error instanceof WrongBytes)
    return {
      reason: error.isEndDeclared
        ? `The file is damaged at its source. ${error.message}`
        : `The file is incomplete or damaged at its source, which does not report its size. ${error.message}`,
      ...{ isGivenUp: error.isEndDeclared, isAddressOld: false },
    };
  // A portal may have replaced this file alone: all others are downloaded nevertheless (V2-532).
  if (error instanceof NotGiven || isPortal(error))
    return { reason: error.message, isGivenUp: false, isAddressOld: true };
  // An unavailable file server says nothing about the lists or about other files (V2-531, V2-680).
  if (isUnavailable(error))
    return {
      ...{ reason: error.message, isGivenUp: false, isAddressOld: false },
      ...(error.waitMs === null
        ? { brokeOffAtBytes: receivedBytes }
        : { retryAfterMs: error.waitMs }),
    };
  // Its bytes are correct, but they are not media.
  if (error instanceof Failure)
    return {
      reason: error.message,
      ...{ isGivenUp: true, isAddressOld: false },
    };
  return null;
}

export function isUnavailable(error: unknown): error is RemoteError {
  return error instanceof RemoteError && error.code === "unavailable";
}

export function isPortal(error: unknown): error is RemoteError {
  return error instanceof RemoteError && error.code === "portal";
}

interface SourceOptions extends Omit<SharedOptions, "token"> {
  readonly part: Part;
  /** Another player of the site; null for the file's own source. */
  readonly player: PlayerSource | null;
  /** The address in use. */
  readonly source: string;
  readonly token: string | null;
}

/**
 * Throws WrongBytes, NotGiven, a RemoteError or, for what a player sends, UnexpectedHeadError; bytes received so far are kept for the
 * next try.
 */
async function download(
  file: DesiredFile,
  options: SourceOptions,
): Promise<Aside> {
  try {
    return await downloadPart(file, options);
  } catch (thrown) {
    const error = inWords(thrown, options);
    if (error instanceof WrongBytes) await options.part.discard();
    if (
      error instanceof WrongBytes ||
      error instanceof NotGiven ||
      error instanceof UnexpectedHeadError
    )
      throw error;
    throw toRemoteError(error, `The server of ${hostOf(options.source)}`);
  }
}

async function downloadPart(
  file: DesiredFile,
  options: SourceOptions,
): Promise<Aside> {
  const { part } = options;
  const had = await part.sizeBytes();
  // Already complete, but interrupted before it was verified.
  if (had > 0 && had === file.sizeBytes)
    return asideOf(file, part, {
      ...(await digestsOf(part.path)),
      ...{ isFromStart: false, isEndDeclared: true, isAsBefore: false },
    });
  const validator = had > 0 ? await part.validator() : null;
  await assertDiskSpace(options, (file.sizeBytes ?? 0) - had);
  const seen = { isPage: false, totalBytes: file.sizeBytes };
  const { diskSpace, source, shared, player } = options;
  const rate = player ? options.siteRate : options.rate;
  const got = await downloadBytes(new URL(source), {
    ...{ path: part.path, had, validator, isRestOnly: player !== null },
    maxBytes: file.sizeBytes ?? maxBytes,
    request: requestOf(options),
    requested: () => shared?.requested(),
    begin: async (head) => {
      seen.isPage = isPage(head);
      seen.totalBytes = head.totalBytes ?? file.sizeBytes;
      if (player) assertRestOf(file, head);
      else assertPlausible(file, head, options.isPartOfApp);
      const isGoneOnWith = (head.totalBytes ?? Infinity) > smallBytes;
      const lasting = head.validator ?? (player ? siteValidator : null);
      if (head.from === 0) await part.begin(isGoneOnWith ? lasting : null);
      shared?.began({
        ...{ path: part.path, from: head.from, validator: head.validator },
        totalBytes: seen.totalBytes,
      });
      return true;
    },
    assertDiskSpace: () => diskSpace.assertFor(0, options.reserveBytes()),
    took: (bytes, receivedBytes) => {
      options.onBytes(receivedBytes, seen.totalBytes);
      // The last ones are still being written.
      shared?.written(receivedBytes - bytes, receivedBytes);
      const ahead = player ? null : (shared?.ahead() ?? null);
      if (!rate.isLimited()) return ahead;
      const step = inStep(bytes, rate);
      return ahead === null ? step : step.then(() => ahead);
    },
  });
  if (got === null) throw new Error("it was not refused");
  shared?.written(got.sizeBytes, got.sizeBytes);
  if (seen.isPage && got.sizeBytes !== (file.sizeBytes ?? got.sizeBytes)) {
    await part.discard();
    throw portal();
  }
  return asideOf(file, part, got);
}

function requestOf(
  options: SourceOptions,
): Parameters<typeof downloadBytes>[1]["request"] {
  const { silenceMs, signal, token, source, player } = options;
  const { proxyUrl, isCertificateSkipped, baseUrl } = options.connection();
  if (player)
    return {
      ...{ silenceMs, agent: player.agent, verifyTls: true },
      signal: AbortSignal.any([signal, player.signal]),
      // Nobody in the network can have another address requested.
      isFirstServerOnly: true,
    };
  return {
    ...{ silenceMs, signal, proxy: proxyUrl },
    verifyTls: !(isCertificateSkipped && isSameOrigin(source, { baseUrl })),
    ...(token !== null && {
      originHeaders: { Authorization: `Token ${token}` },
    }),
  };
}

/** Spreads a chunk evenly according to the rate limit. */
async function inStep(bytes: number, rate: Rate): Promise<void> {
  for (let left = bytes; left > 0;) {
    const planned = Math.min(left, rate.stepBytes());
    await rate.take(planned);
    left -= planned;
  }
}

function asideOf(
  file: DesiredFile,
  { path }: Part,
  {
    md5,
    sha256: hash,
    sizeBytes,
    isFromStart,
    isEndDeclared,
    bytes,
  }: Downloaded,
): Aside {
  if (md5 !== file.md5)
    throw new WrongBytes(
      `Its MD5 is ${md5}; the content service announced ${file.md5}.`,
      isFromStart,
      // With the expected number of bytes, the file was not truncated.
      isEndDeclared || sizeBytes === file.sizeBytes,
    );
  return { path, hash, sizeBytes, bytes };
}

/** Translates an error that concerns this file alone and not the server as a whole. */
function inWords(error: unknown, { clock }: SourceOptions): unknown {
  if (error instanceof TooManyBytesError)
    return new WrongBytes("Its server sent more data than expected.", true);
  if (!(error instanceof AnswerError)) return error;
  const { status, headers } = error;
  const sentence = `The file's server responds with status ${status}.`;
  if (status === 408 || status === 425 || status === 429 || status >= 500)
    return new RemoteError(
      ...(["unavailable", sentence] as const),
      waitOf(headers["retry-after"], clock.now()),
      status,
    );
  return new NotGiven(sentence);
}

/** Rejects the response if it is a page in place of media or has another length than the service declared. */
function assertPlausible(
  { sizeBytes }: DesiredFile,
  head: DownloadHead,
  mayBePage: boolean,
): void {
  const { totalBytes } = head;
  const isOther =
    sizeBytes !== null && totalBytes !== null && sizeBytes !== totalBytes;
  if (isPage(head) && (isOther || !mayBePage)) throw portal();
  if (isOther)
    throw new WrongBytes(
      `It has ${totalBytes} bytes; the content service announced ${sizeBytes}.`,
      true,
    );
}

/** What another player sends has the size that the content service declared, and is no page: it drops no byte otherwise (V2-825). */
function assertRestOf({ sizeBytes }: DesiredFile, head: DownloadHead): void {
  if (isPage(head) || head.totalBytes !== sizeBytes)
    throw new UnexpectedHeadError();
}

function isPage({ headers }: DownloadHead): boolean {
  return /^text\/html/i.test(headers["content-type"] ?? "");
}

function portal(): RemoteError {
  return new RemoteError(
    "portal",
    "A web page was received instead of the file. This network may require signing in.",
  );
}

function assertDiskSpace(
  { diskSpace, reserveBytes }: SourceOptions,
  neededBytes: number,
): Promise<void> | null {
  return diskSpace.assertFor(Math.max(0, neededBytes), reserveBytes());
}

/** True for the content service itself: it gets the token, and its certificate may go unverified. */
function isSameOrigin(
  source: string,
  { baseUrl }: Pick<SyncConnection, "baseUrl">,
): boolean {
  return new URL(source).origin === new URL(baseUrl).origin;
}

function hostOf(source: string): string {
  return URL.canParse(source) ? new URL(source).host : "the file";
}
