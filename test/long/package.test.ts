// The package under faults: killed, hung, crashing in a loop, without its supervisor, without its X server.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { InfoV2 } from "../../server/contract/v2/v2-monitoring.ts";
import { afterThisTest } from "../support/after-this-test.ts";
import {
  launchPackage,
  makePackage,
  startPackage,
} from "../support/app/package.ts";
import {
  isAlive,
  isEnabled,
  playRed,
  redAgain,
  showsRed,
} from "../support/app/watched-package.ts";
import {
  openScreen,
  seenFor,
  watchScreen,
  type VirtualScreen,
} from "../support/screen/screen.ts";
import { openServiceSocket } from "../support/machine/service-socket.ts";

let folder = "";

beforeAll(async () => {
  if (isEnabled) folder = await makePackage();
}, 120_000);

async function infoOf(api: string): Promise<InfoV2> {
  return (await (await fetch(`${api}/api/v2/info`)).json()) as InfoV2;
}

describe.runIf(isEnabled)("fault 3, the main process killed", () => {
  it("is restarted by the supervisor with a sound store", async () => {
    const { app, screenWatch } = await playRed({ folder, by: "supervisor" });
    for (let round = 0; round < 3; round += 1) {
      process.kill(await app.mainPid(), "SIGKILL");
      await redAgain(screenWatch);
    }
    await app.stop();
    const again = await startPackage({
      folder,
      dataDir: app.dataDir,
      screen: await openScreen(1280, 720),
      flags: ["--no-manager"],
    });
    const assets = (await (
      await fetch(`${again.api}/api/v2/assets`)
    ).json()) as { name: string }[];
    expect(assets.map(({ name }) => name)).toEqual(["red"]);
  });
});

describe.runIf(isEnabled)("fault 5, the main process stopped", () => {
  it("keeps showing, is killed and restarted by the supervisor, and only one player runs", async () => {
    const { app, screenWatch } = await playRed({ folder, by: "supervisor" });
    const first = await app.mainPid();
    process.kill(first, "SIGSTOP");
    await redAgain(screenWatch);
    expect(() => process.kill(first, 0)).toThrow();
    expect(await app.mainPid()).not.toBe(first);
  });

  it("stops its heartbeat to systemd", async () => {
    const socket = await openServiceSocket();
    const { app, screenWatch } = await playRed({
      folder,
      env: { NOTIFY_SOCKET: socket.address, WATCHDOG_USEC: "6000000" },
    });
    await socket.until((message) => message.startsWith("READY=1 STATUS=API"));
    const beats = () =>
      socket.received.filter(({ message }) => message === "WATCHDOG=1");
    await vi.waitUntil(() => beats().length >= 4);

    process.kill(await app.mainPid(), "SIGSTOP");
    const before = beats().length;
    // As long as three heartbeats take, by the samples of the screen.
    await seenFor(screenWatch, 3000);
    expect(beats().length - before).toBeLessThanOrEqual(1);
    process.kill(await app.mainPid(), "SIGCONT");
    await app.stop();
    await socket.until((message) => message === "STOPPING=1");
  });
});

describe.runIf(isEnabled)("fault 9, five crashes in ten minutes", () => {
  it("[V2-256] [V2-257] lead to safe mode: images only, the reason in info, the API up; a clean exit does not reset it", async () => {
    const { app, screenWatch, screen } = await playRed({
      folder,
      by: "supervisor",
    });
    await app.add({
      name: "page",
      uri: "http://127.0.0.1:9/",
      skip_asset_check: true,
      duration: 1,
    });
    expect((await infoOf(app.api)).safe_mode).toBeNull();
    for (let crash = 0; crash < 5; crash += 1) {
      process.kill(await app.mainPid(), "SIGKILL");
      await redAgain(screenWatch);
    }
    // The port changes with each start; the supervisor's output names it.
    const newest = (): string =>
      app
        .output()
        .match(/API (http:\/\/[^\s]+)/g)
        ?.at(-1)
        ?.slice(4) ?? "";
    await vi.waitFor(async () =>
      expect((await infoOf(newest())).safe_mode).toContain(
        "5 times within ten minutes",
      ),
    );
    const api = newest();
    await vi.waitUntil(async () => {
      const assets = (await (await fetch(`${api}/api/v2/assets`)).json()) as {
        name: string;
        metadata: { error_message?: string };
      }[];
      return assets
        .find(({ name }) => name === "page")
        ?.metadata.error_message?.includes("Safe mode shows images only");
    });
    await app.stop();
    const careful = await startPackage({
      folder,
      screen,
      dataDir: app.dataDir,
      flags: ["--no-manager"],
    });
    expect((await infoOf(careful.api)).safe_mode).not.toBeNull();
  });
});

describe.runIf(isEnabled)("fault 10, a second copy", () => {
  it("hands over and exits; the first keeps its window", async () => {
    const { app, screenWatch, screen } = await playRed({
      folder,
      flags: ["--profile", "unattended"],
    });
    const from = screenWatch.frames.length;
    const second = launchPackage({
      folder,
      screen,
      flags: ["--data-dir", app.dataDir, "--api-port", "0"],
    });
    expect(await second.exit()).toBe(0);
    expect(second.output()).toContain("already running");
    expect(screenWatch.frames.slice(from).every(showsRed)).toBe(true);
  });
});

describe.runIf(isEnabled)("fault 12, the native module does not load", () => {
  it("[V2-261] shows the last images from plain files, and everything once it loads again", async () => {
    const { app, screenWatch, screen } = await playRed({ folder });
    await vi.waitUntil(() =>
      existsSync(path.join(app.dataDir, "last-plan.json")),
    );
    await app.stop();
    await screenWatch.until((frame) => !showsRed(frame), "the empty screen");
    const module = path.join(
      folder,
      "resources/app.asar.unpacked/node_modules/better-sqlite3/prebuilds",
      `linux-${process.arch}.node`,
    );
    const complete = await readFile(module);
    await writeFile(module, "no library");
    const broken = launchPackage({
      folder,
      screen,
      flags: ["--data-dir", app.dataDir, "--api-port", "0", "--no-manager"],
    });
    try {
      await screenWatch.until(showsRed, "red, without the store");
      expect(broken.output()).toContain("app.emergency-playlist-shown");
    } finally {
      await broken.stop();
      await writeFile(module, complete);
    }
    const again = await startPackage({
      ...{ folder, screen, dataDir: app.dataDir, flags: ["--no-manager"] },
    });
    expect((await infoOf(again.api)).safe_mode).toBeNull();
  });
});

describe.runIf(isEnabled)("fault 13, the supervisor killed", () => {
  it("is replaced within 30 s by a new one, which restarts a killed player", async () => {
    const { app, screenWatch } = await playRed({ folder, by: "supervisor" });
    const first = await app.mainPid();
    app.process.kill("SIGKILL");
    const next = await vi.waitUntil(() => supervisorOf(first), {
      interval: 200,
    });
    afterThisTest(async () => {
      process.kill(next, "SIGTERM");
      await vi.waitUntil(() => !isAlive(next));
    });
    expect(isAlive(first)).toBe(true);
    process.kill(first, "SIGKILL");
    await redAgain(screenWatch);
    expect(await app.mainPid()).not.toBe(first);
  });
});

describe.runIf(isEnabled)("fault 67, the X server gone and back", () => {
  it("continues on the new one, and a start without a display does not count as a crash", async () => {
    // A display number of its own: other tests take the lowest free one.
    const display = `:${1000 + (process.pid % 1000)}`;
    const screen = await openScreenAt(display);
    const { app, screenWatch } = await playRed({
      folder,
      by: "supervisor",
      screen,
    });
    await screenWatch.stop();
    await screen.close();
    // Long enough for starts that find no display.
    await vi.waitUntil(
      () => (app.output().match(/restarting/g) ?? []).length >= 3,
    );
    const again = await openScreenAt(display);
    const seen = watchScreen(again);
    await seen.until(showsRed, "red on the new server");
    const runs = JSON.parse(
      await readFile(path.join(app.dataDir, "runs.json"), "utf8"),
    ) as { crashes: number[] };
    expect(runs.crashes).toHaveLength(1);
  });
});

/** Starts an X server with this display name; can be repeated after it has ended. */
async function openScreenAt(display: string): Promise<VirtualScreen> {
  const server = spawn(
    "Xvfb",
    [display, "-screen", "0", "1280x720x24", "-nolisten", "tcp"],
    { stdio: "ignore" },
  );
  const exit = once(server, "exit");
  const close = async (): Promise<void> => {
    server.kill("SIGTERM");
    await exit;
  };
  afterThisTest(close);
  const socket = `/tmp/.X11-unix/X${display.slice(1)}`;
  await vi.waitUntil(() => existsSync(socket));
  return { display, width: 1280, height: 720, close };
}

/** The supervisor that has taken over the player with this process id. */
async function supervisorOf(player: number): Promise<number | false> {
  const children = await readFile(
    `/proc/${player}/task/${player}/children`,
    "utf8",
  );
  for (const child of children.trim().split(/\s+/)) {
    const command = await readFile(`/proc/${child}/cmdline`, "utf8").catch(
      () => "",
    );
    if (command.includes("\0--adopt\0")) return Number(child);
  }
  return false;
}
