// Starting and ending the app: flags, ports, a second copy, a screen of its own, a picture of the glass.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { PNG } from "pngjs";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/folder.ts";
import { colouredPage, picture, servePages } from "../support/media.ts";
import { openScreen } from "../support/screen.ts";
import { launch, startApp } from "../support/start-app.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

describe("the start flags", () => {
  it.each([
    [["--colour", "red"], "--colour"],
    [["--api-port", "99999"], "--api-port"],
    [["--window", "big"], "--window"],
    [["--display"], "--display"],
    [["stray"], "stray"],
  ])("%j are refused with a sentence and exit code 2", async (flags, named) => {
    const app = launch(flags);
    expect(await app.exit()).toBe(2);
    expect(app.output()).toContain(named);
    expect(app.output().trim().split("\n")).toHaveLength(1);
  });
});

describe("the app", () => {
  it("says that the port is taken and ends, never taking another", async () => {
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

  it("hands a second copy on the same data folder over to the first, which plays on", async () => {
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

  it("keeps its library over a restart and ends within 5 s of SIGTERM", async () => {
    const screen = await openScreen();
    const first = await startApp({ screen, flags: ["--no-manager"] });
    await first.addFile(picture([1, 200, 3]), {
      name: "kept",
      mimetype: "image",
    });
    const from = performance.now();
    expect(await first.stop()).toBe(0);
    expect(performance.now() - from).toBeLessThan(5000);
    const again = await startApp({
      screen,
      flags: ["--no-manager"],
      dataDir: first.dataDir,
    });
    const assets = (await (
      await fetch(`${again.api}/api/v2/assets`)
    ).json()) as { name: string }[];
    expect(assets.map(({ name }) => name)).toEqual(["kept"]);
  });

  it("opens its own screen where there is none, says so, and pictures the glass with the page on it", async () => {
    const pages = await servePages({ "/": colouredPage([10, 20, 220]) });
    const app = await startApp({});
    expect(app.output()).toContain("virtual one");
    expect(app.output()).toContain("npm run glass");
    await app.add({ name: "page", uri: `${pages.address}/` });
    const file = path.join(await temporaryFolder(), "glass.png");
    await expect
      .poll(
        async () => {
          await run(
            process.execPath,
            ["build/glass.ts", file, "--api", app.api],
            { cwd: root },
          );
          const { width, height, data } = PNG.sync.read(await readFile(file));
          return [width, height, ...data.subarray(0, 3)];
        },
        { timeout: 10_000 },
      )
      .toEqual([1920, 1080, 10, 20, 220]);
    await pages.stop();
  });
});
