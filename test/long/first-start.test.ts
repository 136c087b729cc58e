// The real app, started for the first time on a disk that rejects writes: what is on the screen, from the start until it has
// restarted itself on the disk that accepts them.

import { rm } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/folder.ts";
import { png, type Colour } from "../support/media/media.ts";
import {
  fillUp,
  mayMount,
  remountReadOnly,
  smallDisk,
} from "../support/machine/volume.ts";
import {
  isBlank,
  openScreen,
  shows,
  watchScreen,
  type Frame,
} from "../support/screen/screen.ts";
import { startApp } from "../support/app/start-app.ts";
import { isLong } from "../support/long-form.ts";

const red: Colour = [200, 40, 40];
/** The background of the idle screen. */
const dark: Colour = [21, 28, 38];
const showsIdle = (frame: Frame): boolean =>
  !isBlank(frame) && shows(dark)(frame);
/** The disk is tried again every thirty seconds. */
const retriedMs = 60_000;

describe.runIf(isLong && mayMount)(
  "the app, started for the first time",
  () => {
    it.each([
      ["is full", "is full", true],
      ["is read-only", "cannot be written to", true],
      ["is read-only and has no folder for it", "cannot be written to", false],
    ] as const)(
      "[V2-753] on a disk that %s shows the idle screen without a break, and restarts once the disk accepts writes",
      async (_what, reason, hasFolder) => {
        const disk = await smallDisk(600);
        const dataDir = hasFolder ? disk : path.join(disk, "data", "player");
        const filler = reason === "is full" ? await fillUp(disk, 0) : null;
        const remount = filler === null ? remountReadOnly(disk) : undefined;
        const screen = await openScreen();
        const screenWatch = watchScreen(screen);
        // With a heartbeat file there is a watchdog, which restarts the app on its exit code.
        const env = {
          VITRINE_HEARTBEAT: path.join(await temporaryFolder(), "beats"),
        };
        const own = { screen, dataDir, env, flags: ["--no-manager"] };
        const app = await startApp(own);
        await screenWatch.until(showsIdle, "the idle screen");
        const info = await fetch(`${app.api}/api/v2/info`);
        expect(await info.json()).toMatchObject({
          safe_mode: expect.stringContaining(reason) as string,
        });
        expect(app.output()).toContain("store.read-only");
        const add = app.addFile(png(red, 1280, 720), { name: "red" });
        await expect(add).rejects.toThrow("507");
        const from = screenWatch.frames.length;
        await screenWatch.until(
          (frame) =>
            frame.atMs - (screenWatch.frames[from]?.atMs ?? frame.atMs) >
            35_000,
          "time",
          retriedMs,
        );
        expect(screenWatch.frames.slice(from).filter(isBlank)).toEqual([]);
        expect(app.process.exitCode).toBeNull();

        remount?.();
        if (filler !== null) await rm(filler);
        await expect
          .poll(() => app.process.exitCode, { timeout: retriedMs })
          .toBe(75);
        const restarted = await startApp(own);
        await restarted.addFile(png(red, 1280, 720), {
          name: "red",
          mimetype: "image",
        });
        await screenWatch.until(shows(red), "red");
        expect(
          await (await fetch(`${restarted.api}/api/v2/info`)).json(),
        ).toMatchObject({ safe_mode: null, store_rebuilt: null });
      },
    );
  },
);
