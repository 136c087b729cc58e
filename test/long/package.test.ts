// The package under faults: killed, hung, crashing in a loop, without its watcher or its screen; and its way out by PIN.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { InfoV2 } from "../../server/contract/v2-beyond.ts";
import { afterThisTest } from "../support/after-this-test.ts";
import { temporaryFolder } from "../support/folder.ts";
import { press } from "../support/keyboard.ts";
import { picture, type Colour } from "../support/media.ts";
import {
  launchPackage,
  listeningPorts,
  makePackage,
  startPackage,
  type PackageOptions,
  type RunningPackage,
} from "../support/package.ts";
import {
  colourAt,
  isNear,
  meanOf,
  openScreen,
  watchScreen,
  type Frame,
  type VirtualScreen,
  type Watch,
} from "../support/screen.ts";
import { openServiceSocket } from "../support/service-socket.ts";

const red: Colour = [200, 40, 40];
const showsRed = (frame: Frame): boolean => isNear(meanOf(frame), red);
/** A key of the pad, which is drawn once it can be typed on. */
const showsPad = (frame: Frame): boolean => {
  const [r, g, b] = colourAt(frame, 0.395, 0.43);
  return r > 22 && r < 40 && g > 26 && g < 50 && b > 32 && b < 60;
};
let folder = "";

beforeAll(async () => {
  folder = await makePackage();
}, 120_000);

interface Scene {
  readonly screen: VirtualScreen;
  readonly glass: Watch;
  readonly app: RunningPackage;
}

/** A player with a red picture on the glass. */
async function playing(
  options: Omit<PackageOptions, "folder"> = {},
): Promise<Scene> {
  const screen = options.screen ?? (await openScreen());
  const glass = watchScreen(screen);
  const app = await startPackage({
    folder,
    ...options,
    screen,
    env: { XDG_RUNTIME_DIR: await temporaryFolder(), ...options.env },
    flags: ["--no-manager", ...(options.flags ?? [])],
  });
  await app.addFile(picture(red, 1280, 720), {
    name: "red",
    mimetype: "image",
  });
  await glass.until(showsRed, "red");
  return { screen, glass, app };
}

async function backAgain(glass: Watch): Promise<number> {
  const from = performance.now();
  await glass.until((frame) => !showsRed(frame), "the glass without a picture");
  await glass.until(showsRed, "red again");
  return performance.now() - from;
}

async function infoOf(api: string): Promise<InfoV2> {
  return (await (await fetch(`${api}/api/v2/info`)).json()) as InfoV2;
}

describe.runIf(process.platform === "linux")(
  "fault 3, the main process killed",
  () => {
    it("is back on the glass within 10 s by the supervisor, its store sound", async () => {
      const { app, glass } = await playing({ by: "supervisor" });
      for (let round = 0; round < 3; round += 1) {
        process.kill(await app.mainPid(), "SIGKILL");
        expect(await backAgain(glass)).toBeLessThan(10_000);
      }
      await app.stop();
      const again = await startPackage({
        folder,
        dataDir: app.dataDir,
        screen: await openScreen(),
        flags: ["--no-manager"],
      });
      const assets = (await (
        await fetch(`${again.api}/api/v2/assets`)
      ).json()) as { name: string }[];
      expect(assets.map(({ name }) => name)).toEqual(["red"]);
    });
  },
);

describe.runIf(process.platform === "linux")(
  "fault 5, the main process stopped",
  () => {
    it("goes on showing, is killed by the supervisor and back within 10 s, and there is one player", async () => {
      const { app, glass } = await playing({ by: "supervisor" });
      const first = await app.mainPid();
      const from = performance.now();
      process.kill(first, "SIGSTOP");
      await backAgain(glass);
      expect(performance.now() - from).toBeLessThan(10_000);
      expect(() => process.kill(first, 0)).toThrow();
      expect(await app.mainPid()).not.toBe(first);
    });

    it("falls silent towards systemd, which was told every second before", async () => {
      const socket = await openServiceSocket();
      const { app } = await playing({
        env: { NOTIFY_SOCKET: socket.address, WATCHDOG_USEC: "6000000" },
      });
      await socket.until((message) => message.startsWith("READY=1 STATUS=API"));
      const beats = () =>
        socket.heard.filter(({ message }) => message === "WATCHDOG=1");
      await vi.waitUntil(() => beats().length >= 4, { timeout: 10_000 });
      const times = beats().map(({ atMs }) => atMs);
      const gaps = times.slice(1).map((atMs, at) => atMs - (times[at] ?? 0));
      expect(Math.max(...gaps)).toBeLessThan(3000);

      process.kill(await app.mainPid(), "SIGSTOP");
      const before = beats().length;
      await new Promise((resolve) => setTimeout(resolve, 3000));
      expect(beats().length - before).toBeLessThanOrEqual(1);
      process.kill(await app.mainPid(), "SIGCONT");
      await app.stop();
      await socket.until((message) => message === "STOPPING=1");
    });
  },
);

describe.runIf(process.platform === "linux")(
  "fault 9, five crashes in ten minutes",
  () => {
    it("[V2-256] [V2-257] lead to safe mode: pictures only, the reason in info, interface up; ended as told, four do not", async () => {
      const { app, glass, screen } = await playing({ by: "supervisor" });
      await app.add({
        name: "page",
        uri: "http://127.0.0.1:9/",
        skip_asset_check: true,
        duration: 1,
      });
      expect((await infoOf(app.api)).safe_mode).toBeNull();
      for (let crash = 0; crash < 5; crash += 1) {
        process.kill(await app.mainPid(), "SIGKILL");
        await backAgain(glass);
      }
      // The port is another one after each start; the supervisor's output tells it.
      const newest = (): string =>
        app
          .output()
          .match(/API (http:\/\/[^\s]+)/g)
          ?.at(-1)
          ?.slice(4) ?? "";
      await vi.waitFor(
        async () =>
          expect((await infoOf(newest())).safe_mode).toContain(
            "5 times within ten minutes",
          ),
        { timeout: 10_000 },
      );
      const api = newest();
      await vi.waitUntil(
        async () => {
          const assets = (await (
            await fetch(`${api}/api/v2/assets`)
          ).json()) as { name: string; metadata: { error_message?: string } }[];
          return assets
            .find(({ name }) => name === "page")
            ?.metadata.error_message?.includes("Safe mode shows pictures only");
        },
        { timeout: 20_000 },
      );
      await app.stop();
      const careful = await startPackage({
        folder,
        screen,
        dataDir: app.dataDir,
        flags: ["--no-manager"],
      });
      expect((await infoOf(careful.api)).safe_mode).not.toBeNull();
    });
  },
);

describe.runIf(process.platform === "linux")("fault 10, a second copy", () => {
  it("hands over and ends; the first keeps its window", async () => {
    const { app, glass, screen } = await playing({
      flags: ["--profile", "unattended"],
    });
    const from = glass.frames.length;
    const second = launchPackage({
      folder,
      screen,
      flags: ["--data-dir", app.dataDir, "--api-port", "0"],
    });
    expect(await second.exit()).toBe(0);
    expect(second.output()).toContain("already running");
    expect(glass.frames.slice(from).every(showsRed)).toBe(true);
  });
});

describe.runIf(process.platform === "linux")(
  "fault 13, the supervisor killed",
  () => {
    it("gets a new one within 30 s, which brings a killed player back", async () => {
      const { app, glass } = await playing({ by: "supervisor" });
      const first = await app.mainPid();
      app.process.kill("SIGKILL");
      const next = await vi.waitUntil(() => supervisorOf(first), {
        timeout: 30_000,
        interval: 200,
      });
      afterThisTest(async () => {
        process.kill(next, "SIGTERM");
        await vi.waitUntil(() => !isAlive(next), { timeout: 10_000 });
      });
      expect(isAlive(first)).toBe(true);
      process.kill(first, "SIGKILL");
      expect(await backAgain(glass)).toBeLessThan(10_000);
      expect(await app.mainPid()).not.toBe(first);
    });
  },
);

describe.runIf(process.platform === "linux")(
  "fault 67, the X server gone and back",
  () => {
    it("is on the new one within 10 s of its coming, and a start without a display is no crash", async () => {
      // A number of its own: those of others take the lowest that is free.
      const display = `:${1000 + (process.pid % 1000)}`;
      const screen = await openScreenAt(display);
      const { app, glass } = await playing({ by: "supervisor", screen });
      await glass.stop();
      await screen.close();
      // Long enough for starts that find no display.
      await vi.waitUntil(
        () => (app.output().match(/starts again/g) ?? []).length >= 3,
        { timeout: 30_000 },
      );
      const again = await openScreenAt(display);
      const from = performance.now();
      const seen = watchScreen(again);
      await seen.until(showsRed, "red on the new server");
      expect(performance.now() - from).toBeLessThan(10_000);
      const runs = JSON.parse(
        await readFile(path.join(app.dataDir, "runs.json"), "utf8"),
      ) as { crashes: number[] };
      expect(runs.crashes).toHaveLength(1);
    });
  },
);

describe.runIf(process.platform === "linux")("an unattended glass", () => {
  it("[V2-252] [V2-253] [V2-255] is left by its key and the PIN alone", async () => {
    const dataDir = await temporaryFolder();
    const pin = execFile(
      path.join(folder, "vitrine"),
      [...asRoot(), "--set-exit-pin", "--data-dir", dataDir],
      { env: { ...process.env, DISPLAY: "" } },
    );
    pin.stdin?.end("4711\n");
    expect((await once(pin, "exit"))[0]).toBe(0);
    const { app, glass, screen } = await playing({
      dataDir,
      flags: ["--profile", "unattended"],
    });

    await press(screen, "Alt", "F4");
    await press(screen, "Ctrl", "Alt", "Shift", "E");
    await glass.until(showsPad, "the pad");
    for (const digit of ["1", "1", "1", "1"] as const)
      await press(screen, digit);
    await press(screen, "Return");
    await press(screen, "Escape");
    await glass.until(showsRed, "red, as it was left");
    expect(isAlive(await app.mainPid())).toBe(true);

    await press(screen, "Ctrl", "Alt", "Shift", "E");
    await glass.until(showsPad, "the pad again");
    for (const digit of ["4", "7", "1", "1"] as const)
      await press(screen, digit);
    // Past the digits and the way to the desk, to the way to the end.
    for (let tab = 0; tab < 14; tab += 1) await press(screen, "Tab");
    await press(screen, "Return");
    expect((await once(app.process, "exit"))[0]).toBe(0);
  });

  it("[V2-250] takes its place back within 2 s from a window that covers it", async () => {
    const { glass, screen } = await playing({
      flags: ["--profile", "unattended"],
    });
    const manager = spawn("openbox", [], {
      env: { ...process.env, DISPLAY: screen.display },
      stdio: "ignore",
    });
    const intruder = spawn(
      "ffplay",
      [
        "-v",
        "error",
        "-f",
        "lavfi",
        "-i",
        "color=c=green:s=900x600",
        "-window_title",
        "intruder",
        "-left",
        "100",
        "-top",
        "50",
      ],
      {
        env: {
          ...process.env,
          DISPLAY: screen.display,
          SDL_AUDIODRIVER: "dummy",
        },
        stdio: "ignore",
      },
    );
    for (const child of [intruder, manager])
      afterThisTest(async () => {
        const exit = once(child, "exit");
        child.kill("SIGKILL");
        await exit;
      });
    const covered = await glass.until(
      (frame) => !showsRed(frame),
      "the intruder",
    );
    const back = await glass.until(showsRed, "red above it");
    expect(back.atMs - covered.atMs).toBeLessThan(2000);
  });
});

describe.runIf(process.platform === "linux")(
  "whoever looks for a way in",
  () => {
    it("finds no port but the interface's, not after SIGUSR1 either", async () => {
      const { app, glass } = await playing({ by: "supervisor" });
      const pid = await app.mainPid();
      expect(await listeningPorts(pid)).toEqual([
        Number(new URL(app.api).port),
      ]);
      process.kill(pid, "SIGUSR1");
      await glass.until(showsRed, "red");
      expect(app.output()).not.toContain("Debugger listening");
    });

    it("cannot lay another app over the archive", async () => {
      const beside = path.join(folder, "resources", "app");
      await mkdir(beside, { recursive: true });
      afterThisTest(() => rm(beside, { recursive: true, force: true }));
      await writeFile(path.join(beside, "package.json"), '{"main":"main.js"}');
      await writeFile(
        path.join(beside, "main.js"),
        'console.log("INTRUDER"); process.exit(9);',
      );
      const { app } = await playing();
      expect(app.output()).not.toContain("INTRUDER");
    });
  },
);

describe.runIf(process.platform === "linux")("the site check", () => {
  it("[V2-260] answers as text and as JSON, kills and recovers where it is told to, and ends with a code", async () => {
    const { app, screen } = await playing({
      by: "supervisor",
      flags: ["--api-port", "18347"],
    });
    const check = launchPackage({
      folder,
      screen,
      flags: [
        "--site-check",
        "--json",
        "--try-kill",
        "--data-dir",
        app.dataDir,
        "--api-port",
        "18347",
      ],
    });
    expect(await check.exit()).toBe(3);
    const json = /^\{$[^]*^\}$/m.exec(check.output())?.[0] ?? "";
    const report = JSON.parse(json) as {
      lines: { name: string; verdict: string; found: string; ms: number }[];
    };
    expect(report.lines.map(({ name }) => name)).toEqual([
      "sleep",
      "updates",
      "displays",
      "graphics",
      "codecs",
      "disk",
      "clock",
      "autostart",
      "sandbox",
      "exit PIN",
      "kill and recover",
    ]);
    expect(
      report.lines.find(({ name }) => name === "kill and recover"),
    ).toMatchObject({ verdict: "good" });
    const text = launchPackage({
      folder,
      screen,
      flags: ["--site-check", "--data-dir", app.dataDir],
    });
    await text.exit();
    expect(text.output()).toMatch(/^good\s+codecs\s+Plays H\.264/m);
    expect(text.output()).toContain("Not tried, as it interrupts the show.");
  });
});

/** A server of this name; the same again after it has gone. */
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
  await vi.waitUntil(() => existsSync(socket), { timeout: 10_000 });
  return { display, width: 1280, height: 720, close };
}

function asRoot(): string[] {
  return process.getuid?.() === 0 ? ["--no-sandbox"] : [];
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The one that has taken over the player with this process id. */
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
