// CLI commands, which run instead of playback: help and version, the site check, setting the PIN and the password, the Windows
// set-up.

import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { app } from "electron";
import { helpText, type Config } from "./config.ts";
import { dataDirNow, writeData } from "./lifecycle/move-data.ts";
import { setExitPin } from "./kiosk/exit-pin.ts";
import {
  newPasswordPrompt,
  readSecret,
} from "../server/platform/process/secret-from-input.ts";
import { checkSite } from "./site-check/site-check.ts";
import { siteAsJson, siteAsText } from "./site-check/site-check-text.ts";
import { runProgram } from "./system/program-output.ts";
import {
  readSetupOrder,
  setupRecordFile,
  setUpWindows,
} from "./autostart/windows-setup.ts";

/** Returns whether there was a command. */
export function runCliCommand(given: Config): boolean {
  const config = { ...given, dataDir: dataDirNow(given) };
  if (config.help || config.version) {
    process.stdout.write(config.help ? helpText() : `${app.getVersion()}\n`);
    app.exit(0);
    return true;
  }
  if (config.setExitPin) {
    app.exit(takePin(given));
    return true;
  }
  if (config.setPassword) {
    takePassword(given).then(
      (code) => app.exit(code),
      () => app.exit(1),
    );
    return true;
  }
  if (!config.siteCheck && config.windowsSetup === undefined) return false;
  // A running player has the lock and the profile; this process is not the player.
  app.setPath("userData", mkdtempSync(join(tmpdir(), "vitrine-command-")));
  // A check that opens a page closes it again, which must not end the app.
  app.on("window-all-closed", () => undefined);
  if (config.virtualScreen) app.disableHardwareAcceleration();
  const command =
    config.windowsSetup === undefined
      ? runSiteCheck(config)
      : setUp(config.windowsSetup, config.programData);
  command.then(
    (code) => app.exit(code),
    (error: unknown) => {
      process.stderr.write(`${sentenceOf(error)}\n`);
      app.exit(1);
    },
  );
  return true;
}

/** Exit code 0 without problems, 3 with at least one (V2-260). */
async function runSiteCheck(config: Config): Promise<number> {
  await app.whenReady();
  const report = await checkSite(config);
  process.stdout.write(
    config.json ? siteAsJson(report) : siteAsText(report, app.getLocale()),
  );
  return report.faults === 0 ? 0 : 3;
}

/** Administrator part of the set-up that windows.ps1 cannot decide by itself (V2-699). */
async function setUp(file: string, programData: string): Promise<number> {
  if (process.platform !== "win32")
    throw new Error("--windows-setup works on Windows only.");
  const order = readSetupOrder(readFileSync(file, "utf8"));
  const record = setupRecordFile(programData);
  const done = await setUpWindows(order, record, runProgram);
  process.stdout.write(done.map((sentence) => `- ${sentence}\n`).join(""));
  return 0;
}

/** From standard input, so that it appears in no process list; an empty line removes it (V2-253). */
function takePin(config: Config): number {
  try {
    const given = readFileSync(0, "utf8").trim();
    writeData(config, (dataDir) => setExitPin(dataDir, given || null));
    process.stdout.write(
      given === ""
        ? "The exit PIN has been removed.\n"
        : "The exit PIN is set.\n",
    );
    return 0;
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`);
    return 2;
  }
}

/**
 * The same for the password of the sign-in (V2-782). Nothing in it waits for the event loop: where there is no display, Chromium
 * ends the process before.
 */
async function takePassword(config: Config): Promise<number> {
  try {
    const { changePasswordIn } = await import("../server/player/player.ts");
    const next = readSecret(newPasswordPrompt);
    const binding = config.sqliteBinding;
    writeData(config, (dataDir) => {
      const done = changePasswordIn(dataDir, next, { binding });
      process.stdout.write(`${done}\n`);
    });
    return 0;
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`);
    return 2;
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
