// The order in which the house wakes up and goes to sleep.

import { join } from "node:path";
import { app, nativeTheme, session } from "electron";
import { Failure } from "../server/contract/ipc.ts";
import { createLog, type Log } from "../server/platform/log.ts";
import type { Player } from "../server/player/player.ts";
import { serveAssets } from "./asset-protocol.ts";
import { tameChromium } from "./chromium.ts";
import { systemClock } from "../server/platform/clock.ts";
import { readOwnConfig, type Config } from "./config.ts";
import { answerManager, tellManager } from "./ipc.ts";
import { lockDown } from "./lockdown.ts";
import { managerCalls } from "./manager-calls.ts";
import { obeyHotKey } from "./hot-key.ts";
import { createManagerWindow, type ManagerWindow } from "./manager-window.ts";
import { servePages } from "./page-protocol.ts";
import {
  createPlaybackWindow,
  type PlaybackWindow,
} from "./playback-window.ts";
import { becomeOnlyCopy } from "./single-instance.ts";
import { isTurningFrame } from "./web-frame.ts";
import { letStageRead } from "./stream-access.ts";
import { createWebPages } from "./web-pages.ts";
import { schemesOf } from "./web-session.ts";

const dist = join(app.getAppPath(), "dist");
/** Interface and desk are heavy: they wait for the first slide, but not for a slow one. */
const firstSlideWaitMs = 1000;
/** Whoever asked the app to end loses patience after four seconds. */
const mostSleepMs = 3000;

let manager: ManagerWindow | null = null;
let isEnding = false;

const reading = readOwnConfig(process.defaultApp === true);
if (reading.ok) start(reading.config);
else end(2, reading.message);

function start(config: Config): void {
  tameChromium(config);
  let isOnly: boolean;
  try {
    isOnly = becomeOnlyCopy(config.dataDir, () => manager?.open());
  } catch (error) {
    return end(
      1,
      `The folder ${config.dataDir} cannot be used: ${sentenceOf(error)}`,
    );
  }
  if (!isOnly) {
    console.log(
      `Vitrine is already running on ${config.dataDir}; handed over to it.`,
    );
    return end(0);
  }
  lockDown({ schemesOf, mayHoldGuest: isTurningFrame });
  // The player ends when it is told to, not when a window closes.
  app.on("window-all-closed", () => undefined);
  const log = createLog({ dir: join(config.dataDir, "log") });
  // Without these, Electron would open a dialog on the glass.
  process.on("uncaughtException", (error) =>
    log.error("app.bug-met", { error }),
  );
  process.on("unhandledRejection", (error) =>
    log.error("app.bug-met", { error }),
  );
  app.on("child-process-gone", (_event, { type, reason }) =>
    log.error("process.gone", { type, reason }),
  );
  void app.whenReady().then(() => wake(config, log));
}

async function wake(config: Config, log: Log): Promise<void> {
  const pages = session.defaultSession;
  servePages(pages, join(dist, "renderer"));
  letStageRead(pages);
  // The glass comes first: its page loads while the store opens.
  const glass = createPlaybackWindow({
    config,
    preload: join(dist, "preload", "playback.cjs"),
    pages: createWebPages({ player: () => opening, log }),
    log,
  });
  const opening = openPlayer(config, glass, log);
  serveAssets(pages, async (hash) => (await opening)?.fileFor(hash) ?? null);
  sleepWhenTold(glass, opening);
  const player = await opening;
  if (!player) return;
  obeySettings(player, glass);
  if (!(await openInterface(player, glass, log))) return;
  obeyHotKey(player, log);
  console.log(
    `Vitrine is up: API ${player.apiAddress} · data ${config.dataDir} · glass ${glass.description()}`,
  );
  if (config.noManager) return;
  const desk = createManagerWindow({
    preload: join(dist, "preload", "manager.cjs"),
    glassDisplayId: () => glass.displayId(),
    isOutOfSight: config.virtualScreen,
  });
  serveManager(player, glass, desk, log);
  manager = desk;
  await firstSlideOf(glass);
  desk.open();
}

/** What the settings say of the windows holds at once (V2-126). */
function obeySettings(player: Player, glass: PlaybackWindow): void {
  const obey = (settings: ReturnType<Player["settings"]>): void => {
    glass.turn(settings.screenRotation);
    nativeTheme.themeSource = settings.preferDarkMode ? "dark" : "system";
  };
  obey(player.settings());
  player.onSettings(obey);
}

/** The first picture comes before everything that is not needed for it; a slow one is not waited for. */
function firstSlideOf(glass: PlaybackWindow): Promise<unknown> {
  return Promise.race([
    glass.firstSlide,
    new Promise((resolve) => setTimeout(resolve, firstSlideWaitMs)),
  ]);
}

async function openInterface(
  player: Player,
  glass: PlaybackWindow,
  log: Log,
): Promise<boolean> {
  if (player.isPlaying()) await firstSlideOf(glass);
  try {
    await player.listen();
    return true;
  } catch (error) {
    failToStart(error, log);
    return false;
  }
}

function failToStart(error: unknown, log: Log): void {
  if (!(error instanceof Failure)) log.error("app.bug-met", { error });
  end(1, `Vitrine cannot start: ${sentenceOf(error)}`);
}

async function openPlayer(
  config: Config,
  glass: PlaybackWindow,
  log: Log,
): Promise<Player | null> {
  try {
    // Only now: reading all this in before the window would keep the glass waiting.
    const { createPlayer } = await import("../server/player/player.ts");
    return await createPlayer({
      ...config,
      stage: glass.stage,
      clock: systemClock,
      version: app.getVersion(),
      power: app.isPackaged && !config.power ? "system" : undefined,
      takePicture: () => glass.takePicture(),
      log,
    });
  } catch (error) {
    failToStart(error, log);
    return null;
  }
}

function serveManager(
  player: Player,
  glass: PlaybackWindow,
  desk: ManagerWindow,
  log: Log,
): void {
  answerManager(
    managerCalls(player, () => glass.takePicture()),
    (contents) => contents === desk.contents(),
    (question, error) => log.error("question.bug-met", { question, error }),
  );
  player.onChanged(() => {
    const contents = desk.contents();
    if (contents) tellManager(contents, "changed", null);
  });
  player.onShowing((now) => {
    const contents = desk.contents();
    if (contents) tellManager(contents, "showing", now);
  });
  player.onHappening((happening) => {
    const contents = desk.contents();
    if (contents) tellManager(contents, "happening", happening);
  });
}

/** Told by the system, by whoever started us, by the app's own quit, or by the glass being closed. */
function sleepWhenTold(
  glass: PlaybackWindow,
  opening: Promise<Player | null>,
): void {
  let isAsleep = false;
  const sleep = async () => {
    if (isAsleep || isEnding) return;
    isAsleep = true;
    setTimeout(() => app.exit(0), mostSleepMs);
    glass.stop();
    await (await opening)?.stop();
    app.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.on(signal, () => void sleep());
  app.on("before-quit", (event) => {
    event.preventDefault();
    void sleep();
  });
  glass.onClosed(() => void sleep());
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
