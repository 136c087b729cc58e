// Runs the app as a supervisor: without a window, with a temporary profile, and without opening the player's store.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { app } from "electron";
import type { Supervision } from "./windows-supervisor-arguments.ts";
import { supervise } from "./windows-supervisor.ts";

export function watchPlayer(supervision: Supervision): void {
  // Nothing is drawn here, and a driver that crashes must not end the supervisor.
  app.disableHardwareAcceleration();
  // The player has the lock and the profile.
  const profile = mkdtempSync(join(tmpdir(), "vitrine-supervisor-profile-"));
  app.setPath("userData", profile);
  const end = (code: number): void => {
    rmSync(profile, { recursive: true, force: true });
    app.exit(code);
  };
  const report = (sentence: string): void => {
    process.stderr.write(`supervisor: ${sentence}\n`);
  };
  const giveUp = (error: unknown): void => {
    report(error instanceof Error ? error.message : String(error));
    // Whatever started this process starts it again.
    end(1);
  };
  // Without this, Electron would open a dialog on the screen.
  process.on("uncaughtException", giveUp);
  supervise(supervision, report).then(end, giveUp);
}
