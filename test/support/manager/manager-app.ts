// Starts the real app with its manager, in any language and size, and a client of its player besides the manager.

import { mkdir, mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { _electron, type ElectronApplication, type Page } from "playwright";
import { createMachine } from "../../../electron/machine-settings.ts";
import type { ManagerBridge } from "../../../server/contract/ipc/ipc.ts";
import { waitDeadlineMs } from "../../../build/vitest/wait-deadline.ts";
import { afterThisTest } from "../after-this-test.ts";
import { removeFolder } from "../folder.ts";
import { firstWords, program, programEnvironment } from "../app/program.ts";
import { openScreen, type VirtualScreen } from "../screen/screen.ts";
import { speakTo, type AppCalls } from "../app/start-app.ts";

declare global {
  interface Window {
    readonly manager: ManagerBridge;
  }
}

const root = fileURLToPath(new URL("../../..", import.meta.url));

export interface ManagerApp extends AppCalls {
  readonly page: Page;
  readonly app: ElectronApplication;
  readonly screen: VirtualScreen;
  /** A folder for files of the test's own; the player's data is in `data` below it. */
  readonly dir: string;
  /** Of the window's content. */
  resize(width: number, height: number): Promise<void>;
  close(): Promise<void>;
}

export interface ManagerAppOptions {
  /** As the system spells it: `de_DE.UTF-8`. */
  readonly language?: string;
  readonly width?: number;
  readonly height?: number;
  /** One that was prepared before. */
  readonly dir?: string;
  /** The first run is shown only where the test is about it. */
  readonly withFirstRun?: boolean;
  readonly screen?: VirtualScreen;
  readonly windowSize?: string;
}

/** Of the window's content, by default. */
export const defaultSize = { width: 1360, height: 860 };

export async function openManager(
  options: ManagerAppOptions = {},
): Promise<ManagerApp> {
  const {
    width,
    height,
    language = "en_GB.UTF-8",
  } = {
    ...defaultSize,
    ...options,
  };
  const screen = options.screen ?? (await openScreen(2100, 1000));
  const dir =
    options.dir ?? (await mkdtemp(path.join(os.tmpdir(), "vitrine-manager-")));
  const dataDir = path.join(dir, "data");
  if (options.withFirstRun !== true) await finishFirstRun(dataDir);
  const app = await _electron.launch({
    cwd: root,
    executablePath: program,
    args: [
      ...firstWords,
      ...["--data-dir", dataDir, "--api-port", "0"],
      ...["--window", options.windowSize ?? "640x360"],
    ],
    env: {
      ...(programEnvironment as Record<string, string>),
      ...{ DISPLAY: screen.display, LANG: language, LC_ALL: language },
      LANGUAGE: language.split(".")[0] ?? "",
      VITRINE_POWER: "dry-run",
    },
  });
  const close = async (): Promise<void> => {
    await app.close().catch(() => undefined);
    if (options.dir === undefined) await removeFolder(dir);
  };
  afterThisTest(close);
  app.context().setDefaultTimeout(waitDeadlineMs);
  const page = await managerPageOf(app);
  await page.waitForLoadState();
  const api = await page.evaluate(
    async () => (await window.manager.getMachine({})).apiAddress,
  );
  const resize = async (across: number, down: number): Promise<void> => {
    await app.evaluate(
      ({ BrowserWindow }, size) => {
        for (const window of BrowserWindow.getAllWindows())
          if (window.webContents.getURL().startsWith("app://manager"))
            window.setContentBounds({
              // Next to the playback window, so as not to cover it.
              ...{ x: 660, y: 0, width: size.across, height: size.down },
            });
      },
      { across, down },
    );
    await page.waitForFunction(
      (size) => innerWidth === size.across && innerHeight === size.down,
      { across, down },
    );
  };
  await page.locator(".shell").waitFor();
  await resize(width, height);
  return { ...speakTo(api), page, app, screen, dir, resize, close };
}

/** Before the start: a manager that has to be told later would have to be loaded a second time, which costs as much as the first. */
async function finishFirstRun(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const machine = createMachine(path.join(dataDir, "machine.json"));
  await machine.change({ isFirstRunDone: true });
}

async function managerPageOf(app: ElectronApplication): Promise<Page> {
  const isManagerPage = (page: Page): boolean =>
    page.url().startsWith("app://manager");
  return (
    app.windows().find(isManagerPage) ??
    (await app.waitForEvent("window", { predicate: isManagerPage }))
  );
}
