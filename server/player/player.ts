// Door of the player: opens the store, starts the director, and the interface when told to.

import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { AssetView, Now } from "../contract/ipc.ts";
import { Failure } from "../core/failure.ts";
import type { Asset } from "../core/asset.ts";
import { lineupAt } from "../core/schedule.ts";
import { openFileStore } from "../platform/file-store.ts";
import { createLog } from "../platform/log.ts";
import { createSharedFlush } from "../platform/shared-flush.ts";
import { migrateSqlite, openSqlite } from "../platform/sqlite.ts";
import { createAccess } from "./access.ts";
import { isLoopback } from "./addresses.ts";
import { assetViewAt } from "./asset-view.ts";
import { createAssets } from "./assets.ts";
import { createDirector } from "./director.ts";
import { createFetcher } from "./fetcher.ts";
import { createIntake } from "./intake.ts";
import type { Interface } from "./interface.ts";
import { createLibrary } from "./library.ts";
import { playerMigrations } from "./migrations.ts";
import { nowOf } from "./now.ts";
import {
  mostUploadBytesOf,
  reserveBytesOf,
  type PlayerOptions,
} from "./options.ts";
import { createSettings } from "./settings.ts";

export type { PlayerOptions } from "./options.ts";

export interface Player {
  /** e.g. `http://127.0.0.1:8080`; empty until it listens. */
  readonly apiAddress: string;
  /** Something was due when it was opened, and the director is at it. */
  isPlaying(): boolean;
  /** Opens the interface. Throws a Failure `conflict` when another program has the port. */
  listen(): Promise<void>;
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
    reserveBytes: reserveBytesOf(options),
  });
  const library = createLibrary({ database, makeId, now: clock.now });
  const mostBytes = mostUploadBytesOf(options);
  const intake = createIntake({
    store,
    library,
    makeId,
    now: clock.now,
    mostBytes,
  });
  const fetcher = createFetcher({
    ...{ library, intake, store, settings, clock, log, mostBytes },
  });
  const flush = createSharedFlush(database);
  const assets = createAssets({
    ...{ library, flush, intake, settings, now: clock.now },
  });
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

  settings.onChanged(() => {
    nameCard();
    director.look();
  });
  // What is due need not wait for the interface; the card does, since it tells where that is.
  const isPlaying = lineupAt(library.assets(), clock.now()).assets.length > 0;
  if (isPlaying) director.start();

  let listening: Interface | null = null;
  async function listen(): Promise<void> {
    // Read in only now: it is most of the code, and the first picture needs none of it.
    const { openInterface } = await import("./interface.ts");
    listening = await openInterface({
      ...{ options, database, store, library, intake, assets, director },
      ...{ settings, access, makeId, log },
      playerName: () => card.playerName,
    });
    card.apiAddress = listening.address;
    director.start();
    director.look();
    fetcher.start();
    log.info("player.started", {
      version: options.version,
      address: listening.address,
    });
  }

  const view = (asset: Asset): AssetView => assetViewAt(asset, clock.now());
  const now = (): Now => nowOf(director, card);
  return {
    get apiAddress() {
      return card.apiAddress;
    },
    isPlaying: () => isPlaying,
    listen,
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
      director.stop();
      fetcher.stop();
      await listening?.stop();
      await flush.stop();
      database.close();
      log.info("player.stopped");
      await log.close();
    },
  };
}

function needsToken({ apiHost, dataDir }: PlayerOptions): string {
  return `Listening on ${apiHost} needs an access token, and there is none yet. Make one with "node server/player/main.ts tokens add NAME --data-dir ${dataDir}", or start once on 127.0.0.1 and POST {"name": "NAME"} to /api/v2/tokens.`;
}
