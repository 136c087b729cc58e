// What the program does instead of playing: it says how it is started, looks at the site or takes a new PIN, and ends.

import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { app } from "electron";
import { helpText, type Config } from "./config.ts";
import { dataDirNow } from "./lifecycle/data-folder.ts";
import { setExitPin } from "./kiosk/exit-pin.ts";
import { checkSite } from "./site-check/site-check.ts";
import { siteAsText } from "./site-check/site-check-text.ts";
import { runProgram } from "./system/program-output.ts";
import {
  setupOrder,
  setupRecordFile,
  setUpWindows,
} from "./autostart/windows-setup.ts";

/** Whether there was one. */
export function runCliCommand(given: Config): boolean {
  const config = { ...given, dataDir: dataDirNow(given) };
  if (config.help || config.version) {
    process.stdout.write(config.help ? helpText() : `${app.getVersion()}\n`);
    app.exit(0);
    return true;
  }
  if (config.setExitPin) {
    app.exit(takePin(config));
    return true;
  }
  if (!config.siteCheck && config.windowsSetup === undefined) return false;
  // A running player has the lock and the profile; this is none.
  app.setPath("userData", mkdtempSync(join(tmpdir(), "vitrine-errand-")));
  // A look that needs a page closes it again, and that is not the end.
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

/** 0 when nothing is at fault, 3 when something is (V2-260). */
async function runSiteCheck(config: Config): Promise<number> {
  await app.whenReady();
  const report = await checkSite(config);
  process.stdout.write(
    config.json ? `${JSON.stringify(report, null, 2)}\n` : siteAsText(report),
  );
  return report.faults === 0 ? 0 : 3;
}

/** What windows.ps1 cannot decide by itself, as administrator (V2-699). */
async function setUp(file: string, programData: string): Promise<number> {
  if (process.platform !== "win32")
    throw new Error("--windows-setup is for Windows alone.");
  // Windows PowerShell writes a mark in front.
  const text = readFileSync(file, "utf8").replace(/^\ufeff/, "");
  const order = setupOrder.parse(JSON.parse(text));
  const record = setupRecordFile(programData);
  const done = await setUpWindows(order, record, runProgram);
  process.stdout.write(done.map((sentence) => `- ${sentence}\n`).join(""));
  return 0;
}

/** From standard input, so that it stands in no list of processes; an empty line takes it away (V2-253). */
function takePin(config: Config): number {
  try {
    const given = readFileSync(0, "utf8").trim();
    setExitPin(config.dataDir, given || null);
    process.stdout.write(
      given === "" ? "The PIN is taken away.\n" : "The PIN is set.\n",
    );
    return 0;
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`);
    return 2;
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
