// Starting and stopping the app: flags, ports, a second copy, its own virtual screen, a screenshot.

import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { PNG } from "pngjs";
import { describe, expect, it, vi } from "vitest";
import { waitDeadlineMs } from "../../build/vitest/wait-deadline.ts";
import { endProcess } from "../../electron/chromium/end-process.ts";
import { isAlive } from "../../electron/lifecycle/process-alive.ts";
import { orderEnd } from "../../server/platform/process/end-requests.ts";
import { afterThisTest } from "../support/after-this-test.ts";
import { temporaryFolder } from "../support/folder.ts";
import { colouredPage, png, servePages } from "../support/media/media.ts";
import type { InfoV2 } from "../../server/contract/v2/v2-monitoring.ts";
import type { NowV2 } from "../../server/contract/v2/v2-screen.ts";
import {
  isNear,
  meanOf,
  openScreen,
  watchScreen,
  type Frame,
} from "../support/screen/screen.ts";
import {
  firstWords,
  isPackaged,
  program,
  programEnvironment,
} from "../support/app/program.ts";
import { limitMemory } from "../support/machine/limits.ts";
import { mayMount } from "../support/machine/volume.ts";
import {
  drawerOf,
  launchersOf,
  renderersOf,
} from "../support/app/renderers.ts";
import {
  follow,
  launch,
  speakTo,
  startApp,
  type RunningApp,
} from "../support/app/start-app.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** A copy of the app under its package's name, next to all other files of Electron. */
async function underAnotherName() {
  const dir = await temporaryFolder();
  const from = path.dirname(program);
  for (const name of await readdir(from))
    if (name !== path.basename(program))
      await symlink(path.join(from, name), path.join(dir, name));
  const renamed = path.join(dir, "vitrine");
  await copyFile(program, renamed);
  return (flags: readonly string[], display: string) =>
    follow(
      spawn(renamed, [...firstWords, ...flags], {
        cwd: root,
        env: {
          ...programEnvironment,
          DISPLAY: display,
          VITRINE_VIRTUAL_SCREEN: "1",
        },
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
}

describe("invalid start flags", () => {
  it.each([
    [["--colour", "red"], "--colour"],
    [["--api-port", "99999"], "--api-port"],
    [["--window", "big"], "--window"],
    [["--screen"], "--screen"],
    [["stray"], "stray"],
  ])(
    "%j are rejected with an error message and exit code 2",
    async (flags, named) => {
      const app = launch(flags);
      expect(await app.exit()).toBe(2);
      expect(app.output()).toContain(named);
      const output = app.output().trim().split("\n");
      // Chromium's own lines, for example about a bus that a container lacks, start with their source location.
      expect(
        output.filter((line) => !/^\[\d+:.*\.cc\(\d+\)\]/.test(line)),
      ).toHaveLength(1);
    },
  );
});

describe("the app", () => {
  it("[V2-256] [V2-258] reports safe mode, and leaves it by a restart ten minutes after the last crash", async () => {
    const dataDir = await temporaryFolder();
    const screen = await openScreen();
    // With a heartbeat file there is a watchdog, which restarts the app on its exit code.
    const beats = path.join(await temporaryFolder(), "beats");
    const env = { VITRINE_HEARTBEAT: beats };
    const safeModeOf = async (api: string): Promise<string | null> => {
      const answer = await fetch(`${api}/api/v2/info`);
      return ((await answer.json()) as InfoV2).safe_mode;
    };
    /** Starts after five crashes whose ten minutes end in `restMs`. Null if the start took more than half of that time. */
    const startCareful = async (restMs: number): Promise<RunningApp | null> => {
      const endsAt = Date.now() + restMs;
      await writeFile(
        path.join(dataDir, "runs.json"),
        JSON.stringify({
          crashes: Array.from({ length: 5 }, () => endsAt - 10 * 60_000),
          runningSince: null,
        }),
      );
      const app = await startApp({ screen, dataDir, env });
      if (endsAt - Date.now() > restMs / 2) return app;
      await app.stop();
      return null;
    };
    // The duration of a start depends on the machine.
    let restMs = 10_000;
    let found = await startCareful(restMs);
    while (!found) found = await startCareful((restMs *= 2));
    const careful = found;
    expect(await safeModeOf(careful.api)).toContain("5 times");
    await expect
      .poll(() => careful.process.exitCode, {
        timeout: restMs + waitDeadlineMs,
      })
      .toBe(75);
    expect(await readFile(beats, "utf8")).toBe("again\n");
    const ordinary = await startApp({ screen, dataDir, env });
    expect(await safeModeOf(ordinary.api)).toBeNull();
    expect(await ordinary.stop()).toBe(0);
  });

  it("[V2-463] renders with the CPU from the next start on when the GPU process is lost three times in a minute, and reports why", async () => {
    const screen = await openScreen();
    const dataDir = await temporaryFolder();
    const beats = path.join(await temporaryFolder(), "beats");
    // As with a graphics card: a virtual screen uses software rendering anyway.
    const env = { VITRINE_HEARTBEAT: beats, VITRINE_VIRTUAL_SCREEN: "0" };
    const options = { screen, dataDir, env, flags: ["--no-manager"] };
    const reasonOf = async ({ api }: RunningApp): Promise<string | null> => {
      const answer = await fetch(`${api}/api/v2/info`);
      return ((await answer.json()) as InfoV2).software_rendering;
    };
    const first = await startApp(options);
    expect(await reasonOf(first)).toBeNull();
    const main = first.process.pid ?? 0;
    const killed = new Set<number>();
    // Kills each as soon as it is there: on a busy machine one may take so long that more than three kills are needed.
    await vi.waitFor(async () => {
      const drawer = await drawerOf(main).catch(() => null);
      if (drawer !== null && !killed.has(drawer)) {
        killed.add(drawer);
        process.kill(drawer, "SIGKILL");
      }
      expect(first.process.exitCode).toBe(75);
    });
    expect(killed.size).toBeGreaterThanOrEqual(3);
    const second = await startApp(options);
    expect(await reasonOf(second)).toContain("3 times within a minute");
    expect(second.output()).toContain("graphics.software-rendering");
    expect(await second.stop()).toBe(0);
  });

  it("[V2-461] is restarted when no stage can be launched any more", async () => {
    const screen = await openScreen();
    const beats = path.join(await temporaryFolder(), "beats");
    const app = await startApp({
      ...{ screen, flags: ["--no-manager"] },
      env: { VITRINE_HEARTBEAT: beats },
    });
    const main = app.process.pid ?? 0;
    // Processes that they launch get no memory.
    for (const pid of await launchersOf(main)) limitMemory(pid, 1_000_000);
    for (const pid of await renderersOf(main)) process.kill(pid, "SIGKILL");
    await expect.poll(() => app.process.exitCode).toBe(75);
    expect(app.output()).toContain("stage.recovery-failed");
    expect(await readFile(beats, "utf8")).toBe("again\n");
  });

  it.runIf(process.platform === "linux").each(["first", "last"])(
    "[V2-675] is restarted when the %s of its process launchers is gone, even though its stage is up",
    async (which) => {
      const screen = await openScreen();
      const beats = path.join(await temporaryFolder(), "beats");
      const app = await startApp({
        ...{ screen, flags: ["--no-manager"] },
        env: { VITRINE_HEARTBEAT: beats },
      });
      const launchers = await launchersOf(app.process.pid ?? 0);
      process.kill(launchers.at(which === "first" ? 0 : -1) ?? 0, "SIGKILL");
      await expect.poll(() => app.process.exitCode).toBe(75);
      expect(app.output()).toContain("launcher.lost");
      expect(await readFile(beats, "utf8")).toBe("again\n");
    },
  );

  it.runIf(process.platform === "linux")(
    "[V2-651] terminates its process launchers when it ends, including stopped ones",
    async () => {
      const screen = await openScreen();
      const app = await startApp({ screen, flags: ["--no-manager"] });
      const launchers = await launchersOf(app.process.pid ?? 0);
      afterThisTest(async () => launchers.filter(isAlive).forEach(endProcess));
      for (const pid of launchers) process.kill(pid, "SIGSTOP");
      expect(await app.stop()).toBe(0);
      await expect.poll(() => launchers.filter(isAlive)).toEqual([]);
    },
  );

  it.skipIf(!mayMount || isPackaged)(
    "[V2-464] shows what is due with 64 KiB of shared memory, and its system check reports that",
    async () => {
      const screen = await openScreen();
      const screenWatch = watchScreen(screen);
      const small =
        'mount -t tmpfs -o size=64k tmpfs /dev/shm && exec "$0" "$@"';
      const own = ["--data-dir", await temporaryFolder(), "--api-port", "0"];
      const start = (...flags: readonly string[]) => {
        // prettier-ignore
        const words = ["-m", "sh", "-c", small, process.execPath, "build/start.ts", ...own, "--no-manager", ...flags];
        const child = spawn("/usr/bin/unshare", words, {
          cwd: root,
          env: {
            ...programEnvironment,
            ...{ DISPLAY: screen.display, VITRINE_VIRTUAL_SCREEN: "1" },
          },
          stdio: ["ignore", "pipe", "pipe"],
        });
        const app = follow(child);
        afterThisTest(app.stop);
        return app;
      };
      const app = start();
      const api = await app.printed(/API (http:\/\/\S+)\s/);
      await speakTo(api).addFile(png([200, 40, 40], 1280, 720), {
        ...{ name: "red", mimetype: "image" },
      });
      await screenWatch.until(
        (frame) => isNear(meanOf(frame), [200, 40, 40]),
        "the image",
      );
      expect(await app.stop()).toBe(0);
      const check = start("--site-check", "--json");
      await check.exit();
      expect(check.output()).toContain("shared-memory-small");
    },
  );

  it("reports that the port is taken and exits, never using another", async () => {
    const screen = await openScreen();
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as AddressInfo;
    const dataDir = await temporaryFolder();
    const app = launch(
      ["--data-dir", dataDir, "--api-port", String(port)],
      screen,
    );
    expect(await app.exit()).toBe(1);
    expect(app.output()).toContain(`Port ${port}`);
    other.close();
  });

  it("[V2-678] that would be started again shows what is due while its port is taken, and takes the port once that is free", async () => {
    const screen = await openScreen();
    const screenWatch = watchScreen(screen);
    const dataDir = await temporaryFolder();
    const flags = ["--no-manager"];
    const first = await startApp({ screen, dataDir, flags });
    await first.addFile(png([200, 40, 40], 1280, 720), {
      ...{ name: "red", mimetype: "image" },
    });
    const isRed = (frame: Frame) => isNear(meanOf(frame), [200, 40, 40]);
    await screenWatch.until(isRed, "red");
    expect(await first.stop()).toBe(0);
    await screenWatch.until((frame) => !isRed(frame), "the empty screen");

    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as AddressInfo;
    const app = launch(
      [...flags, "--data-dir", dataDir, "--api-port", String(port)],
      screen,
      { VITRINE_HEARTBEAT: path.join(await temporaryFolder(), "beats") },
    );
    afterThisTest(app.stop);
    await app.printed(/interface\.port-taken/);
    await screenWatch.until(isRed, "red while the port is taken");
    other.close();
    expect(await app.printed(/API (http:\/\/[^\s]+)/)).toContain(`:${port}`);
    await screenWatch.until(isRed, "red still");
    expect(await app.stop()).toBe(0);
  });

  it("[V2-250] opens no manager over an unattended screen: the content stays verified", async () => {
    const screen = await openScreen();
    const screenWatch = watchScreen(screen);
    const app = await startApp({
      ...{ screen, flags: ["--profile", "unattended"] },
      // As on a PC's display, where the manager would cover it.
      env: { VITRINE_VIRTUAL_SCREEN: "0" },
    });
    await app.addFile(png([200, 40, 40]), {
      ...{ name: "red", mimetype: "image", duration: 600 },
    });
    const isRed = (frame: Frame) => isNear(meanOf(frame), [200, 40, 40]);
    await screenWatch.until(isRed, "red");
    const seen = new Set<string>();
    await expect
      .poll(async () => {
        const answer = await fetch(`${app.api}/api/v2/now`);
        const { showing } = (await answer.json()) as NowV2;
        if (showing?.checked) seen.add(`${showing.verdict} ${showing.checked}`);
        return seen.size;
      })
      .toBeGreaterThan(2);
    expect(
      [...seen].filter((verdict) => !verdict.startsWith("verified")),
    ).toEqual([]);
    await screenWatch.until(isRed, "red still");
  });

  it("[V2-360] hands a second instance on the same data folder over to the first, which keeps playing", async () => {
    const screen = await openScreen();
    const first = await startApp({ screen, flags: ["--no-manager"] });
    const second = launch(
      ["--data-dir", first.dataDir, "--api-port", "0"],
      screen,
    );
    expect(await second.exit()).toBe(0);
    expect(second.output()).toContain("already running");
    expect((await fetch(`${first.api}/api/v2/assets`)).status).toBe(200);
  });

  it.runIf(process.platform === "linux" && !isPackaged)(
    "[V2-360] hands over to an instance with another name, even after the machine was renamed",
    async () => {
      const screen = await openScreen();
      const first = await startApp({ screen, flags: ["--no-manager"] });
      const lock = path.join(first.dataDir, "chromium", "SingletonLock");
      const second = await underAnotherName();
      const flags = ["--data-dir", first.dataDir, "--api-port", "0"];
      const startSecond = async () => {
        const app = second(flags, screen.display);
        return [await app.exit(), app.output()];
      };
      const handedOver = [0, expect.stringContaining("already running")];
      expect(await startSecond()).toEqual(handedOver);
      const pid = (await readlink(lock)).split("-").at(-1);
      await rm(lock);
      await symlink(`a-name-of-before-${pid}`, lock);
      expect(await startSecond()).toEqual(handedOver);
      expect((await fetch(`${first.api}/api/v2/assets`)).status).toBe(200);
    },
  );

  it.runIf(process.platform === "linux")(
    "[V2-360] that cannot get the lock although nobody holds it reports that and exits with 1",
    async () => {
      const dataDir = await temporaryFolder();
      await mkdir(path.join(dataDir, "chromium", "SingletonLock"), {
        recursive: true,
      });
      const app = launch(["--data-dir", dataDir], await openScreen());
      expect(await app.exit()).toBe(1);
      expect(app.output()).toContain("no other instance holds it");
      expect(app.output()).not.toContain("already running");
    },
  );

  it.skipIf(isPackaged).each([
    [
      "before the store is open",
      "session.defaultSession.protocol.handle = fail;",
    ],
    [
      "once the store is open",
      `Object.defineProperty(nativeTheme, "themeSource", { set: fail });`,
    ],
  ])(
    "[V2-725] exits with 1 and an error message when its start fails %s, never partly started",
    async (_, fault) => {
      const [screen, dir] = [await openScreen(), await temporaryFolder()];
      const planted = path.join(dir, "planted.cjs");
      // A fault that no machine can be made to produce: the system rejects calls that always succeed.
      await writeFile(
        planted,
        `const { app, nativeTheme, session } = require("electron");
        const fail = () => { throw new Error("The system refuses."); };
        app.whenReady().then(() => { ${fault} });`,
      );
      const dataDir = path.join(dir, "data");
      const flags = ["--data-dir", dataDir, "--api-port", "0"];
      const app = follow(
        spawn(program, ["--require", planted, ...firstWords, ...flags], {
          cwd: root,
          env: {
            ...programEnvironment,
            ...{ DISPLAY: screen.display, VITRINE_VIRTUAL_SCREEN: "1" },
          },
          stdio: ["ignore", "pipe", "pipe"],
        }),
      );
      afterThisTest(app.stop);
      expect(await app.exit()).toBe(1);
      expect(app.output()).toContain(
        "Vitrine cannot start: The system refuses.",
      );
      expect(app.output()).not.toContain("Vitrine is ready");
      const [log = ""] = await readdir(path.join(dataDir, "log"));
      expect(await readFile(path.join(dataDir, "log", log), "utf8")).toContain(
        '"event":"app.internal-error"',
      );
    },
  );

  it("keeps playing when the reader of its output has gone, and ignores the broken pipe", async () => {
    const screen = await openScreen();
    const app = await startApp({ screen, flags: ["--no-manager"] });
    app.process.stdout?.destroy();
    app.process.stderr?.destroy();
    for (const name of ["one", "two"])
      await app.addFile(png([10, 200, 20]), { name, duration: 1 });
    const log = path.join(app.dataDir, "log", "vitrine.log");
    const shown = async () =>
      (await readFile(log, "utf8")).split('"event":"showing.shown"').length;
    await expect.poll(shown).toBeGreaterThan(4);
    expect(await readFile(log, "utf8")).not.toContain("app.internal-error");
  });

  it("keeps its library across a restart and quits by itself on SIGTERM", async () => {
    const screen = await openScreen();
    const first = await startApp({ screen, flags: ["--no-manager"] });
    await first.addFile(png([1, 200, 3]), {
      name: "kept",
      mimetype: "image",
    });
    const { dataDir } = first;
    expect(await first.stop()).toBe(0);
    const again = await startApp({ screen, flags: ["--no-manager"], dataDir });
    const assets = (await (
      await fetch(`${again.api}/api/v2/assets`)
    ).json()) as { name: string }[];
    expect(assets.map(({ name }) => name)).toEqual(["kept"]);
  });

  it("[V2-691] shuts down properly on command, as it is stopped on Windows", async () => {
    const screen = await openScreen();
    const app = await startApp({ screen, flags: ["--no-manager"] });
    expect(await orderEnd(app.dataDir, "app")).toBe("ended");
    await expect.poll(() => app.process.exitCode).toBe(0);
    const log = path.join(app.dataDir, "log", "vitrine.log");
    expect(await readFile(log, "utf8")).not.toContain("app.internal-error");
  });

  it("[V2-706][V2-864] leaves no run file and no socket behind, whether stopped by a signal or by a command", async () => {
    const screen = await openScreen();
    const flags = ["--no-manager"];
    const app = await startApp({ screen, flags });
    const { dataDir } = app;
    const running = () => readdir(path.join(dataDir, "running"));
    await expect.poll(running).toContainEqual(expect.stringMatching(/^app-/));
    expect(await app.stop()).toBe(0);
    expect(await running()).toEqual([]);

    const isLinux = process.platform === "linux";
    const link = path.join(dataDir, "chromium", "SingletonSocket");
    let leftover = "";
    if (isLinux) {
      const socket = await readlink(link);
      expect(existsSync(path.dirname(socket))).toBe(false);
      // As a run that was killed leaves it behind.
      leftover = await mkdtemp(path.join(tmpdir(), "scoped_dir"));
      await writeFile(path.join(leftover, "SingletonSocket"), "");
      await writeFile(path.join(leftover, "SingletonCookie"), "");
      await rm(link);
      await symlink(path.join(leftover, "SingletonSocket"), link);
    }
    const again = await startApp({ screen, flags, dataDir });
    if (isLinux) expect(existsSync(leftover)).toBe(false);
    await expect.poll(() => orderEnd(dataDir, "app")).toBe("ended");
    await expect.poll(() => again.process.exitCode).toBe(0);
    expect(await running()).toEqual([]);
  });

  it.skipIf(isPackaged)(
    "prints only the answer of a command, such as --version, even where there is no screen",
    async () => {
      const { stdout } = await run(
        process.execPath,
        ["build/start.ts", "--version"],
        {
          ...{ cwd: root },
          env: { ...process.env, DISPLAY: "", WAYLAND_DISPLAY: "" },
        },
      );
      expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    },
  );

  it.skipIf(isPackaged)(
    "opens its own virtual screen where there is none, reports it, and takes screenshots with the page on it",
    async () => {
      const pages = await servePages({ "/": colouredPage([10, 20, 220]) });
      const app = await startApp({});
      expect(app.output()).toContain("using a virtual screen");
      expect(app.output()).toContain("npm run screen");
      await app.add({ name: "page", uri: `${pages.address}/` });
      const file = path.join(await temporaryFolder(), "screen.png");
      await expect
        .poll(async () => {
          await run(
            process.execPath,
            ["build/screenshot.ts", file, "--api", app.api],
            { cwd: root },
          );
          const { width, height, data } = PNG.sync.read(await readFile(file));
          return [width, height, ...data.subarray(0, 3)];
        })
        .toEqual([1920, 1080, 10, 20, 220]);
      await pages.stop();
    },
  );
});
