// The .deb package: installed with apt, started as an ordinary user, killed, updated, interrupted in an update, removed.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import {
  chmod,
  chown,
  copyFile,
  readdir,
  readFile,
  stat,
} from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { afterThisTest } from "../support/after-this-test.ts";
import { temporaryFolder } from "../support/folder.ts";
import { png, type Colour } from "../support/media/media.ts";
import { pidOfPlayer } from "../support/app/package.ts";
import { renderersOf } from "../support/app/renderers.ts";
import {
  isNear,
  meanOf,
  openScreen,
  watchScreen,
  type Frame,
  type VirtualScreen,
} from "../support/screen/screen.ts";
import {
  follow,
  speakTo,
  type AppCalls,
  type LaunchedApp,
} from "../support/app/start-app.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const user = "vitrine-test";
const red: Colour = [200, 40, 40];
const showsRed = (frame: Frame): boolean => isNear(meanOf(frame), red);

/** It installs and removes on this machine, so only on request: npm run long. */
const mayInstall =
  process.env.VITRINE_LONG === "1" &&
  process.platform === "linux" &&
  process.getuid?.() === 0 &&
  existsSync("/usr/bin/apt-get") &&
  !existsSync("/usr/bin/vitrine");

let deb = "";

async function apt(...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await run(
    "apt-get",
    ["-q", "-y", "-o", "DPkg::Lock::Timeout=120", ...args],
    {
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      maxBuffer: 2 ** 26,
    },
  );
  return stdout + stderr;
}

interface Installed extends AppCalls {
  readonly app: LaunchedApp;
  readonly dataDir: string;
}

/** Starts the installed program as an ordinary user, in the sandbox. */
async function startInstalled(
  screen: VirtualScreen,
  dataDir: string,
): Promise<Installed> {
  const child = spawn(
    "runuser",
    // prettier-ignore
    [
      "-u", user, "--", "/usr/lib/vitrine/resources/vitrine-supervisor", "/usr/bin/vitrine",
      "--data-dir", dataDir, "--api-port", "0", "--no-manager", "--profile", "unattended",
    ],
    {
      cwd: "/",
      env: {
        PATH: process.env.PATH,
        HOME: `/home/${user}`,
        XDG_RUNTIME_DIR: path.dirname(dataDir),
        DISPLAY: screen.display,
        VITRINE_VIRTUAL_SCREEN: "1",
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const app = follow(child);
  afterThisTest(async () => {
    // runuser forwards a signal to the supervisor, which forwards it to the player.
    const pid = await pidOfPlayer(dataDir).catch(() => 0);
    await app.stop();
    if (pid > 0) await vi.waitUntil(() => !existsSync(`/proc/${pid}`));
  });
  const api = await app.printed(/API (http:\/\/[^\s]+)/);
  return { ...speakTo(api), app, dataDir };
}

async function folderOfUser(): Promise<string> {
  const dir = await temporaryFolder();
  const { stdout } = await run("id", ["-u", user]);
  await chown(dir, Number(stdout), -1);
  await chmod(dir, 0o700);
  return dir;
}

describe.runIf(mayInstall)("the .deb", () => {
  beforeAll(async () => {
    await run(process.execPath, ["build/dist.ts", "deb", "--test-build"], {
      cwd: root,
      maxBuffer: 2 ** 26,
    });
    const created = (await readdir(path.join(root, "release"))).find((name) =>
      name.endsWith(".deb"),
    );
    // apt reads it as a user of its own, without access to every home.
    deb = path.join("/tmp", `vitrine-test-${process.pid}.deb`);
    await copyFile(path.join(root, "release", created ?? ""), deb);
    await run("useradd", ["-m", user]);
    await apt("install", "--no-install-recommends", deb);
  }, 600_000);

  afterAll(async () => {
    if (existsSync("/usr/bin/vitrine")) await apt("purge", "vitrine");
    await run("userdel", ["-r", user]).catch(() => undefined);
    await run("rm", ["-f", deb]);
  }, 120_000);

  it("is marked TEST and contains its unit, its guide and a working sandbox", async () => {
    const { stdout } = await run("dpkg", ["-s", "vitrine"]);
    expect(stdout).toContain("TEST");
    expect(existsSync("/usr/lib/systemd/user/vitrine.service")).toBe(true);
    expect(existsSync("/usr/share/doc/vitrine/kiosk.md")).toBe(true);
    expect((await stat("/usr/lib/vitrine/chrome-sandbox")).mode & 0o4000).toBe(
      0o4000,
    );
    const { stdout: output, stderr } = await run(
      "systemd-analyze",
      ["verify", "--user", "--man=no", "vitrine.service"],
      { env: { ...process.env, XDG_RUNTIME_DIR: await temporaryFolder() } },
    );
    expect(output + stderr).toBe("");
  });

  it("shows a posted image in the sandbox, restarts after a kill, and keeps playing through an update", async () => {
    const screen = await openScreen(1280, 720);
    const screenWatch = watchScreen(screen);
    const dataDir = path.join(await folderOfUser(), "data");
    const started = await startInstalled(screen, dataDir);
    await started.addFile(png(red, 1280, 720), {
      name: "red",
      mimetype: "image",
    });
    await screenWatch.until(showsRed, "red");
    const player = await pidOfPlayer(dataDir);
    for (const page of await renderersOf(player))
      expect(await readFile(`/proc/${page}/status`, "utf8")).toMatch(
        /^Seccomp:\s+2$/m,
      );

    process.kill(player, "SIGKILL");
    await screenWatch.until((frame) => !showsRed(frame), "the empty screen");
    await screenWatch.until(showsRed, "red again");

    const shownFrom = screenWatch.frames.length;
    await apt("install", "--reinstall", "--no-install-recommends", deb);
    expect(screenWatch.frames.slice(shownFrom).every(showsRed)).toBe(true);
  });

  it("fault 17: after an interrupted update the previous version starts, and the update can be repeated", async () => {
    const update = spawn("dpkg", ["--install", deb], { stdio: "ignore" });
    await vi.waitUntil(() => existsSync("/usr/lib/vitrine/vitrine.dpkg-new"), {
      interval: 5,
    });
    const exit = once(update, "exit");
    update.kill("SIGKILL");
    await exit;
    const screen = await openScreen(1280, 720);
    const started = await startInstalled(
      screen,
      path.join(await folderOfUser(), "data"),
    );
    expect((await fetch(`${started.api}/api/v2/info`)).status).toBe(200);
    await started.app.stop();
    await run("dpkg", ["--install", deb]);
    await run("dpkg", ["--verify", "vitrine"]);
  });

  it("keeps the user's assets and settings when it is removed", async () => {
    const kept = path.join(await folderOfUser(), "data");
    const screen = await openScreen(1280, 720);
    const started = await startInstalled(screen, kept);
    await started.addFile(png(red), { name: "kept", mimetype: "image" });
    await started.app.stop();
    await apt("remove", "vitrine");
    for (const gone of [
      "/usr/bin/vitrine",
      "/usr/lib/vitrine",
      "/usr/lib/systemd/user/vitrine.service",
      "/usr/share/applications/vitrine.desktop",
    ])
      expect(existsSync(gone)).toBe(false);
    expect(existsSync(path.join(kept, "vitrine.db"))).toBe(true);
    await apt("purge", "vitrine");
    expect(existsSync(path.join(kept, "vitrine.db"))).toBe(true);
  });
});
