// Terminal output of `npm start`: the player's own lines, not Chromium's, and how the app ended after a crash.

import { readFile, readlink, stat } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { openScreen } from "../support/screen/screen.ts";
import { isPackaged } from "../support/app/program.ts";
import { startApp } from "../support/app/start-app.ts";

// A package does not run under our start script.
describe.skipIf(isPackaged || process.platform !== "linux")(
  "the terminal of npm start",
  () => {
    it("shows no line of Chromium on a machine without a session bus, and the log file has them", async () => {
      const nowhere = "unix:path=/nonexistent/bus";
      const app = await startApp({
        screen: await openScreen(),
        env: {
          DBUS_SESSION_BUS_ADDRESS: nowhere,
          DBUS_SYSTEM_BUS_ADDRESS: nowhere,
        },
      });
      const file = path.join(app.dataDir, "log", "chromium.log");
      await expect
        .poll(() => readFile(file, "utf8").catch(() => ""))
        .toContain("Failed to connect to the bus");
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(await app.stop()).toBe(0);
      expect(app.output()).toContain("Vitrine is ready");
      expect(app.output()).not.toMatch(/bus\.cc|^\[\d+:/m);
      expect(app.output()).not.toContain("unexpectedly");
    });

    it("reports how the app ended when it crashed, and where the details are", async () => {
      const app = await startApp({ screen: await openScreen() });
      const lock = path.join(app.dataDir, "chromium", "SingletonLock");
      const pid = Number((await readlink(lock)).split("-").at(-1));
      const ended = new Promise((resolve) =>
        app.process.once("close", resolve),
      );
      process.kill(pid, "SIGKILL");
      expect(await ended).toBe(137);
      expect(app.output()).toContain(
        "Vitrine stopped unexpectedly (137, SIGKILL).",
      );
    });
  },
);
