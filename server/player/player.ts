// Entry point of the player: opens the store, starts the director, and opens the interface on request.

import { randomBytes } from "node:crypto";
import path from "node:path";
import { playerSentences } from "../contract/sentences/player-sentences.ts";
import type { SentFile } from "../contract/ipc/ipc.ts";
import type {
  Operate,
  OperateOutcome,
} from "../contract/v2/operations/operation-client.ts";
import type { AppOnScreen, PageContext } from "../contract/page-context.ts";
import { Failure } from "../core/failure.ts";
import type { Asset } from "../core/asset.ts";
import type { Settings } from "../contract/v2/v2-settings.ts";
import { openFileStore } from "../platform/files/file-store.ts";
import { nameOf, placeOf } from "../platform/files/raw-path.ts";
import { createLog } from "../platform/log.ts";
import { createSharedFlush } from "../platform/sqlite/shared-flush.ts";
import { openSqlite, type Sqlite } from "../platform/sqlite/sqlite.ts";
import { holdUpNobody } from "../platform/sqlite/sqlite-lock.ts";
import { createAccess } from "./access-tokens.ts";
import { createPassword } from "./access/password.ts";
import { createPhoneCodes } from "./access/phone-codes.ts";
import { takeProvisionedPassword } from "./access/provisioned-password.ts";
import { createAnnouncement } from "./event-emitter.ts";
import type { PlayerEventV2 } from "../contract/v2/v2-monitoring.ts";
import { isLoopback } from "../platform/http/machine-addresses.ts";
import type { Announcer } from "../platform/mdns/announce-service.ts";
import { createApps } from "./apps/apps.ts";
import type { Backups } from "./backup/backup.ts";
import { createAssets } from "./assets/assets.ts";
import { createDirector } from "./playback/director.ts";
import { createFetcher } from "./files/background-downloads.ts";
import { createFileCheck } from "./files/file-verification.ts";
import { createHistory, type ActivityNote } from "./logs/logs.ts";
import { keepHistory } from "./logs/log-recorder.ts";
import { idleScreenOf, playerNameOf } from "./playback/idle-screen.ts";
import { shownFileOf } from "./files/shown-file.ts";
import { createUploads, maxUploadBytesOf } from "./files/uploads.ts";
import type { Interface } from "./interface.ts";
import { createLibrary } from "./library/library.ts";
import { zoneOf } from "./time-zone.ts";
import { reserveBytesOf, type PlayerOptions } from "./options.ts";
import { createPause } from "./playback/pause.ts";
import { createPlaylists } from "./playlists/playlists.ts";
import { createScheduleInputs } from "./playback/schedule-inputs.ts";
import { createSettings, reportValidationErrors } from "./settings.ts";
import {
  lastRebuilt,
  layAside,
  putBackText,
  rebuiltText,
} from "./store/damaged-databases.ts";
import { isHeldBySystem } from "../platform/sqlite/sqlite-file-watch.ts";
import { keepInPlace, leftAsItIs } from "./store/database-file-watch.ts";
import { createStore } from "./store/open-store.ts";
import { openStoreAnywhere, whenDiskTakes } from "./store/read-only.ts";
import { createDatabaseCopy, noDatabaseCopy } from "./store/database-copy.ts";
import { claimFiles } from "./store/unregistered-files.ts";
import { createPageContext } from "./screen-context.ts";
import {
  createSyncLibrary,
  type SyncLibrary,
} from "./sync/store/library-store.ts";
import { createLocalChanges } from "./sync/store/local-changes.ts";
import { createAttachedSync, type AttachedSync } from "./sync/attached-sync.ts";
import {
  createLinkedPlayback,
  type LinkedPlayback,
} from "./sync/link-client/linked-playback.ts";
import { createLinkRows } from "./sync/link-client/link-rows.ts";
import { createBundleRows } from "./sync/offline-bundle/bundle-rows.ts";
import { createOutboxRows } from "./sync/outbox/outbox-rows.ts";
import type { SiteOptions, SyncExtensionsOptions } from "./sync/sync.ts";
import { keepSyncHistory } from "./sync/sync-activity.ts";
import { createTakeovers } from "./playback/takeover.ts";
import type { BundlePart } from "./support-bundle/support-bundle.ts";
import { assertUnlocked } from "./v2/request/database-lock.ts";
import { createWriteQueue } from "./playback/write-queue.ts";

export type { PlayerOptions } from "./options.ts";
export { changePasswordIn } from "./access/password-command.ts";
export { createNoStage } from "./playback/headless-stage.ts";
export type {
  Disturbance,
  GraphicsBlamed,
  ScreenVerdict,
  StageLoss,
} from "./playback/stage.ts";
export type { ActivityNote } from "./logs/logs.ts";
export type { BundlePart } from "./support-bundle/support-bundle.ts";
export type { PlayerEventV2 as PlayerEvent } from "../contract/v2/v2-monitoring.ts";

export interface Player {
  /** For people: e.g. `http://127.0.0.1:8080`; empty until it listens. */
  readonly apiAddress: string;
  /** Ports on which the interface listens, or tries to; none before. */
  apiPorts(): readonly number[];
  /** Something was due when the player was opened, and the director is showing it. */
  isPlaying(): boolean;
  /** Opens the interface. Throws a Failure `conflict` when another program uses the port. */
  listen(): Promise<void>;
  /** In play order. */
  assets(): readonly Asset[];
  /** Throws a Failure `not-found` when there is nothing to step to or the asset is not due. */
  step(direction: "next" | "previous"): void;
  /** The takeover key was pressed: its asset takes over the screen, or the current takeover ends (V2-156). */
  pressTakeoverKey(): void;
  /** Something other than a showing does not work; reported as a fault. */
  reportFault(name: string, reason: string): void;
  /** Adds an entry to the activity log, as returned by `GET /api/v2/activity`. */
  note(happened: ActivityNote): void;
  /** Copies a file of this machine into the store; an asset claims it (V2-15). */
  uploadFile(
    path: string,
    onBytes?: (received: number, total: number) => void,
  ): Promise<SentFile>;
  /** Path of stored bytes, for the stage's `asset:` addresses; null when unknown. */
  fileFor(hash: string): StoredBytes | null;
  /** The file has a different size, has changed since it was verified, or cannot be read: it is checked before all others. */
  suspectFile(hash: string): void;
  onChanged(listener: () => void): () => void;
  /** Screen context for pages and apps. */
  pageContext(): PageContext;
  /** The screen context that pages received has changed. */
  onPageContextChanged(listener: () => void): () => void;
  /** The app that an asset shows; null when it is not stored here. */
  appOf(assetId: string): Promise<AppOnScreen | null>;
  /** The operator's settings; the Electron shell applies orientation, volume and audio output (V2-126). */
  settings(): Settings;
  /** The returned function unsubscribes. */
  onSettings(listener: (settings: Settings) => void): () => void;
  /** Events once the interface listens, as in `GET /api/v2/events`. */
  onPlayerEvent(listener: (playerEvent: PlayerEventV2) => void): () => void;
  /**
   * Any operation of the interface, by its name; an error response is a result. Throws a Failure `unavailable` before it listens.
   */
  operate(operation: Operate): Promise<OperateOutcome>;
  /** Backups of this player as files of this machine. Throws a Failure `unavailable` before it listens. */
  backups(): Backups;
  /** Logs and states without secrets, as a `.tar.gz`, with these documents added. */
  supportBundle(more: readonly BundlePart[]): Promise<Uint8Array>;
  /** What a sync needs from this player, and how it is attached to it. */
  readonly forSync: PlayerForSync;
  stop(): Promise<void>;
}

export interface StoredBytes {
  readonly path: string;
  readonly type: string;
  /** Of the imported bytes; null where a rendition is shown instead. */
  readonly sizeBytes: number | null;
  /** When its content was verified last, in wall-clock milliseconds; null before the first time. */
  readonly verifiedAtMs: number | null;
}

export interface PlayerForSync extends Pick<
  AttachedSync,
  "attach" | "attachExtensions"
> {
  readonly library: SyncLibrary;
  /** The screen's zone, an IANA name. */
  zone(): string;
  /** What is on the screen, and the commands of a service that change it. */
  readonly playback: LinkedPlayback;
  /** Rows needed by links, the outbox and offline bundles. */
  readonly extensionRows: SyncExtensionsOptions["rows"];
  /** The player's display name. */
  name(): string;
  /** Whether files are shared with other players of the site. */
  readonly sharing: Pick<SiteOptions, "isOn" | "onSwitched">;
}

export async function createPlayer(options: PlayerOptions): Promise<Player> {
  const { dataDir, clock, stage } = options;
  const log = options.log ?? createLog({ dir: path.join(dataDir, "log") });
  const openedAt = clock.now();
  const place = await openStoreAnywhere({
    ...{ dataDir, binding: options.sqliteBinding, now: clock.now, log },
  });
  const { database } = place;
  holdUpNobody(database);
  const openNextStore = (): Sqlite => {
    const file = path.join(dataDir, "vitrine.db");
    const binding = options.sqliteBinding;
    const next = place.isFirst
      ? createStore(file, { binding })
      : openSqlite(file, { binding, mustExist: true });
    holdUpNobody(next);
    return next;
  };
  if (place.readOnly !== null)
    log.error("store.read-only", { reason: place.readOnly });
  const rebuilt = await lastRebuilt(dataDir);
  const inPlace =
    place.readOnly === null && !isHeldBySystem
      ? keepInPlace({
          ...{ database, clock, log },
          // The history is created later; no check runs before that.
          onGone: () =>
            history.note({
              ...{ kind: "player", what: "rebuilt", name: "" },
              says: putBackText,
            }),
          layAside: () => layAside(dataDir, clock.now()),
          onNextStore: (next) => takeovers.storeIn(next, openNextStore),
          onPutBack: () => options.restart?.(),
        })
      : leftAsItIs;
  const databaseCopy =
    place.readOnly === null
      ? createDatabaseCopy({
          ...{ dataDir, binding: options.sqliteBinding },
          ...{ database, inPlace, clock, log },
        })
      : noDatabaseCopy;
  const settings = createSettings(database);
  const makeId = (): string => randomBytes(16).toString("hex");
  const tokensChanged = createAnnouncement();
  const access = createAccess({
    ...{ database, makeId, now: clock.now },
    onWritten: tokensChanged.emit,
  });
  const password = createPassword({
    ...{ database, makeId, now: clock.now, hashCost: options.hashCost },
    onWritten: tokensChanged.emit,
  });
  tokensChanged.on(databaseCopy.request);
  const provisioningFault =
    place.readOnly === null
      ? await takeProvisionedPassword(dataDir, password, log)
      : null;
  const isOpenToAll =
    !isLoopback(options.apiHost) &&
    !access.hasTokens() &&
    password.id() === null;
  if (isOpenToAll && rebuilt === null && place.readOnly === null) {
    database.close();
    await place.end();
    throw new Failure("unauthorized", needsToken(options));
  }
  // If a damaged database has lost its tokens, or none can be created, the screen keeps playing (V2-356, V2-753).
  const apiHost = isOpenToAll ? "127.0.0.1" : options.apiHost;
  const store = await openFileStore(path.join(dataDir, "files"), {
    reserveBytes: reserveBytesOf(options),
    readOnly: place.readOnly,
  });
  const localChanges = createLocalChanges(database);
  const stored = { database, makeId, now: clock.now, edits: localChanges };
  const library = createLibrary(stored);
  const playlists = createPlaylists(stored);
  const scheduleInputs = createScheduleInputs(playlists, settings);
  const maxBytes = maxUploadBytesOf(options);
  const apps = createApps({
    ...{ database, library, store },
    secretsOf: async (hash) => {
      const md5 = syncLibrary.md5Of(hash);
      return md5 === null ? {} : ((await options.appSecrets?.(md5)) ?? {});
    },
  });
  const uploads = createUploads({
    store,
    library,
    apps,
    makeId,
    now: clock.now,
    ...{ log, maxBytes },
    onJudged: (hash) => fileCheck.noteChecked(hash),
  });
  const fileCheck = createFileCheck({
    ...{ database, library, store, clock, log },
    runMark: path.join(dataDir, "files", "in-use"),
    onDamaged: (hash) => syncLibrary.notifyLost(hash),
  });
  const fetcher = createFetcher({
    ...{ library, uploads, store, settings, clock, log, maxBytes },
  });
  const flush = createSharedFlush(database, inPlace.keep);
  const syncLibrary = createSyncLibrary({
    ...{ database, library, playlists, uploads, apps, store, makeId },
    localChanges,
    onWritten: databaseCopy.request,
    // The director is created later, and called only after that.
    playback: {
      status: () => director.status(),
      onShowing: (listener) => director.onShowing(listener),
      now: clock.now,
    },
    whenFilesKnown: claimFiles({
      ...{ dataDir, database, store, uploads, makeId, now: clock.now, log },
    }).catch((error: unknown) => log.error("store.internal-error", { error })),
  });
  // The history is created later, and so is the sync.
  const sync = createAttachedSync({
    onAttached: (attached) => syncHistory.watch(attached),
    onPin: () => {
      director.refresh();
      announcer?.update();
    },
    now: clock.now,
  });
  const assets = createAssets({
    ...{ library, playlists, flush, uploads, settings, now: clock.now },
  });
  // The idle screen shows the address, which is known once the interface listens.
  let listening: Interface | null = null;
  const apiAddress = (): string => listening?.address() ?? "";
  const phoneCodes = createPhoneCodes({
    clock,
    isAllowed: () => settings.all().allowPhones && !isLoopback(apiHost),
    onRenewed: () => director.refresh(),
  });
  settings.onChanged(phoneCodes.update);
  const idleScreen = (): ReturnType<typeof idleScreenOf> =>
    idleScreenOf({
      ...{ settings: settings.all(), pairing: sync.pin() },
      ...{ apiAddress: apiAddress(), phoneCode: phoneCodes.shown },
      certificate: listening?.https()?.certificate ?? null,
    });
  const takeovers = createTakeovers({
    ...{ database, library, clock, makeId, log },
  });
  const pause = createPause(clock);
  const writes = createWriteQueue({ database, clock, log });
  const director = createDirector({
    library,
    stage,
    clock,
    makeId,
    log,
    idleScreen,
    ...{ scheduleInputs, takeovers, pause, writes },
    onNotShown: ({ file }) => {
      if (file) fileCheck.suspect(file.hash);
    },
    onSeen: ({ file }) => {
      if (file) fileCheck.findChange(file.hash);
    },
    isStill: options.isStill ?? false,
    random: options.random ?? Math.random,
  });

  const history = createHistory({
    ...{ database, writes, now: clock.now },
    zone: () => zoneOf(settings.all()),
  });
  const stopKeeping = keepHistory({
    ...{ history, director, library, playlists, takeovers, settings, clock },
    makeId,
  });

  const syncHistory = keepSyncHistory(history.note, clock);

  if (rebuilt !== null && rebuilt.at >= openedAt)
    history.note({
      ...{ kind: "player", what: "rebuilt", name: "" },
      says: rebuiltText(rebuilt),
    });
  if (isOpenToAll) {
    log.error("player.loopback-only", { wished: options.apiHost });
    if (rebuilt !== null)
      history.note({
        ...{ kind: "player", what: "alone", name: "" },
        says: tokensLost(options),
      });
  }
  reportValidationErrors(settings, director.reportFault, log);
  if (provisioningFault !== null)
    director.reportFault("provisioning", provisioningFault);
  databaseCopy.request();
  library.onChanged(databaseCopy.request);
  playlists.onChanged(databaseCopy.request);
  settings.onChanged(databaseCopy.request);

  log.setDebugging(settings.all().debugLogging);
  settings.onChanged(({ debugLogging }) => {
    log.setDebugging(debugLogging);
    director.refresh();
  });
  // What is due need not wait for the interface; the idle screen does, since it shows the address.
  const isPlaying = director.isAnythingDue();
  if (isPlaying) director.start();

  const stopTrying =
    place.readOnly === null
      ? () => undefined
      : whenDiskTakes(
          { dataDir, binding: options.sqliteBinding, clock },
          place,
          () => {
            log.info("store.writable-again");
            options.restart?.();
          },
        );

  let announcer: Announcer | null = null;
  const happened = createAnnouncement<PlayerEventV2>();
  async function listen(): Promise<void> {
    // Imported only now: it is most of the code, and the first image needs none of it.
    const { openInterface } = await import("./interface.ts");
    const { onPortTaken } = options;
    const showWithoutPort = (message: string): void => {
      log.error("interface.port-taken", { port: options.apiPort });
      director.start();
      director.reportFault("interface", message);
      onPortTaken?.(message);
    };
    listening = await openInterface({
      ...{ database, store, library, uploads, assets, director },
      localChanges,
      options: {
        ...{ ...options, apiHost },
        safeMode: options.safeMode ?? place.readOnly,
        onPortTaken: onPortTaken && showWithoutPort,
      },
      keepInPlace: inPlace.keep,
      suspectFile: fileCheck.suspect,
      ...{ takeovers, pause, playlists, flush, settings, history, access },
      ...{ password, phoneCodes },
      ...{ makeId, log, sync, rebuilt },
      onRecovered: () => {
        fileCheck.forgetShown();
        syncLibrary.notifyReplaced();
      },
      onTokensChanged: tokensChanged.on,
      onHttpsOpened: () => {
        director.refresh();
        announcer?.update();
      },
      onFetchProgress: fetcher.onProgress,
      playerName: () => playerNameOf(settings.all()),
    });
    listening.onPlayerEvent(happened.emit);
    director.start();
    director.refresh();
    fetcher.start();
    if (place.readOnly === null) fileCheck.start();
    if (options.isDiscoverable === true) await announce();
    log.info("player.started", {
      version: options.version,
      address: listening.address(),
    });
  }

  async function announce(): Promise<void> {
    const { announcePlayer } = await import("./announce-player.ts");
    announcer = announcePlayer({
      network: () => listening?.network() ?? null,
      ...{ version: options.version, log },
      name: () => playerNameOf(settings.all()),
      isWaiting: () => sync.pin() !== null,
    });
    settings.onChanged(announcer.update);
  }

  const pageContext = createPageContext({
    settings: settings.all,
    onSettings: settings.onChanged,
    screenName: () => playerNameOf(settings.all()),
    version: options.version,
    rows: {
      ...createLinkRows(database),
      ...createOutboxRows({ database, library, uploads, store }),
      ...createBundleRows({
        ...{ database, uploads, store },
        note: history.note,
      }),
    },
  });

  /** Players that may not look for each other cannot share anything. */
  const sharesFiles = (): boolean =>
    (settings.all().shareFiles || options.sharesFiles === true) &&
    options.isDiscoverable === true;

  async function callOperation(operation: Operate): Promise<OperateOutcome> {
    if (listening === null)
      throw new Failure("unavailable", playerSentences.starting);
    const { operate } = await import("./call-operation.ts");
    const { local } = listening;
    return operate({ ...local, secret: access.internalSecret }, operation);
  }

  return {
    get apiAddress() {
      return apiAddress();
    },
    apiPorts: () => listening?.ports() ?? [],
    isPlaying: () => isPlaying,
    listen,
    assets: library.assets,
    step: (direction) => director.step(direction),
    reportFault: (name, reason) => director.reportFault(name, reason),
    forSync: {
      library: syncLibrary,
      attach: sync.attach,
      playback: createLinkedPlayback({
        ...{ dataDir, director, takeovers, pause, library, playlists, clock },
        hasVerification: stage.onVerdict !== undefined,
      }),
      zone: () => zoneOf(settings.all()),
      extensionRows: pageContext.rows,
      attachExtensions: sync.attachExtensions,
      sharing: {
        isOn: sharesFiles,
        onSwitched: (listener) => {
          let was = sharesFiles();
          return settings.onChanged(() => {
            if (sharesFiles() === was) return;
            was = !was;
            listener();
          });
        },
      },
      name: () => playerNameOf(settings.all()),
    },
    note: history.note,
    pressTakeoverKey: () => takeovers.toggle(settings.all().takeoverAsset),
    uploadFile: async (file, onBytes) => {
      await assertUnlocked(database);
      const place = await placeOf(file);
      const { uri } = await uploads.receiveFile(place, onBytes);
      return { uri, name: path.parse(nameOf(place)).name };
    },
    fileFor: (hash) => {
      const file = shownFileOf({ library, store }, hash);
      return file && { ...file, verifiedAtMs: fileCheck.verifiedAtMs(hash) };
    },
    suspectFile: fileCheck.suspect,
    onChanged: (listener) => library.onChanged(() => listener()),
    pageContext: pageContext.current,
    onPageContextChanged: pageContext.onChanged,
    appOf: apps.appOf,
    settings: settings.all,
    onSettings: settings.onChanged,
    onPlayerEvent: happened.on,
    operate: callOperation,
    supportBundle: async (more) => {
      const { createSupportBundle } =
        await import("./support-bundle/support-bundle.ts");
      return createSupportBundle({
        ...{ dataDir, version: options.version, now: clock.now, more },
        operate: callOperation,
      });
    },
    backups: () => {
      if (listening === null)
        throw new Failure("unavailable", playerSentences.starting);
      return listening.backups;
    },
    stop: async () => {
      stopTrying();
      phoneCodes.stop();
      syncHistory.stop();
      stopKeeping();
      director.stop();
      takeovers.stop();
      pause.stop();
      writes.stop();
      fetcher.stop();
      await Promise.all([
        listening?.stop(),
        fileCheck.stop(),
        announcer?.stop(),
      ]);
      await flush.stop();
      inPlace.stop();
      await inPlace
        .keep()
        .catch((error: unknown) =>
          log.error("store.put-back-failed", { error }),
        );
      await databaseCopy.stop();
      database.close();
      // What a disk that accepts writes again has missed (V2-454).
      if (place.readOnly !== null) takeovers.storeIn("own", openNextStore);
      await place.end();
      log.info("player.stopped");
      await log.close();
    },
  };
}

function tokensLost({ apiHost }: PlayerOptions): string {
  return `The access tokens and the password were lost with the damaged database, so the API listens on 127.0.0.1 instead of ${apiHost}. Create a token there and restart the player.`;
}

function needsToken({ apiHost, dataDir }: PlayerOptions): string {
  return `Listening on ${apiHost} requires an access token or a password, and there is none yet. Set a password with "vitrine --set-password", create a token with "node server/player/main.ts tokens add NAME --data-dir ${dataDir}", or start once on 127.0.0.1 and POST {"name": "NAME"} to /api/v2/tokens.`;
}
