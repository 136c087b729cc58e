// Entry of the app: the order of startup and shutdown.

import { url as inspectorUrl } from "node:inspector";
import { join } from "node:path";
import { app, dialog, nativeTheme, screen, session } from "electron";
import { connectionSentences } from "../server/contract/sentences/connection-sentences.ts";
import { Failure } from "../server/contract/ipc/ipc.ts";
import { createLog, type Log } from "../server/platform/log.ts";
import { endOnRequest } from "../server/platform/process/end-requests.ts";
import {
  tryMakePrivateFolder,
  warnOfOthers,
} from "../server/platform/files/private-folder.ts";
import type { Player, PlayerOptions } from "../server/player/player.ts";
import { serveAssets } from "./web/asset-protocol.ts";
import { limitSharedMemory, tameChromium } from "./chromium/chromium.ts";
import { forkContent } from "./hosting/content-child.ts";
import { createContentHost, type ContentHost } from "./hosting/content-host.ts";
import { startMediaProcessesBy } from "../server/platform/media/start-media-process.ts";
import { systemClock } from "../server/platform/clock.ts";
import { httpsOf } from "../server/platform/http/tls-options.ts";
import {
  readProcessConfig,
  readProcessSupervision,
  type Config,
} from "./config.ts";
import { answerManager, sendToManager } from "./ipc.ts";
import { runKiosk, type Kiosk } from "./kiosk/kiosk.ts";
import { kioskWithoutStore } from "./kiosk/kiosk-settings.ts";
import { watchBlanking } from "./kiosk/blanking-watch.ts";
import {
  rememberingStage,
  showEmergencyPlaylist,
  type EmergencyPlaylist,
} from "./lifecycle/emergency-playlist.ts";
import { moveData } from "./lifecycle/move-data.ts";
import {
  keepDescriptorsBack,
  noteNoDescriptor,
} from "./chromium/descriptors.ts";
import {
  beatWhileBusy,
  startHeartbeat,
  type Heartbeat,
} from "./lifecycle/heartbeat.ts";
import { lockDown } from "./web/permissions.ts";
import { forkMediaProcess, mediaEnds } from "./hosting/media-child.ts";
import { managerCalls } from "./manager/manager-calls.ts";
import { obeyHotKey } from "./kiosk/takeover-hotkey.ts";
import { createMachine, type Machine } from "./machine-settings.ts";
import { createScreenName } from "./playback-window/screen-name.ts";
import { createTestPattern } from "./playback-window/test-pattern.ts";
import { createThumbnails, type Thumbnails } from "./manager/thumbnails.ts";
import {
  createManagerWindow,
  type ManagerWindow,
} from "./manager/manager-window.ts";
import { createLivePicture } from "./screenshots/live-picture.ts";
import { runsElsewhere, startAgain } from "./lifecycle/exit-codes.ts";
import { isWatched, requestRestart } from "./lifecycle/restart.ts";
import { servePages } from "./web/bundled-pages-protocol.ts";
import {
  createPlaybackWindow,
  type PlaybackWindow,
} from "./playback-window/playback-window.ts";
import { openRunRecord, type RunRecord } from "./lifecycle/safe-mode.ts";
import {
  openSoftDrawing,
  type SoftDrawing,
} from "./chromium/software-rendering.ts";
import { endLaunchers } from "./chromium/launcher-watchdog.ts";
import {
  becomeOnlyCopy,
  removeOwnSocket,
} from "./lifecycle/single-instance.ts";
import { watchPlayer } from "./lifecycle/windows-supervisor-host.ts";
import { appSecretsIn, runSync, type SyncRun } from "./player-sync.ts";
import { endProcess } from "./chromium/end-process.ts";
import { runCliCommand } from "./cli-commands.ts";
import { isOrientationFrame } from "./web/web-frame.ts";
import { letStageRead } from "./web/stream-cors.ts";
import { createWebPages } from "./web/web-pages.ts";
import { schemesOf } from "./web/web-session.ts";

const dist = join(app.getAppPath(), "dist");
const mediaScript = join(dist, "media-process.cjs");
/** Interface and manager are heavy: they wait for the first showing, but not for a slow one. */
const firstShowingWaitMs = 1000;
/** The process that asked the app to end kills it after four seconds. */
const maxSleepMs = 3000;

let manager: ManagerWindow | null = null;
let kiosk: Kiosk | null = null;
let emergencyPlaylist: EmergencyPlaylist | null = null;
let sync: SyncRun | null = null;
/** Of the player's interface: those requested, as long as it does not listen yet. */
let localApiPorts = (): readonly number[] => [];
let isEnding = false;
/** Notifies the external watchdog that the end is intended. */
let farewell = (_code: number): void => undefined;
/** Removes the means by which this run could be ordered to end. */
let forgetRun = (): void => undefined;

const reading = readProcessConfig(
  process.defaultApp === true,
  inspectorUrl() !== undefined,
);
const supervision = readProcessSupervision(process.defaultApp === true);
limitSharedMemory();
if (supervision) watchPlayer(supervision);
else if (!reading.ok) end(2, reading.message);
else if (!runCliCommand(reading.value)) start(reading.value);

function start(given: Config): void {
  tameChromium(given);
  const isSupervised = given.supervisor !== undefined;
  const folder = moveData(given, () => beatWhileBusy(given));
  if (folder === null) {
    console.log("Another instance of Vitrine is moving the data.");
    return end(isSupervised ? runsElsewhere : 0);
  }
  const config = { ...given, dataDir: folder.dataDir };
  let isOnly: boolean;
  try {
    tryMakePrivateFolder(config.dataDir);
    isOnly = becomeOnlyCopy(config.dataDir, isSupervised, () => {
      if (!kiosk?.isUnattended()) manager?.open();
    });
  } catch (error) {
    return end(
      1,
      `The folder ${config.dataDir} cannot be used: ${sentenceOf(error)}`,
    );
  } finally {
    // The only instance holds the folder by the files that it has open there.
    folder.release();
  }
  if (!isOnly) {
    console.log(
      `Vitrine is already running with the data folder ${config.dataDir}.`,
    );
    return end(isSupervised ? runsElsewhere : 0);
  }
  const life = startHeartbeat(config);
  const record = openRunRecord(config.dataDir, Date.now);
  farewell = (code) => {
    life.ended(code === startAgain);
    record.end();
  };
  const soft = openSoftDrawing(config.dataDir, Date.now);
  // Nothing that a graphics driver could break again.
  if (record.safeMode !== null || soft.reason !== null)
    app.disableHardwareAcceleration();
  const requestedPorts = [config.apiPort, config.httpsPort ?? 0].filter(
    (port) => port !== 0,
  );
  localApiPorts = () => requestedPorts;
  const log = createLog({ dir: join(config.dataDir, "log") });
  lockDown({
    ...{ schemesOf, mayHoldGuest: isOrientationFrame },
    ...{ localApiPorts: () => localApiPorts(), log },
  });
  // The player ends on request, not when a window closes.
  app.on("window-all-closed", () => undefined);
  // Without these, Electron would open a dialog on the screen.
  process.on("uncaughtException", (error) =>
    log.error("app.internal-error", { error }),
  );
  process.on("unhandledRejection", (error) =>
    log.error("app.internal-error", { error }),
  );
  app.on("child-process-gone", (_event, { type, reason, name }) => {
    if (mediaEnds.take({ name, reason })) return;
    log.error("process.gone", { type, reason, name });
  });
  app
    .whenReady()
    .then(() => wake(config, log, { life, record, soft }))
    // Half started it would never report that it is ready: it ends, and the supervisor restarts it.
    .catch((error: unknown) => failToStart(error, log));
}

interface Run {
  readonly life: Heartbeat;
  readonly record: RunRecord;
  readonly soft: SoftDrawing;
}

/** Rejects only before the player is ready. */
async function wake(config: Config, log: Log, run: Run): Promise<void> {
  const { safeMode, quietInMs } = run.record;
  // Only now: without a display there is no start, and so no crash.
  run.record.begin();
  if (safeMode !== null) log.error("app.safe-mode", { reason: safeMode });
  if (run.soft.reason !== null)
    log.warn("graphics.software-rendering", { reason: run.soft.reason });
  keepDescriptorsBack(log);
  const pages = session.defaultSession;
  servePages(pages, join(dist, "renderer"));
  letStageRead(pages);
  startMediaProcessesBy(() => forkMediaProcess(mediaScript));
  let restartApp = (): void => undefined;
  let failed = (): void => undefined;
  // The playback window comes first: its page loads while the store opens.
  const machine = createMachine(join(config.dataDir, "machine.json"));
  const isStill = machine.settings().role === "desk";
  const playbackWindow = createPlaybackWindow({
    config,
    preload: join(dist, "preload", "playback.cjs"),
    pages: createWebPages({ player: () => opening, log }),
    isCareful: safeMode !== null,
    isAway: isStill,
    onUnrecoverable: () => failed(),
    isSoft:
      config.virtualScreen || safeMode !== null || run.soft.reason !== null,
    soften: (reason) => {
      log.error("graphics.given-up", { reason });
      // Where that cannot be stored, a restart would change nothing.
      if (run.soft.begin(reason)) restartApp();
    },
    log,
  });
  const opening = openPlayer(config, playbackWindow, log, {
    ...{ safeMode, isStill },
    softwareRendering: run.soft.reason,
    restart: () => restartApp(),
    // If the app ended for it, it would only be restarted, with a black screen in between. A manual start is informed at once.
    onPortTaken: isWatched(config)
      ? (message) => run.life.ready(message)
      : undefined,
  });
  const { displayId } = machine.settings();
  if (displayId !== null) playbackWindow.moveTo(displayId);
  const thumbnails = createThumbnails(join(config.dataDir, "thumbnails"));
  serveAssets(
    pages,
    async (hash) =>
      (await opening)?.fileFor(hash) ??
      emergencyPlaylist?.fileFor(hash) ??
      null,
    thumbnails.file,
    (hash) => {
      opening
        .then((player) => player?.suspectFile(hash))
        .catch((error: unknown) => log.error("app.internal-error", { error }));
    },
    noteNoDescriptor,
  );
  warnOfOthers(config.dataDir, log).catch((error: unknown) =>
    log.error("app.internal-error", { error }),
  );
  const host = hostContent(config, log);
  const { dataDir } = config;
  const { record } = run;
  const sleep = sleepWhenRequested(playbackWindow, opening, host, {
    log,
    dataDir,
    record,
  });
  const restart = () => sleep(() => requestRestart(config));
  restartApp = restart;
  failed = () => {
    run.record.keepAsCrash();
    restart();
  };
  if (safeMode !== null)
    setTimeout(() => {
      log.info("app.safe-mode-left");
      restart();
    }, quietInMs);
  const player = await opening;
  if (!isStill) run.life.expectShowing(playbackWindow.isShowing);
  if (!player) {
    // Without a store, too, the desktop must stay out of reach.
    if (emergencyPlaylist)
      kiosk = runKiosk({
        ...{
          config,
          player: kioskWithoutStore(config.dataDir),
          playbackWindow,
          dist,
        },
        ...{ openManagerWindow: null, managerWindow: () => null, log },
      });
    return run.life.ready("The store cannot be opened");
  }
  obeySettings(player, playbackWindow);
  if (!(await openInterface(player, playbackWindow, log))) return;
  obeyHotKey(player, log);
  const openNow = () => manager?.contents() ?? null;
  const openManagerWindow = () => {
    manager?.open();
    return openNow();
  };
  kiosk = runKiosk({
    ...{ config, player, playbackWindow, dist, log },
    ...{
      openManagerWindow: config.noManager ? null : openManagerWindow,
      managerWindow: openNow,
    },
  });
  const isMeantToShow = () => machine.settings().role !== "desk";
  watchBlanking({ config, player, isMeantToShow, log });
  sync = await runSync(player, {
    ...{ dataDir: config.dataDir, log, hasScreen: isMeantToShow() },
    lastRunEnd: record.lastRunEnd,
    takeScreenshot: () => playbackWindow.takeScreenshot(),
    takeLivePicture: createLivePicture(() => playbackWindow.capture()),
    collectLogs: () => collectLogs(player, config),
    playbackDisplayId: playbackWindow.displayId,
    screenName: createScreenName(playbackWindow.overlay),
    restart,
  }).catch((error: unknown) => {
    // Local content plays all the same; the next start tries again.
    log.error("sync.not-started", { error });
    return null;
  });
  run.life.ready(`API ${player.apiAddress}`);
  console.log(
    `Vitrine is ready: API ${player.apiAddress} · data ${config.dataDir} · screen ${playbackWindow.description()}`,
  );
  host
    .wake()
    .catch((error: unknown) => log.error("app.internal-error", { error }));
  if (config.noManager) return;
  const managerDependencies = { host, config, machine, thumbnails };
  openManager(player, playbackWindow, managerDependencies, log).catch(
    (error: unknown) => log.error("app.internal-error", { error }),
  );
}

/** Opens the manager window; and does what else waits until the first showing is visible. */
async function openManager(
  player: Player,
  playbackWindow: PlaybackWindow,
  managerDependencies: Omit<ManagerDependencies, "managerWindow">,
  log: Log,
): Promise<void> {
  const { config, machine, thumbnails } = managerDependencies;
  const managerWindow = createManagerWindow({
    preload: join(dist, "preload", "manager.cjs"),
    playbackDisplayId: () => playbackWindow.displayId(),
    ...{ isOffScreen: config.virtualScreen, page: config.page },
    zoom: () => machine.settings().managerZoom,
    onZoom: (managerZoom) => {
      machine.change({ managerZoom }).catch((error: unknown) => {
        log.warn("manager.zoom-not-saved", { error });
      });
    },
  });
  serveManager(
    player,
    playbackWindow,
    { managerWindow, ...managerDependencies },
    log,
  );
  manager = managerWindow;
  await firstShowingOf(playbackWindow);
  // A PC that is only a screen opens its manager on request: by a second start; an unattended one by its PIN (V2-250).
  if (machine.settings().role !== "screen" && !kiosk?.isUnattended())
    managerWindow.open();
  await thumbnails.sweep((hash) => player.fileFor(hash) !== null);
}

/** Settings that concern the windows take effect immediately (V2-126). */
function obeySettings(player: Player, playbackWindow: PlaybackWindow): void {
  const obey = (settings: ReturnType<Player["settings"]>): void => {
    playbackWindow.setOrientation(settings.screenOrientation);
    nativeTheme.themeSource = settings.preferDarkMode ? "dark" : "system";
  };
  obey(player.settings());
  player.onSettings(obey);
}

/** The first showing comes before everything that it does not need; a slow one is not waited for. */
function firstShowingOf(playbackWindow: PlaybackWindow): Promise<unknown> {
  return Promise.race([
    playbackWindow.firstShowing,
    new Promise((resolve) => setTimeout(resolve, firstShowingWaitMs)),
  ]);
}

async function openInterface(
  player: Player,
  playbackWindow: PlaybackWindow,
  log: Log,
): Promise<boolean> {
  if (player.isPlaying()) await firstShowingOf(playbackWindow);
  try {
    await player.listen();
    localApiPorts = player.apiPorts;
    return true;
  } catch (error) {
    failToStart(error, log);
    return false;
  }
}

/** Time limit for writing the last lines of the log to a disk. */
const lastLinesMs = 1_000;

function failToStart(error: unknown, log: Log): void {
  isEnding = true;
  if (!(error instanceof Failure)) log.error("app.internal-error", { error });
  const last = (): void => {
    end(1, `Vitrine cannot start: ${sentenceOf(error)}`);
  };
  // Exiting at once would lose the reason.
  Promise.race([
    log.close(),
    new Promise((resolve) => setTimeout(resolve, lastLinesMs)),
  ]).then(last, last);
}

async function openPlayer(
  config: Config,
  playbackWindow: PlaybackWindow,
  log: Log,
  startOptions: Pick<
    PlayerOptions,
    "safeMode" | "softwareRendering" | "isStill" | "restart" | "onPortTaken"
  >,
): Promise<Player | null> {
  try {
    // Only now: loading this code before the window would delay the first showing.
    const { createPlayer } = await import("../server/player/player.ts");
    const creatingPlayer: Promise<Player | null> = createPlayer({
      ...config,
      https: httpsOf(config),
      stage: rememberingStage(
        playbackWindow.stage,
        config.dataDir,
        async (hash) =>
          (await creatingPlayer.catch(() => null))?.fileFor(hash) ?? null,
      ),
      clock: systemClock,
      version: app.getVersion(),
      isDiscoverable: !config.noDiscovery,
      sharesFiles: config.shareFiles,
      power: app.isPackaged && !config.power ? "system" : undefined,
      takeScreenshot: () => playbackWindow.takeScreenshot(),
      managerDir: join(dist, "renderer", "browser"),
      appSecrets: appSecretsIn(config.dataDir),
      ...startOptions,
      log,
    });
    return await creatingPlayer;
  } catch (error) {
    // An error that the operator cannot correct: the images of the emergency playlist play on, from plain files.
    if (!(error instanceof Failure))
      emergencyPlaylist = showEmergencyPlaylist(
        playbackWindow.stage,
        config.dataDir,
        log,
      );
    if (emergencyPlaylist) log.error("app.internal-error", { error });
    else failToStart(error, log);
    return null;
  }
}

/** The service's folder is next to the player's: neither is part of the other's backup. */
function hostContent(config: Config, log: Log): ContentHost {
  return createContentHost({
    fork: () => forkContent(join(dist, "content.cjs"), mediaScript, log),
    dataDir: `${config.dataDir}-content`,
    settingsFile: join(config.dataDir, "content-host.json"),
    ...{ version: app.getVersion(), isDiscoverable: !config.noDiscovery },
    ...{ sqliteBinding: config.sqliteBinding, log, now: Date.now },
    managerDir: join(dist, "renderer", "service"),
  });
}

/** What only this program knows is added; the recovery is not tested, which would interrupt playback. */
function collectLogs(player: Player, config: Config): Promise<Uint8Array> {
  return player.supportBundle([
    {
      name: "displays",
      read: () =>
        screen
          .getAllDisplays()
          .map(({ id, label, bounds, scaleFactor, rotation }) => ({
            ...{ id, label, bounds, scaleFactor, rotation },
          })),
    },
    { name: "graphics", read: () => app.getGPUFeatureStatus() },
    {
      name: "system-check",
      read: async () => {
        const { checkSite } = await import("./site-check/site-check.ts");
        return checkSite({ ...config, tryKill: false });
      },
    },
  ]);
}

interface ManagerDependencies {
  readonly managerWindow: ManagerWindow;
  readonly host: ContentHost;
  readonly config: Config;
  readonly machine: Machine;
  readonly thumbnails: Thumbnails;
}

function serveManager(
  player: Player,
  playbackWindow: PlaybackWindow,
  { managerWindow, host, config, machine, thumbnails }: ManagerDependencies,
  log: Log,
): void {
  answerManager(
    managerCalls(player, {
      ...{ host, dist, config, machine, thumbnails, log },
      offlineBundles: () => {
        if (sync) return sync.offlineBundles;
        throw new Failure("unavailable", connectionSentences["sync-starting"]);
      },
      connectedServices: () => sync?.services() ?? [],
      pattern: createTestPattern(playbackWindow.cover),
      playbackDisplayId: playbackWindow.displayId,
      movePlaybackWindow: playbackWindow.moveTo,
      managerDisplayId: managerWindow.displayId,
      notifyUploading: (uploading) => {
        const contents = managerWindow.contents();
        if (contents) sendToManager(contents, "uploading", uploading);
      },
      takeScreenshot: () => playbackWindow.takeScreenshot(),
      collectLogs: () => collectLogs(player, config),
      chooseSavePath: async (defaultPath) => {
        const { canceled, filePath } = await dialog.showSaveDialog({
          defaultPath,
        });
        return canceled || filePath === "" ? null : filePath;
      },
    }),
    (contents) => contents === managerWindow.contents(),
    (question, error) => log.error("ipc.internal-error", { question, error }),
  );
  host.onChanged((view) => {
    const contents = managerWindow.contents();
    if (contents) sendToManager(contents, "hosting", view);
  });
  player.onPlayerEvent((playerEvent) => {
    const contents = managerWindow.contents();
    if (contents) sendToManager(contents, "playerEvent", playerEvent);
  });
}

/**
 * Requested by the system, by the parent process, by the app's own quit, or by closing the playback window. Returns another way
 * to end it.
 */
function sleepWhenRequested(
  playbackWindow: PlaybackWindow,
  opening: Promise<Player | null>,
  host: ContentHost,
  {
    log,
    dataDir,
    record,
  }: { readonly log: Log; readonly dataDir: string } & Pick<Run, "record">,
): (codeOf: () => number) => void {
  let isAsleep = false;
  /** A part that cannot be stopped does not stop the others. */
  const stop = async (part: () => Promise<unknown> | undefined) => {
    try {
      await part();
    } catch (error) {
      log.error("app.internal-error", { error });
    }
  };
  const stopAll = async (code: number): Promise<void> => {
    await stop(async () => playbackWindow.stop());
    await stop(() => sync?.stop());
    await Promise.all([
      stop(() => host.stop()),
      stop(() => opening.then((player) => player?.stop())),
    ]);
    leave(code);
  };
  const sleep = (codeOf: () => number): void => {
    if (isAsleep || isEnding) return;
    isAsleep = true;
    const code = codeOf();
    farewell(code);
    setTimeout(() => app.exit(code), maxSleepMs);
    stopAll(code).catch(() => app.exit(code));
  };
  const sleepAsRequested = () => sleep(() => 0);
  endOnRequest({
    ...{ dataDir, program: "app", end: sleepAsRequested },
    onFailed: (error) => log.warn("end-requests.not-received", { error }),
  })
    .then((forget) => (forgetRun = forget))
    .catch((error: unknown) => log.error("app.internal-error", { error }));
  app.on("before-quit", (event) => {
    event.preventDefault();
    sleepAsRequested();
  });
  playbackWindow.onClosed(sleepAsRequested);
  playbackWindow.endWithSession({ record, putAway: sleepAsRequested });
  return sleep;
}

/**
 * Everything is on disk and every child has been notified. Shutting Chromium down piece by piece has no benefit, and now and then
 * ends in a crash that a supervisor takes for one.
 */
function leave(code: number): void {
  // A page's process that hangs would not notice that this one is gone (V2-651).
  for (const { type, pid } of app.getAppMetrics())
    if (type === "Tab" || type === "GPU") endProcess(pid);
  endLaunchers();
  // Nothing else does: Node's exit handlers do not run.
  forgetRun();
  removeOwnSocket();
  (process as unknown as { reallyExit(code: number): void }).reallyExit(code);
}

/** Ends for a reason: what closes on the way must not turn it into an ordinary end. */
function end(code: number, sentence?: string): void {
  isEnding = true;
  if (sentence !== undefined) process.stderr.write(`${sentence}\n`);
  app.exit(code);
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
