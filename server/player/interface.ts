// Opens the version 2 interface with the parts that only it needs (backups, resumable uploads, power, limits), and sweeps what they
// leave behind.

import path from "node:path";
import { Failure } from "../core/failure.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import { startHttpServer } from "../platform/http/server.ts";
import type { Log } from "../platform/log.ts";
import { OutsideError } from "../platform/outside-error.ts";
import type { SharedFlush } from "../platform/sqlite/shared-flush.ts";
import type { Sqlite } from "../platform/sqlite/sqlite.ts";
import { createRequestScheduler } from "../platform/request-scheduler.ts";
import type { Access } from "./access-tokens.ts";
import type { Password } from "./access/password.ts";
import type { PhoneCodes } from "./access/phone-codes.ts";
import type { LocalApi } from "./call-operation.ts";
import { createAges } from "./clock-change.ts";
import {
  startHttps,
  type HttpsInterface,
  type HttpsState,
} from "./https/https-interface.ts";
import { baseAddress, isLoopback } from "../platform/http/machine-addresses.ts";
import { createAnnouncement } from "./event-emitter.ts";
import type { Assets } from "./assets/assets.ts";
import { createBackups, type Backups } from "./backup/backup.ts";
import { createTrash, trashRetentionMs } from "./assets/trash.ts";
import { countAssetsAt } from "./library/counts.ts";
import type { Director } from "./playback/director.ts";
import type { History } from "./logs/logs.ts";
import {
  maxUploadBytesOf,
  unclaimedUploadMs,
  type Uploads,
} from "./files/uploads.ts";
import type { Library } from "./library/library.ts";
import { zoneOf } from "./time-zone.ts";
import {
  maxRecoverBytesOf,
  reserveBytesOf,
  type PlayerOptions,
} from "./options.ts";
import type { Pause } from "./playback/pause.ts";
import { createPieces, type Pieces } from "./files/resumable-uploads.ts";
import { unfinishedUploadMs } from "./files/unfinished-uploads.ts";
import type { Playlists } from "./playlists/playlists.ts";
import { createPower, systemSwitch } from "./power.ts";
import type { SettingsStore } from "./settings.ts";
import type { Clock } from "../platform/clock.ts";
import type { Rebuilt } from "./store/damaged-databases.ts";
import type { InPlace } from "./store/database-file-watch.ts";
import type { AttachedSync } from "./sync/attached-sync.ts";
import type { LocalChangeStore } from "./sync/store/local-changes.ts";
import type { Takeovers } from "./playback/takeover.ts";
import {
  createExtendedOperations,
  type ExtendedOperations,
} from "./v2/extended-operations.ts";
import { createV2 } from "./v2/router.ts";

export interface Interface {
  /** For people, and for other devices, if it is reachable by them: e.g. `http://127.0.0.1:8080` */
  readonly address: () => string;
  /** Where this process calls it, always by HTTP. */
  readonly local: Pick<LocalApi, "address" | "host">;
  /** On which it listens, or tries to. */
  readonly ports: () => readonly number[];
  /** Null where it is not offered. */
  readonly https: () => HttpsState | null;
  /** Where other devices reach it; null where they don't. */
  readonly network: () => {
    readonly port: number;
    readonly isTls: boolean;
  } | null;
  readonly onPlayerEvent: ExtendedOperations["onPlayerEvent"];
  readonly backups: Backups;
  stop(): Promise<void>;
}

export interface InterfaceParts {
  readonly options: PlayerOptions;
  readonly database: Sqlite;
  readonly store: FileStore;
  readonly library: Library;
  readonly uploads: Uploads;
  readonly onFetchProgress: Pieces["onProgress"];
  /** HTTPS can be used now, and could not at the start: the address is another one. */
  readonly onHttpsOpened: () => void;
  /** Caches have to be read again. */
  readonly onRecovered: () => void;
  readonly assets: Assets;
  readonly playlists: Playlists;
  readonly flush: SharedFlush;
  /** Resolves when the database's file contains all that was committed until now (V2-665). */
  readonly keepInPlace: InPlace["keep"];
  /** A problem was observed with a stored file: it is checked before all others. */
  readonly suspectFile: (hash: string) => void;
  readonly director: Director;
  readonly takeovers: Takeovers;
  readonly pause: Pause;
  readonly settings: SettingsStore;
  readonly sync: AttachedSync;
  readonly localChanges: LocalChangeStore;
  readonly history: History;
  readonly access: Access;
  readonly password: Password;
  readonly phoneCodes: PhoneCodes;
  readonly onTokensChanged: (listener: () => void) => () => void;
  readonly log: Log;
  readonly makeId: () => string;
  readonly playerName: () => string;
  /** The last time the database had to be rebuilt. */
  readonly rebuilt: Rebuilt | null;
}

const sweepIntervalMs = 600_000;
/** Two seconds are enough for any response except a long transfer, which is cut off. */
const graceMs = 2000;

/** Throws a Failure `conflict` when another program uses the port. */
export async function openInterface(parts: InterfaceParts): Promise<Interface> {
  const { options, store, uploads, settings, log, makeId } = parts;
  const { clock } = options;
  const pieces = createPieces({
    ...{ store, uploads, makeId, now: clock.monotonic },
    maxBytes: maxUploadBytesOf(options),
  });
  const power = createPower({
    ...{ settings, clock, log },
    act:
      options.power === "system" ? systemSwitch(log) : (options.power ?? null),
  });
  const backupsChanged = createAnnouncement();
  let https: HttpsInterface | null = null;
  const extended = createExtendedOperations({
    ...options,
    ...parts,
    https: () => https?.state() ?? null,
    onBackupsChanged: backupsChanged.on,
    onProgress: [pieces.onProgress, parts.onFetchProgress],
    countAssets: () =>
      countAssetsAt(
        parts.library.assets(),
        clock.now(),
        zoneOf(settings.all()),
      ),
  });
  const trash = createTrash({
    ...{ ...parts, now: clock.now },
    edits: parts.localChanges,
  });
  const requestScheduler = createRequestScheduler(() => performance.now());
  const backups = await openBackups(parts, backupsChanged.emit);
  const listener = createV2({
    ...parts,
    ...{ pieces, power, extended, requestScheduler, trash },
    backups,
    apiHost: options.apiHost,
    now: clock.now,
    monotonic: clock.monotonic,
    takeScreenshot: options.takeScreenshot,
    managerDir: options.managerDir,
  });
  const refusal = (detail: string): unknown => ({ detail });
  const host = options.https === undefined ? options.apiHost : loopbackHost;
  const server = await startHttpServer(listener, {
    ...{ host, port: options.apiPort, refusal, requestScheduler },
    onPortTaken: options.onPortTaken,
  }).catch((error: unknown) => {
    throw error instanceof OutsideError
      ? new Failure("conflict", error.message)
      : error;
  });
  if (options.https)
    https = await startHttps(listener, {
      ...{ https: options.https, host: options.apiHost },
      ...{ refusal, requestScheduler, clock, log },
      dataDir: options.dataDir,
      onProblem: (reason) => parts.director.reportFault("https", reason),
      onOpened: parts.onHttpsOpened,
    });
  const ages = createAges({ database: parts.database, clock });
  const stopSweeping = sweepNowAndThen(clock, log, async () => {
    let areAgesKnown = true;
    try {
      if (ages.update()) await store.renewAside();
    } catch (error) {
      // Files without a row are swept from a full disk all the same.
      areAgesKnown = false;
      log.warn("store.retention-unknown", { error });
    }
    // First: it renews the temporary files of uploads that may continue.
    await pieces
      .sweep(unfinishedUploadMs)
      .catch((error: unknown) => log.warn("uploads.sweep-failed", { error }));
    await Promise.all([
      uploads.sweep(unclaimedUploadMs),
      areAgesKnown && trash.empty(clock.now() - trashRetentionMs),
    ]);
  });
  return {
    address: () => https?.address() ?? baseAddress(server.host, server.port),
    local: { address: baseAddress(server.host, server.port), host },
    ports: () => [server.port, https?.port() ?? []].flat(),
    https: () => https?.state() ?? null,
    network: () => {
      if (isLoopback(options.apiHost)) return null;
      if (!https) return { port: server.port, isTls: false };
      const port = https.address() === null ? null : https.port();
      return port === null ? null : { port, isTls: true };
    },
    onPlayerEvent: extended.onPlayerEvent,
    backups,
    stop: async () => {
      stopSweeping();
      extended.stop();
      await Promise.all([server.stop(graceMs), https?.stop(graceMs)]);
    },
  };
}

/** Where HTTP is for this PC only, since other devices use HTTPS (V2-787). */
const loopbackHost = "127.0.0.1";

function openBackups(
  parts: InterfaceParts,
  onChanged: () => void,
): Promise<Backups> {
  const { options, library, playlists, settings } = parts;
  return createBackups({
    ...parts,
    settings: settings.all,
    dir: path.join(options.dataDir, "backups"),
    sqlite: { binding: options.sqliteBinding },
    now: options.clock.now,
    version: options.version,
    reserveBytes: reserveBytesOf(options),
    maxBytes: maxRecoverBytesOf(options),
    onChanged,
    kept: () => settings.all().backupsKept,
    onRecovered: () => {
      settings.readAgain();
      library.notifyChanged();
      playlists.readAgain();
      parts.onRecovered();
    },
  });
}

/** Temporary files of a killed process are of no use. */
function sweepNowAndThen(
  clock: Clock,
  log: Log,
  sweepAll: () => Promise<unknown>,
): () => void {
  let cancel = (): void => undefined;
  let isSweeping = false;
  const sweep = (): void => {
    cancel = clock.after(sweepIntervalMs, sweep);
    if (isSweeping) return;
    isSweeping = true;
    sweepAll()
      .catch((error: unknown) => log.error("store.sweep-failed", { error }))
      .finally(() => {
        isSweeping = false;
      });
  };
  sweep();
  return () => cancel();
}
