// The app as a supervisor: without a window, a profile of its own or a look at the player's store.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { app } from "electron";
import type { Supervision } from "../supervision.ts";
import { supervise } from "./supervisor.ts";

export function watchPlayer(supervision: Supervision): void {
  // Nothing is drawn here, and a driver that breaks must not take the supervisor along.
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
    // Whatever started this one starts it again.
    end(1);
  };
  // Without this, Electron would open a dialog on the screen.
  process.on("uncaughtException", giveUp);
  supervise(supervision, report).then(end, giveUp);
}
