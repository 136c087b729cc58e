// The package in kiosk mode: exit by PIN alone, back on top, closed to attackers; and the site check.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { afterThisTest } from "../support/after-this-test.ts";
import { temporaryFolder } from "../support/folder.ts";
import { holdPort } from "../support/machine/reserved-port.ts";
import { press } from "../support/screen/keyboard.ts";
import {
  launchPackage,
  listeningPorts,
  makePackage,
} from "../support/app/package.ts";
import {
  isAlive,
  isEnabled,
  playRed,
  showsRed,
} from "../support/app/watched-package.ts";
import {
  blankAfter,
  blankScreen,
  saverState,
} from "../support/screen/blanked-screen.ts";
import { colourAt, openScreen, type Frame } from "../support/screen/screen.ts";

/** A key of the PIN pad, which is drawn once it accepts input. */
const showsPad = (frame: Frame): boolean => {
  const [r, g, b] = colourAt(frame, 0.395, 0.43);
  return r > 22 && r < 40 && g > 26 && g < 50 && b > 32 && b < 60;
};
let folder = "";

beforeAll(async () => {
  if (isEnabled) folder = await makePackage();
}, 120_000);

describe.runIf(isEnabled)("an unattended screen", () => {
  it("[V2-251] [V2-252] [V2-253] [V2-255] can be left only by its shortcut and the PIN", async () => {
    const dataDir = await temporaryFolder();
    const pin = execFile(
      path.join(folder, "vitrine"),
      [...asRoot(), "--set-exit-pin", "--data-dir", dataDir],
      { env: { ...process.env, DISPLAY: "" } },
    );
    pin.stdin?.end("4711\n");
    expect((await once(pin, "exit"))[0]).toBe(0);
    const { app, screenWatch, screen } = await playRed({
      folder,
      dataDir,
      flags: ["--profile", "unattended"],
    });

    await press(screen, "Alt", "F4");
    await press(screen, "Ctrl", "Alt", "Shift", "E");
    await screenWatch.until(showsPad, "the pad");
    for (const digit of ["1", "1", "1", "1"] as const)
      await press(screen, digit);
    await press(screen, "Return");
    await press(screen, "Escape");
    await screenWatch.until(showsRed, "red, as it was left");
    expect(isAlive(await app.mainPid())).toBe(true);

    await press(screen, "Ctrl", "Alt", "Shift", "E");
    await screenWatch.until(showsPad, "the pad again");
    for (const digit of ["4", "7", "1", "1"] as const)
      await press(screen, digit);
    // Tabs past the digits to the button that quits.
    for (let tab = 0; tab < 13; tab += 1) await press(screen, "Tab");
    await press(screen, "Return");
    expect(await once(app.process, "exit")).toEqual([0, null]);
  });

  it("[V2-250] comes back to the top when another window covers it", async () => {
    const { screenWatch, screen } = await playRed({
      folder,
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
    await screenWatch.until((frame) => !showsRed(frame), "the intruder");
    await screenWatch.until(showsRed, "red above it");
  });
});

describe.runIf(isEnabled)("autostart", () => {
  it("[V2-254] is an entry whose command starts playback, and is deleted when it is switched off", async () => {
    const dataDir = await temporaryFolder();
    const configHome = await temporaryFolder();
    const env = { XDG_CONFIG_HOME: configHome };
    const { app, screenWatch, screen } = await playRed({
      folder,
      dataDir,
      env,
    });
    const createEntry = (isEnabled: boolean) =>
      fetch(`${app.api}/api/v2/device_settings`, {
        method: "PATCH",
        body: new URLSearchParams({ start_with_machine: String(isEnabled) }),
      });
    const entry = path.join(configHome, "autostart", "vitrine.desktop");
    const line = async () => /^Exec=(.*)$/m.exec(await readFile(entry, "utf8"));
    await createEntry(true);
    await expect.poll(() => existsSync(entry)).toBe(true);
    const command = (await line())?.[1]?.replaceAll("\\\\", "\\") ?? "";
    await createEntry(false);
    await expect.poll(() => existsSync(entry)).toBe(false);
    await app.stop();
    await screenWatch.until(
      (frame) => !showsRed(frame),
      "the screen without it",
    );

    const flags = [...asRoot(), "--no-manager", "--api-port", "0"].join(" ");
    const started = spawn("sh", ["-c", `exec ${command} ${flags}`], {
      env: { ...process.env, ...env, DISPLAY: screen.display },
      stdio: "ignore",
    });
    afterThisTest(async () => {
      started.kill("SIGTERM");
      await once(started, "exit");
    });
    await screenWatch.until(showsRed, "red, as the system would start it");
  });
});

describe.runIf(isEnabled)("fault 69, blanking forced on", () => {
  it("[V2-262] does not happen during playback; if forced, it is reverted within 10 s and logged", async () => {
    const screen = await openScreen(1280, 720);
    const server = { xDisplay: screen.display, xAuthority: undefined };
    await blankAfter(server, 2);
    const isDark = async () => (await saverState(server)).isBlanked;
    await expect.poll(isDark).toBe(true);

    const { app, screenWatch } = await playRed({ folder, screen });
    await expect.poll(isDark).toBe(false);
    const { idleMs } = await saverState(server);
    await expect
      .poll(async () => (await saverState(server)).idleMs)
      .toBeGreaterThan(Math.min(idleMs, 2000) + 4000);
    expect(await isDark()).toBe(false);

    await blankScreen(server);
    await expect.poll(isDark).toBe(false);
    const reported = await fetch(`${app.api}/api/v2/activity?kind=fault`);
    expect(await reported.text()).toContain("turned off the display");
    await screenWatch.until(showsRed, "red all the while");
  });
});

describe.runIf(isEnabled)("an attacker on the machine", () => {
  it("finds no open port but the API's, even after SIGUSR1", async () => {
    const { app, screenWatch } = await playRed({ folder, by: "supervisor" });
    const pid = await app.mainPid();
    expect(await listeningPorts(pid)).toEqual([Number(new URL(app.api).port)]);
    process.kill(pid, "SIGUSR1");
    await screenWatch.until(showsRed, "red");
    expect(app.output()).not.toContain("Debugger listening");
  });

  it("cannot override the archive with another app", async () => {
    const appFolder = path.join(folder, "resources", "app");
    await mkdir(appFolder, { recursive: true });
    afterThisTest(() => rm(appFolder, { recursive: true, force: true }));
    await writeFile(path.join(appFolder, "package.json"), '{"main":"main.js"}');
    await writeFile(
      path.join(appFolder, "main.js"),
      'console.log("INTRUDER"); process.exit(9);',
    );
    const { app } = await playRed({ folder });
    expect(app.output()).not.toContain("INTRUDER");
  });
});

describe.runIf(isEnabled)("the site check", () => {
  it("[V2-259] [V2-260] reports as text and as JSON, tests recovery by a kill if requested, and returns an exit code", async () => {
    const port = String(await holdPort());
    const { app, screen } = await playRed({
      folder,
      by: "supervisor",
      flags: ["--api-port", port],
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
        port,
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
      "data folder",
      "shared memory",
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
    expect(text.output()).toMatch(/^OK\s+Video formats\s+Plays H\.264/m);
    expect(text.output()).toContain(
      "Not tested, because it interrupts playback.",
    );
  });
});

function asRoot(): string[] {
  return process.getuid?.() === 0 ? ["--no-sandbox"] : [];
}
