// One app on one watched screen for all tests of a file, with an empty player and the idle screen visible before each.

import { beforeAll, beforeEach } from "vitest";
import type { Colour } from "../media/media.ts";
import { temporaryFolder, untilAllHaveRun, type AtEnd } from "../folder.ts";
import {
  isBlank,
  isNear,
  meanOf,
  openScreen,
  watchScreen,
  type Frame,
  type VirtualScreen,
  type Watch,
} from "../screen/screen.ts";
import { startApp, type AppCalls, type RunningApp } from "./start-app.ts";

export interface SharedScreen<App> {
  readonly app: App;
  readonly screen: VirtualScreen;
  /** Its frames are those of this test. */
  readonly screenWatch: Watch;
}

type Stoppable = AppCalls & { stop(): Promise<unknown> };

export interface SharedScreenOptions<App> {
  /** Samples per second. */
  readonly rate?: number;
  readonly start: (screen: VirtualScreen, atEnd: AtEnd) => Promise<App>;
}

/** The app alone, without its manager. */
export async function startAlone(
  screen: VirtualScreen,
  atEnd: AtEnd,
): Promise<RunningApp> {
  const dataDir = await temporaryFolder(atEnd);
  return startApp({ screen, dataDir, flags: ["--no-manager"] });
}

export function sharedScreen<App extends Stoppable>({
  rate = 30,
  start,
}: SharedScreenOptions<App>): SharedScreen<App> {
  let all: Opened<App> | null = null;
  const opened = () => {
    if (!all) throw new Error("The app is not up yet.");
    return all;
  };
  beforeAll(() =>
    untilAllHaveRun(async (atEnd) => {
      const screen = await openScreen();
      atEnd(screen.close);
      const app = await start(screen, atEnd);
      atEnd(async () => {
        await app.stop();
      });
      const screenWatch = watchScreen(screen, { rate });
      atEnd(screenWatch.stop);
      await untilCardIsUp(app);
      const card = meanOf(await screenWatch.until(steady(), "the house card"));
      all = { app, screen, screenWatch, card, settings: await settingsOf(app) };
    }),
  );
  beforeEach(async () => {
    const { app, screenWatch, card, settings } = opened();
    await empty(app, settings);
    // The app reports it a moment before it is visible.
    const isCard = (frame: Frame) => isNear(meanOf(frame), card, nearlyThere);
    await screenWatch.until(isCard, "the house card");
    screenWatch.forget();
  });
  return {
    get app() {
      return opened().app;
    },
    get screen() {
      return opened().screen;
    },
    get screenWatch() {
      return opened().screenWatch;
    },
  };
}

/** Its clock and its position change a little. */
const nearlyThere = 6;
/** It may be visible before its text is. */
const steadyMs = 700;

/** Matches a screen that is no longer blank and has not changed for a while. */
function steady(): (frame: Frame) => boolean {
  let first: Frame | null = null;
  return (frame) => {
    if (!first || !isNear(meanOf(first), meanOf(frame), 1)) first = frame;
    return !isBlank(frame) && frame.atMs - first.atMs > steadyMs;
  };
}

type Settings = Readonly<Record<string, unknown>>;

type Opened<App> = SharedScreen<App> & {
  readonly settings: Settings;
  /** The mean of its colours. */
  readonly card: Colour;
};

async function settingsOf({ api }: AppCalls): Promise<Settings> {
  const answer = await fetch(`${api}/api/v2/device_settings`);
  return (await answer.json()) as Settings;
}

async function empty(app: AppCalls, settings: Settings): Promise<void> {
  await fetch(`${app.api}/api/v2/takeover`, { method: "DELETE" });
  const now = await settingsOf(app);
  const changed = Object.entries(settings).filter(
    ([name, value]) => JSON.stringify(now[name]) !== JSON.stringify(value),
  );
  if (changed.length > 0) await set(app, Object.fromEntries(changed));
  const assets = await fetch(`${app.api}/api/v2/assets`);
  for (const { asset_id: id } of (await assets.json()) as {
    asset_id: string;
  }[])
    await app.remove(id);
  await untilCardIsUp(app);
}

async function untilCardIsUp(app: AppCalls): Promise<void> {
  while (!(await isCardUp(app)));
}

/** Settings of the player, each by its wire name. */
export async function set(app: AppCalls, settings: Settings): Promise<void> {
  const answer = await fetch(`${app.api}/api/v2/device_settings`, {
    method: "PATCH",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(settings),
  });
  if (!answer.ok) throw new Error(`device_settings: ${await answer.text()}`);
}

async function isCardUp({ api }: AppCalls): Promise<boolean> {
  const answer = await fetch(`${api}/api/v2/now`);
  const { showing } = (await answer.json()) as {
    showing: { kind: string } | null;
  };
  return showing?.kind === "card";
}

/** Why it cannot be shown; empty while no problem is known. */
export async function problemOf(app: AppCalls, id: string): Promise<string> {
  const answer = await fetch(`${app.api}/api/v2/assets/${id}`);
  const { metadata } = (await answer.json()) as {
    metadata: { error_message?: string };
  };
  return metadata.error_message ?? "";
}
