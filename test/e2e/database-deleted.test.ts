// The database deleted under the running app: assets added afterwards are there after the next start.

import { rm } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../support/folder.ts";
import { png, type Colour } from "../support/media/media.ts";
import { openScreen, watchScreen, shows } from "../support/screen/screen.ts";
import { startApp } from "../support/app/start-app.ts";

const red: Colour = [200, 40, 40];
const green: Colour = [30, 160, 60];

it.skipIf(process.platform === "win32")(
  "[V2-665] shows after a restart what was added before and after its database was deleted",
  async () => {
    const screen = await openScreen();
    const screenWatch = watchScreen(screen);
    const beats = path.join(await temporaryFolder(), "beats");
    const own = { screen, flags: ["--no-manager"] };
    const app = await startApp({ ...own, env: { VITRINE_HEARTBEAT: beats } });
    const add = (name: string, colour: Colour, to = app) =>
      to.addFile(png(colour, 1280, 720), {
        ...{ name, mimetype: "image", duration: 1 },
      });
    await add("red", red);
    await screenWatch.until(shows(red), "red");
    for (const ending of ["", "-wal", "-shm"])
      await rm(path.join(app.dataDir, `vitrine.db${ending}`));
    // The player may already be restarting: then the upload fails, and is repeated as a client would.
    const added = await add("green", green).catch((error: unknown) => {
      // An answer, whatever it is, is not the restart.
      if (!(error instanceof TypeError)) throw error;
      return null;
    });
    // The exit code requests a restart from the watchdog.
    await expect.poll(() => app.process.exitCode).toBe(75);
    const restarted = await startApp({ ...own, dataDir: app.dataDir });
    if (added === null) await add("green", green, restarted);
    await screenWatch.until(shows(red), "red again");
    await screenWatch.until(shows(green), "green");
  },
);
