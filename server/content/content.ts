// Entry point of the content service: opens the database and the files, starts the ingest, and listens on request.

import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Failure } from "../core/failure.ts";
import { createUlids } from "../core/ulid.ts";
import { createRandomBytes } from "../platform/random-bytes.ts";
import { systemClock } from "../platform/clock.ts";
import { baseAddress } from "../platform/http/machine-addresses.ts";
import {
  startDatabaseClock,
  type DatabaseClock,
} from "../platform/database/database-clock.ts";
import { DatabaseError, type Database } from "../platform/database/database.ts";
import { startHttpServer, type HttpServer } from "../platform/http/server.ts";
import {
  CertificateError,
  followTlsFiles,
  readTlsFiles,
  type TlsFiles,
  type TlsPair,
} from "../platform/http/tls-files.ts";
import { createLog, type Log } from "../platform/log.ts";
import type { HashCost } from "../platform/password-hash.ts";
import {
  diskRefusalOf,
  OutsideError,
  systemCode,
} from "../platform/outside-error.ts";
import { openPostgres } from "../platform/database/postgres.ts";
import { warnOfOthers } from "../platform/files/private-folder.ts";
import { createRequestScheduler } from "../platform/request-scheduler.ts";
import { openPostgresReplica } from "../platform/database/postgres-replica.ts";
import { createReadReplica, type ReadReplica } from "./replica/read-replica.ts";
import { openServiceFiles } from "./files/service-files.ts";
import { announceContent } from "./announce-content.ts";
import { authorScope, commandAuthor } from "./activity/activity.ts";
import { startActivityRetention } from "./activity/retention.ts";
import { createAdopted } from "./adopted/adopted.ts";
import { playerConnections } from "./adopted/player-address.ts";
import { ownTables } from "./backup/own-tables.ts";
import { createAlerts } from "./alerts/alerts.ts";
import { createMailer } from "./alerts/mailer.ts";
import { createAddresses } from "./files/signed-addresses.ts";
import { createApp } from "./app.ts";
import { isForThisMachineAlone, type ContentConfig } from "./config.ts";
import { maxClockOffMs } from "./health.ts";
import { createIngest } from "./ingest/ingest.ts";
import {
  createFileRetention,
  type FileRetention,
} from "./ingest/file-retention.ts";
import { isPublicAddress } from "./ingest/source-address.ts";
import { createKeys, type Keys } from "./access/keys.ts";
import { createHeartbeats } from "./link/heartbeats.ts";
import { createLink } from "./link/link.ts";
import { createOpenid } from "./people/openid/openid.ts";
import { createPasswordLinks } from "./people/password-links.ts";
import { createPasswordMail } from "./people/password-mail.ts";
import { createPasskeys } from "./people/passkeys/passkeys.ts";
import { createPeople, type People } from "./people/people.ts";
import { createSessions } from "./people/sessions.ts";
import { createSignInFlows } from "./people/sign-in-flows.ts";
import { createSignInLimit } from "./people/sign-in-limit.ts";
import { createRetryQueue, retryAfterSeconds } from "./link/retry-queue.ts";
import { maxSockets } from "./link/sockets.ts";
import { createAppTokens } from "./access/app-tokens.ts";
import { createSiteKeys } from "./access/site-keys.ts";
import {
  createSealer,
  readSecretsKey,
  sealStored,
  type Sealer,
} from "./access/secret-encryption.ts";
import { addressSecret } from "./access/signing-secret.ts";
import { startBackups, type Backups } from "./store/backups.ts";
import { migrated } from "./store/migrate-store.ts";
import { openStore } from "./store/open-store.ts";
import { startStoredFileCheck } from "./files/stored-file-check.ts";
import { lastRestored, restoredText } from "./store/restore.ts";
import type { ContentTables } from "./tables.ts";
import { traceSettings } from "./traces/trace-settings.ts";
import {
  createStatementTraces,
  type StatementTraces,
} from "./traces/trace-statements.ts";
import type { Traces } from "./traces/traces.ts";
import { createGeocode } from "./v3/places/geocode.ts";
import type { TakeScreenshot } from "./v3/operation/v3.ts";
import { createWhatIf } from "./what-if/what-if.ts";

export {
  contentFlags,
  readProcessConfig,
  type ContentConfig,
} from "./config.ts";

export interface Content {
  /** e.g. `http://127.0.0.1:8090` */
  readonly address: string;
  /** A key created because there was none; returned only this once. */
  readonly newKey: string | null;
  readonly keys: Keys;
  readonly people: People;
  stop(): Promise<void>;
}

export interface ContentOptions extends ContentConfig {
  readonly version: string;
  /** The default writes to `log/` in the data folder. */
  readonly log?: Log | undefined;
  /** Screenshots of pages, where a browser is available (V3-15). */
  readonly takeScreenshot?: TakeScreenshot | undefined;
  /** Growing pauses between attempts to fetch a source. */
  readonly pausesMs?: readonly number[] | undefined;
  /** Time window for the minimum transfer rate of a source, in milliseconds. */
  readonly slowMs?: number | undefined;
  /** Limit for all attempts at one source together, in milliseconds. */
  readonly maxFetchMs?: number | undefined;
  /** Delay from the start to the first backup of SQLite. */
  readonly firstBackupMs?: number | undefined;
  /** Delay from the first start to the first check of all stored files, and between two checks. */
  readonly fileCheckMs?: number | undefined;
  /** Delay between two checks for old playbacks. */
  readonly playbackCheckMs?: number | undefined;
  /** Delay between two checks of the alert rules. */
  readonly alertCheckMs?: number | undefined;
  /** Delay after the first attempt at sending an alert. */
  readonly alertPauseMs?: number | undefined;
  /** Delay between two contacts with an adopted player. */
  readonly adoptedPollMs?: number | undefined;
  /** Delay between two looks at the files of the certificate. */
  readonly certificateCheckMs?: number | undefined;
  /** Replaces the clock of this machine in tests. */
  readonly machineNow?: (() => number) | undefined;
  /** Limit for each request to the provider of OpenID Connect, in milliseconds. */
  readonly openidTimeoutMs?: number | undefined;
  /** Replaces the cost of a password's hash in tests. */
  readonly hashCost?: HashCost | undefined;
  /** Where the bundler puts the manager for browsers at a content service; without it, none is served. */
  readonly managerDir?: string | undefined;
  /** For runtimes too old for the binary shipped with better-sqlite3. */
  readonly sqliteBinding?: string | undefined;
}

/** Two seconds are enough for any answer except a long transfer, which is cut off. */
const graceMs = 2_000;
const sweepIntervalMs = 600_000;
export const defaultTeam = "Vitrine";

/** Throws a Failure with a sentence when the port, database, disk or certificate is unavailable. */
export function createContent(options: ContentOptions): Promise<Content> {
  return startContent(options).catch((error: unknown) => {
    throw asStartFailure(error);
  });
}

/** A Failure with a sentence where the database or the disk prevents the start; any other error unchanged. */
export function asStartFailure(error: unknown): unknown {
  if (error instanceof DatabaseError)
    return new Failure(
      "unavailable",
      `The database cannot be used: ${error.message}`,
    );
  return error instanceof Error &&
    (diskRefusalOf(error) !== null || isOfNewFolder(error))
    ? new Failure("unavailable", `The disk cannot be used: ${error.message}`)
    : error;
}

/** When a disk is not writable, Node reports ENOENT for a recursive mkdir. */
function isOfNewFolder(error: Error): boolean {
  return systemCode(error) === "ENOENT" && /\bmkdir\b/.test(error.message);
}

async function startContent(options: ContentOptions): Promise<Content> {
  await mkdir(options.dataDir, { recursive: true });
  const log = options.log ?? openLog(options);
  const opened: Closer[] = [log.close];
  const closeAll = async (): Promise<void> => {
    for (let close = opened.pop(); close; close = opened.pop()) await close();
  };
  try {
    return await openContent(options, log, opened, closeAll);
  } catch (error) {
    // Whatever is left open would keep the process running.
    log.error("content.not-started", { error });
    await closeAll();
    throw error;
  }
}

type Closer = () => Promise<void> | void;

/** What is to be closed when the start fails or the service stops is added to `opened`, in the order of opening. */
async function openContent(
  options: ContentOptions,
  log: Log,
  opened: Closer[],
  closeAll: () => Promise<void>,
): Promise<Content> {
  const { dataDir, host } = options;
  const traces = await startTraces(options, log);
  // Last: what ends before it is exported, too.
  if (traces) opened.push(traces.stop);
  const kind = options.databaseUrl === undefined ? "sqlite" : "postgres";
  const { database, backUp, whyReopen } = await openDatabase(
    options,
    log,
    traces && createStatementTraces(traces, kind),
  );
  let backups: Backups | null = null;
  opened.push(async () => {
    // A backup under way ends with its database.
    const backedUp = backups?.stop();
    await database.close();
    await backedUp;
  });
  const replica = openReplica(database, options, log);
  if (replica) opened.push(replica.stop);
  await noteOrder(database, log);
  const clock = await startClock(database, options, log);
  opened.push(clock.stop);
  const { now } = clock;
  const { store, copy } = await openServiceFiles({
    ...{ ...options, log, now, traces },
  });
  const { secretsKey, sealer } = await openSealer(database, options, log);
  if (backUp)
    backups = startBackups({
      ...{ dataDir, backUp, kept: options.backupsKept, now, log },
      firstAfterMs: options.firstBackupMs,
    });
  const restored = backUp ? await lastRestored(dataDir) : null;
  const makeUlid = createUlids(createRandomBytes());
  const makeId = (): string => makeUlid(now());
  const keys = createKeys({ database, makeId, now });
  const newKey = await firstKey(keys, options);
  const fileRetention = createFileRetention(database, store);
  const maxBytes = options.maxFileMb * 1_000_000;
  const mayReachAll =
    options.allowPrivateSources || isForThisMachineAlone(options);
  const mayConnect = mayReachAll ? () => true : isPublicAddress;
  const sweeping = startSweeping(fileRetention, options.sweepAfterMs, log);
  opened.push(sweeping.stop);
  const monotonic = (): number => performance.now();
  opened.push(startActivityRetention({ database, log, now }));
  const people = createPeople({
    ...{ database, now, makeId, sealer, hashCost: options.hashCost },
  });
  const sessions = createSessions({ database, now, makeId, monotonic });
  const retryQueue = createRetryQueue(monotonic, Math.random);
  const link = createLink({
    ...{ database, store, fileRetention, log, makeId, now },
    ...{ monotonic, retryQueue },
    offlineAfterMs: options.offlineAfterMs,
    pictureMinutes: options.screenshotMinutes,
    playbackDaysKept: options.playbackDaysKept,
    playbackCheckMs: options.playbackCheckMs,
    onLeftOver: () => sweeping.soon(),
    openSecret: sealer.open,
    appToken: (installationId) => appTokens.make(installationId),
    siteKeys: (teamId) => siteKeys(teamId),
  });
  opened.push(link.stop);
  const owner = `${os.hostname()} ${process.pid} ${randomUUID()}`;
  const mailer = createMailer(options);
  const signInFlows = createSignInFlows({ database, now, monotonic });
  const passkeys = createPasskeys({ database, now, makeId });
  const passwordLinks = createPasswordLinks({
    ...{ database, now, makeId, hashCost: options.hashCost },
  });
  const openid = await createOpenid(options, {
    ...{ database, now, makeId, monotonic },
    defaultTeam: () => keys.teamNamed(defaultTeam),
    timeoutMs: options.openidTimeoutMs,
  });
  const passwordMail = mailer
    ? createPasswordMail({
        ...{ people, links: passwordLinks, mailer, makeId, monotonic, log },
      })
    : null;
  if (passwordMail) opened.push(passwordMail.stop);
  const alerts = createAlerts({
    ...{ database, log, makeId, now, mayConnect, owner, traces },
    ...{ openSecret: sealer.open, mailer },
    ...{ checkMs: options.alertCheckMs, firstPauseMs: options.alertPauseMs },
  });
  opened.push(alerts.stop);
  const whatIf = createWhatIf({ database, log, now });
  opened.push(whatIf.stop);
  const adopted = createAdopted({
    ...{ database, store, log, makeId, now, sealer, owner },
    heartbeats: createHeartbeats({
      ...{ database, makeId, now, offlineAfterMs: options.offlineAfterMs },
    }),
    ...{ news: link.news, changes: link.changes, random: Math.random },
    mayConnect: playerConnections(mayReachAll),
    // A player that responds never becomes offline between two contacts.
    pollMs:
      options.adoptedPollMs ?? Math.min(30_000, options.offlineAfterMs / 3),
  });
  opened.push(adopted.stop);
  const ingest = createIngest({
    ...{ database, store, fileRetention, log, makeId, maxBytes, mayConnect },
    ...{ leaseMs: options.leaseMs, pausesMs: options.pausesMs },
    ...{ slowMs: options.slowMs, maxFetchMs: options.maxFetchMs },
    ...{ owner, now, traces },
    onLeftOver: sweeping.soon,
    onChanged: () => link.changes.announceSoon(),
  });
  const fileCheck = startStoredFileCheck({
    ...{ database, store, log, pauseMs: options.fileCheckMs },
    onDamaged: () => {
      ingest.wake();
      link.changes.announceSoon();
    },
  });
  opened.push(fileCheck.stop);
  opened.push(copy().stop);
  opened.push(async () => {
    // It puts down its work before the transfers that it waits for are ended.
    const stopped = ingest.stop();
    store.stop();
    await stopped;
  });
  const secret = await addressSecret(database, secretsKey);
  const addresses = createAddresses(secret, now);
  const appTokens = createAppTokens(secret);
  const siteKeys = createSiteKeys(secret, now);
  const requestScheduler = createRequestScheduler(() => performance.now());
  const geocode = createGeocode({ log, providerUrl: options.geocoderUrl });
  opened.push(geocode.stop);
  const wakeSoon = soon(ingest.wake);
  const sweepSoon = soon(sweeping.soon);
  const app = createApp({
    ...{ config: options, version: options.version, database, store, keys },
    ...{ people, sessions, signInLimit: createSignInLimit(monotonic) },
    ...{ passwordLinks, passwordMail, openid, signInFlows, passkeys },
    ...{ fileRetention, ingest, addresses, log, makeId, maxBytes, mayConnect },
    ...{
      traces,
      link,
      adopted,
      alerts,
      mailer,
      whatIf,
      appTokens,
      geocode,
      onLeftOver: sweepSoon,
      clock,
      whyReopen,
      replica,
    },
    onMissingFile: fileCheck.reportMissing,
    storeHealth: () => ({
      ...(restored && { restored: restoredText(restored) }),
      ...(backups?.problem() && { backup_problem: backups.problem() }),
      ...(fileCheck.problem() && { files_problem: fileCheck.problem() }),
      ...(replica && healthOf(replica)),
    }),
    takeScreenshot: options.takeScreenshot,
    managerDir: options.managerDir,
    sealSecret: sealer.seal,
    retryAfterSeconds: retryAfterSeconds(retryQueue),
    afterWrite: ({ isAdding, isDropping }) => {
      link.changes.announceSoon();
      if (isAdding) wakeSoon();
      if (isDropping) sweepSoon();
    },
  });
  const server = await listen();
  ingest.start();
  await link.start().catch(async (error: unknown) => {
    await server.stop(graceMs);
    throw error;
  });
  alerts.start();
  const announcer = announceContent({ ...options, port: server.port, log });
  opened.push(announcer.stop);
  whatIf.start();
  adopted.start();
  log.info("content.started", { version: options.version, port: server.port });
  if (!options.log) await warnOfOthers(dataDir, log);

  async function listen(): Promise<HttpServer> {
    const files = tlsFilesOf(options);
    const tls = files ? await readTls(files) : undefined;
    const started = await startHttpServer(app, {
      ...{ host, port: options.port, requestScheduler, tls },
      maxWebSockets: maxSockets,
      retryAfterSeconds: retryAfterSeconds(retryQueue),
      refusal: (message) => ({
        ...{ code: "PGRST102", message, details: null, hint: null },
      }),
    }).catch((error: unknown) => {
      throw error instanceof OutsideError
        ? new Failure("conflict", error.message)
        : error;
    });
    if (files && tls)
      opened.push(
        followTlsFiles({
          ...{ files, pair: tls, clock: systemClock },
          intervalMs: options.certificateCheckMs,
          onReplaced: (pair) => {
            started.replaceCertificate(pair);
            log.info("content.certificate-replaced");
          },
          onRejected: (reason) =>
            log.error("content.certificate-rejected", { reason }),
        }),
      );
    return started;
  }

  return {
    address: addressOf(server, options),
    ...{ newKey, keys, people },
    stop: async () => {
      // Waiting requests are answered at once.
      await Promise.all([link.stop(), announcer.stop()]);
      await server.stop(graceMs);
      log.info("content.stopped");
      await closeAll();
    },
  };
}

/** For the command line: keys can be created and people invited while the service is running. */
export async function withKeys<T>(
  options: ContentConfig,
  act: (keys: Keys, people: People) => Promise<T>,
): Promise<T> {
  await mkdir(options.dataDir, { recursive: true });
  const { database } = await openDatabase(options, null, null);
  const makeUlid = createUlids(createRandomBytes());
  try {
    const clock = await startDatabaseClock({
      ...{ database, machineNow: Date.now, onFailed: () => undefined },
      monotonic: () => performance.now(),
    });
    clock.stop();
    const { now } = clock;
    const makeId = (): string => makeUlid(now());
    const sealer = createSealer(await readSecretsKey(options));
    return await authorScope.run(
      () => commandAuthor,
      () =>
        act(
          createKeys({ database, makeId, now }),
          createPeople({ database, makeId, now, sealer }),
        ),
    );
  } finally {
    await database.close();
  }
}

interface OpenedDatabase {
  readonly database: Database<ContentTables>;
  /** SQLite only: PostgreSQL has its own backup tools. */
  readonly backUp: ((to: string) => Promise<string | null>) | null;
  /** Why the database has to be reopened before any further write (V4-323, V4-331). */
  readonly whyReopen: () => string | null;
}

/** Without a log a damaged database is rejected, not restored. */
async function openDatabase(
  {
    dataDir,
    databaseUrl,
    databaseConnections: connections,
    storage,
    previousStorage,
    sqliteBinding: binding,
  }: ContentConfig & Pick<ContentOptions, "sqliteBinding">,
  log: Log | null,
  statements: StatementTraces | null,
): Promise<OpenedDatabase> {
  const observe = statements?.observe;
  const named = async <T extends Database<ContentTables>>(
    database: T,
  ): Promise<T> => {
    if (!statements) return database;
    const tables = await ownTables(database.kysely, database.kind).catch(
      async (error: unknown) => {
        await database.close();
        throw error;
      },
    );
    statements.nameTables(tables.map(({ name }) => name));
    return database;
  };
  try {
    if (databaseUrl !== undefined)
      return {
        database: await named(
          await migrated(
            openPostgres<ContentTables>(databaseUrl, { connections, observe }),
          ),
        ),
        ...{ backUp: null, whyReopen: () => null },
      };
    const database = await named(
      await openStore({
        ...{ dataDir, binding, log, observe },
        hasObjectStorage: (storage ?? previousStorage) !== undefined,
      }),
    );
    const { backUp, whyReopen } = database;
    return { database, backUp, whyReopen };
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      "unavailable",
      `The database cannot be opened: ${(error as Error).message || "it does not respond"}`,
    );
  }
}

/** Its packages are loaded only if it is on. */
async function startTraces(
  options: ContentOptions,
  log: Log,
): Promise<Traces | null> {
  const settings = traceSettings(options);
  if (settings === null) return null;
  if ("problem" in settings) throw new Failure("malformed", settings.problem);
  const { openTraces } = await import("./traces/open-telemetry.ts");
  return openTraces({
    ...{ settings, log, version: options.version, instance: randomUUID() },
  });
}

/** Null where none is configured. It need not be there at the start. */
function openReplica(
  primary: Database<ContentTables>,
  options: ContentConfig,
  log: Log,
): ReadReplica | null {
  const { readDatabaseUrl: url, readMaxLagSeconds } = options;
  if (url === undefined) return null;
  const connections = options.databaseConnections;
  const replica = createReadReplica({
    ...{ primary, log, monotonic: () => performance.now() },
    replica: openPostgresReplica(url, { connections, connectMs: 1_000 }),
    observed: openPostgresReplica(url, {
      ...{ connections: 1, connectMs: 2_000, statementMs: 2_000 },
    }),
    maxLagMs: readMaxLagSeconds * 1000,
  });
  replica.start();
  return replica;
}

/** Which server answers lists (V4-404). */
function healthOf(replica: ReadReplica): Readonly<Record<string, string>> {
  const { problem } = replica.status();
  return problem === null
    ? { lists_from: "replica" }
    : { lists_from: "primary", replica_problem: problem };
}

/** All instances use the database's clock; its offset from this machine's clock is logged. */
async function startClock(
  database: Database<ContentTables>,
  { machineNow = Date.now }: Pick<ContentOptions, "machineNow">,
  log: Log,
): Promise<DatabaseClock> {
  const clock = await startDatabaseClock({
    ...{ database, machineNow, monotonic: () => performance.now() },
    onFailed: (error) => log.warn("clock.check-failed", { error }),
  });
  const aheadMs = clock.machineAheadMs();
  if (Math.abs(aheadMs) > maxClockOffMs)
    log.warn("clock.off", {
      aheadSeconds: Math.round(aheadMs / 1000),
      advice:
        "This PC's clock differs from the database server's, which is the one that counts. Turn on network time (NTP).",
    });
  return clock;
}

async function openSealer(
  database: Database<ContentTables>,
  options: ContentConfig,
  log: Log,
): Promise<{ readonly secretsKey: string | null; readonly sealer: Sealer }> {
  const secretsKey = await readSecretsKey(options);
  const sealer = createSealer(secretsKey);
  await sealStored(database, sealer, secretsKey !== null, log);
  return { secretsKey, sealer };
}

/** PostgreSQL orders texts within JSON by the collation of the database, and no statement can change that (V4-10). */
async function noteOrder(
  { kind, read }: Database<ContentTables>,
  log: Log,
): Promise<void> {
  if (kind !== "postgres") return;
  const [found] = await read({
    text: `SELECT '"a"'::jsonb > '"B"'::jsonb AS is_by_bytes, datcollate AS collation
      FROM pg_database WHERE datname = current_database()`,
    values: [],
  });
  if (found?.["is_by_bytes"] === true) return;
  log.warn("database.collation-unsupported", {
    collation: found?.["collation"],
    advice:
      "Strings within JSON are not sorted byte by byte. Create the database with LOCALE 'C' to change that.",
  });
}

/** The operator's key, or a random one where there is none at all; null when nothing had to be generated. */
async function firstKey(
  keys: Keys,
  { apiKey, noFirstKey }: Pick<ContentConfig, "apiKey" | "noFirstKey">,
): Promise<string | null> {
  const key = { name: "first key", team: defaultTeam };
  if (apiKey === undefined)
    return noFirstKey || (await keys.hasAny()) ? null : keys.add(key);
  if (await keys.isKnown(apiKey)) return null;
  await keys
    .add({ ...key, name: "set at start", secret: apiKey })
    .catch(async (error: unknown) => {
      // Another instance was faster; or the key was revoked.
      if (!(await keys.isKnown(apiKey)))
        throw error instanceof Failure
          ? new Failure("conflict", "The API key set at start was revoked.")
          : error;
    });
  return null;
}

function startSweeping(
  fileRetention: FileRetention,
  olderThanMs: number,
  log: Log,
) {
  const failed = (error: unknown): void =>
    log.error("store.sweep-failed", { error });
  let isPlanned = false;
  let current: Promise<unknown> = Promise.resolve();
  const runInOrder = (act: () => Promise<unknown>): void => {
    current = current.then(act).catch(failed);
  };
  const all = (): void => runInOrder(() => fileRetention.sweep(olderThanMs));
  all();
  const often = Math.min(sweepIntervalMs, Math.max(1_000, olderThanMs));
  const timer = setInterval(all, often);
  return {
    /** Files of assets just deleted are removed soon, many deletions together. */
    soon: (): void => {
      if (isPlanned) return;
      isPlanned = true;
      runInOrder(async () => {
        isPlanned = false;
        await fileRetention.sweepDropped();
      });
    },
    stop: async (): Promise<void> => {
      clearInterval(timer);
      await current;
    },
  };
}

/** A hundred writes in a row trigger one pass. */
const debounceMs = 50;

function soon(run: () => void): () => void {
  let isPlanned = false;
  return () => {
    if (isPlanned) return;
    isPlanned = true;
    setTimeout(() => {
      isPlanned = false;
      run();
    }, debounceMs).unref();
  };
}

function openLog({ dataDir, databaseUrl, port }: ContentConfig): Log {
  // Several instances may share the folder: each writes its own log file.
  const logFolder =
    databaseUrl === undefined ? "log" : `log/${os.hostname()}-${port}`;
  return createLog({
    dir: path.join(dataDir, logFolder),
    toStandardOutput: false,
  });
}

function tlsFilesOf({ tlsCert, tlsKey }: ContentConfig): TlsFiles | null {
  return tlsCert === undefined || tlsKey === undefined
    ? null
    : { certFile: tlsCert, keyFile: tlsKey };
}

async function readTls(files: TlsFiles): Promise<TlsPair> {
  return readTlsFiles(files).catch((error: unknown) => {
    throw error instanceof CertificateError
      ? new Failure("not-found", error.message)
      : error;
  });
}

/** For the command line, which doesn't listen: where a service of these options is reached. */
export function addressOf(
  { host, port }: Pick<HttpServer, "host" | "port">,
  { publicUrl, tlsCert }: Pick<ContentConfig, "publicUrl" | "tlsCert">,
): string {
  if (publicUrl !== undefined) return publicUrl;
  const address = baseAddress(host, port);
  return tlsCert === undefined ? address : address.replace("http:", "https:");
}
