// Door of the player: opens the store, starts the interface and the director.

import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { AssetView, Now } from "../contract/ipc.ts";
import { Failure } from "../core/failure.ts";
import type { Asset } from "../core/asset.ts";
import { openFileStore } from "../platform/file-store.ts";
import { startHttpServer } from "../platform/http-server.ts";
import { createLog, type Log } from "../platform/log.ts";
import { OutsideError } from "../platform/outside-error.ts";
import { migrateSqlite, openSqlite } from "../platform/sqlite.ts";
import { createTurns } from "../platform/turns.ts";
import { createAccess } from "./access.ts";
import { baseAddress, isLoopback } from "./addresses.ts";
import { assetViewAt } from "./asset-view.ts";
import { createAssets } from "./assets.ts";
import { createBackups } from "./backup/backup.ts";
import { createCounts } from "./counts.ts";
import { createDirector } from "./director.ts";
import { createFetcher } from "./fetcher.ts";
import { createIntake } from "./intake.ts";
import { createLibrary } from "./library.ts";
import { playerMigrations } from "./migrations.ts";
import { nowOf } from "./now.ts";
import { createPieces } from "./pieces.ts";
import { createPower, systemSwitch, type PowerSwitch } from "./power.ts";
import { createSettings } from "./settings.ts";
import type { Clock, Stage } from "./stage.ts";
import { createBeyond } from "./v2/beyond.ts";
import { createV2 } from "./v2/router.ts";

export interface PlayerOptions {
  /** Folder of this player's store; made when missing. */
  readonly dataDir: string;
  /** Address and port of the version 2 interface; port 0 takes a free one. */
  readonly apiHost: string;
  readonly apiPort: number;
  readonly stage: Stage;
  readonly clock: Clock;
  readonly version: string;
  /** A better-sqlite3 binary other than the package's own; for an Electron too old for that. */
  readonly sqliteBinding?: string | undefined;
  /** What a person sees on the glass now, as PNG. */
  readonly takePicture: () => Promise<Uint8Array>;
  /** The default writes to standard output and to `log/` in the data folder. */
  readonly log?: Log | undefined;
  /** Restarts and shuts down the machine; `"system"` by its own means. Without it both are only recorded. */
  readonly power?: PowerSwitch | "system" | undefined;
  /** The largest file taken; the default is 64 GiB, more than any signage clip. */
  readonly mostUploadBytes?: number | undefined;
  /** Disk kept free for the database, the log and the system; the default is 512 MiB. */
  readonly reserveBytes?: number | undefined;
  /** What an archive may expand to; the default is 1 TiB, as the disk itself says no before that. */
  readonly mostRecoverBytes?: number | undefined;
}

export interface Player {
  /** e.g. `http://127.0.0.1:8080` */
  readonly apiAddress: string;
  assets(): readonly AssetView[];
  now(): Now;
  /** Throws a Failure `not-found` when there is nothing to step to or the asset is not due. */
  step(direction: "next" | "previous"): void;
  showAsset(assetId: string): void;
  /** Takes a copy of a file of this machine into the store as a new asset at the end. */
  addFile(path: string): Promise<AssetView>;
  addPage(address: string): Promise<AssetView>;
  setEnabled(assetId: string, isEnabled: boolean): AssetView;
  removeAsset(assetId: string): Promise<void>;
  /** Where stored bytes lie, for the stage's `asset:` addresses; null when unknown. */
  fileFor(
    hash: string,
  ): { readonly path: string; readonly type: string } | null;
  onChanged(listener: () => void): () => void;
  onShowing(listener: (now: Now) => void): () => void;
  stop(): Promise<void>;
}

const mib = 1024 * 1024;
/** Uploads nobody claimed and files left aside are swept after an hour (V2-15). */
const sweepAfterMs = 3_600_000;
const sweepEveryMs = 600_000;

export async function createPlayer(options: PlayerOptions): Promise<Player> {
  const { dataDir, clock, stage } = options;
  await mkdir(dataDir, { recursive: true });
  const log = options.log ?? createLog({ dir: path.join(dataDir, "log") });
  const database = openSqlite(path.join(dataDir, "vitrine.db"), {
    binding: options.sqliteBinding,
  });
  migrateSqlite(database, playerMigrations);
  const settings = createSettings(database);
  const makeId = (): string => randomBytes(16).toString("hex");
  const access = createAccess({ database, makeId, now: clock.now });
  if (!isLoopback(options.apiHost) && !access.hasTokens()) {
    database.close();
    throw new Failure("unauthorized", needsToken(options));
  }
  const store = await openFileStore(path.join(dataDir, "files"), {
    reserveBytes: options.reserveBytes ?? 512 * mib,
  });
  const library = createLibrary({ database, makeId, now: clock.now });
  const mostBytes = options.mostUploadBytes ?? 64 * 1024 * mib;
  const intake = createIntake({
    store,
    library,
    makeId,
    now: clock.now,
    mostBytes,
  });
  const pieces = createPieces({
    ...{ store, intake, makeId, mostBytes, now: clock.now },
  });
  const powerSwitch =
    options.power === "system" ? systemSwitch(log) : (options.power ?? null);
  const power = createPower({
    ...{ settings, clock, log, act: powerSwitch },
  });
  const fetcher = createFetcher({
    ...{ library, intake, store, settings, clock, log, mostBytes },
  });
  const assets = createAssets({ library, intake, settings, now: clock.now });
  // The card tells the address, which is known once the interface listens.
  const card = { playerName: "", apiAddress: "" };
  const nameCard = (): void => {
    card.playerName = settings.all().playerName || os.hostname();
  };
  nameCard();
  const director = createDirector({
    library,
    stage,
    clock,
    makeId,
    log,
    card: () => ({ ...card }),
  });

  const backups = await createBackups({
    dir: path.join(dataDir, "backups"),
    database,
    sqlite: { binding: options.sqliteBinding },
    store,
    intake,
    log,
    now: clock.now,
    makeId,
    version: options.version,
    reserveBytes: options.reserveBytes ?? 512 * mib,
    mostBytes: options.mostRecoverBytes ?? 1024 * 1024 * mib,
    playerName: () => card.playerName,
    kept: () => settings.all().backupsKept,
    onRecovered: () => {
      settings.readAgain();
      library.tellChanged();
    },
  });
  const countAssetsAt = createCounts(database);
  const beyond = createBeyond({
    ...options,
    library,
    director,
    settings,
    access,
    playerName: () => card.playerName,
    countAssets: () => countAssetsAt(clock.now()),
  });
  const turns = createTurns(() => performance.now());
  const listener = createV2({
    library,
    assets,
    intake,
    pieces,
    power,
    director,
    store,
    settings,
    backups,
    access,
    beyond,
    apiHost: options.apiHost,
    turns,
    log,
    now: clock.now,
    monotonic: clock.monotonic,
    takePicture: options.takePicture,
  });
  const server = await startHttpServer(listener, {
    host: options.apiHost,
    port: options.apiPort,
    refusal: (detail) => ({ detail }),
    turns,
  }).catch((error: unknown) => {
    database.close();
    throw error instanceof OutsideError
      ? new Failure("conflict", error.message)
      : error;
  });
  card.apiAddress = baseAddress(server.host, server.port);
  settings.onChanged(() => {
    nameCard();
    director.look();
  });
  director.start();
  fetcher.start();
  // What a kill left aside is of no use to anybody; sweeping never delays the first picture.
  const sweep = (): void => {
    Promise.all([intake.sweep(sweepAfterMs), pieces.sweep(sweepAfterMs)]).catch(
      (error: unknown) => log.error("store.sweep-failed", { error }),
    );
  };
  sweep();
  const sweeping = setInterval(sweep, sweepEveryMs);
  log.info("player.started", { version: options.version, port: server.port });

  const view = (asset: Asset): AssetView => assetViewAt(asset, clock.now());
  const now = (): Now => nowOf(director, card);
  return {
    apiAddress: card.apiAddress,
    assets: () => library.assets().map(view),
    now,
    step: (direction) => director.step(direction),
    showAsset: (assetId) => director.show(assetId),
    addFile: async (file) => view(await assets.addFile(file)),
    addPage: async (address) => view(await assets.addPage(address)),
    setEnabled: (assetId, isEnabled) =>
      view(library.change(assetId, { isEnabled })),
    removeAsset: (assetId) => assets.remove(assetId),
    fileFor: (hash) => {
      const file = library.file(hash);
      return file ? { path: store.pathOf(hash), type: file.type } : null;
    },
    onChanged: (heard) => library.onChanged(heard),
    onShowing: (heard) => director.onShowing(() => heard(now())),
    stop: async () => {
      clearInterval(sweeping);
      director.stop();
      fetcher.stop();
      beyond.stop();
      // Two seconds are enough for any answer but a long transfer, which is cut.
      await server.stop(2000);
      database.close();
      log.info("player.stopped");
      await log.close();
    },
  };
}

function needsToken({ apiHost, dataDir }: PlayerOptions): string {
  return `Listening on ${apiHost} needs an access token, and there is none yet. Make one with "node server/player/main.ts tokens add NAME --data-dir ${dataDir}", or start once on 127.0.0.1 and POST {"name": "NAME"} to /api/v2/tokens.`;
}
