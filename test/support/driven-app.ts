// The real app with its stage's page in hand: what is inside it can be counted while it plays.

import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { _electron, type ElectronApplication, type Page } from "playwright";
import { afterThisTest } from "./after-this-test.ts";
import type { VirtualScreen } from "./screen.ts";
import { speakTo, type AppCalls } from "./start-app.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

export interface DrivenApp extends AppCalls {
  readonly pid: number;
  /** The stage's page. */
  stage(): Promise<Page>;
  stop(): Promise<void>;
}

export async function startDrivenApp(
  screen: VirtualScreen,
): Promise<DrivenApp> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "vitrine-driven-"));
  // A package that may be driven instead of the sources.
  const packaged = process.env.VITRINE_PACKAGE;
  const electron = await _electron.launch({
    cwd: root,
    ...(packaged !== undefined && { executablePath: packaged }),
    args: [
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      ...(packaged === undefined ? ["."] : []),
      ...["--data-dir", path.join(dir, "data"), "--api-port", "0"],
      "--no-manager",
    ],
    env: {
      ...(process.env as Record<string, string>),
      DISPLAY: screen.display,
      VITRINE_VIRTUAL_SCREEN: "1",
    },
  });
  const stop = async (): Promise<void> => {
    await electron.close();
    await rm(dir, { recursive: true, force: true });
  };
  afterThisTest(stop);
  return {
    ...speakTo(
      await (packaged === undefined
        ? apiOf(electron)
        : apiFromLog(path.join(dir, "data", "log"))),
    ),
    pid: electron.process().pid ?? 0,
    stage: () => stageOf(electron),
    stop,
  };
}

function apiOf(electron: ElectronApplication): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    electron.process().stdout?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const address = /API (http:\/\/\S+)/.exec(output)?.[1];
      if (address !== undefined) resolve(address);
    });
    electron.process().once("exit", () => {
      reject(new Error(`the app ended: ${output}`));
    });
  });
}

/** A package does not wait for its driver, so what it printed may be past; its log tells it still. */
async function apiFromLog(dir: string): Promise<string> {
  for (;;) {
    for (const name of await readdir(dir).catch(() => [])) {
      const lines = await readFile(path.join(dir, name), "utf8");
      const address = /"address":"(http:[^"]+)"/.exec(lines)?.[1];
      if (address !== undefined) return address;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function stageOf(electron: ElectronApplication): Promise<Page> {
  const isStage = (page: Page): boolean =>
    page.url().startsWith("app://playback");
  return (
    electron.windows().find(isStage) ??
    electron.waitForEvent("window", { predicate: isStage })
  );
}
