// The package: its contents, its fuses, and that it runs on its own. The rest is in test/long/package*.test.ts.

import { existsSync, readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { checkContents } from "../../build/packing/contents.ts";
import { offendingFuses } from "../../build/packing/fuses.ts";
import {
  launchPackage,
  listeningPorts,
  makePackage,
  pidOfPlayer,
  startPackage,
} from "../support/app/package.ts";
import { temporaryFolder } from "../support/folder.ts";
import { png, type Colour } from "../support/media/media.ts";
import { holdPort } from "../support/machine/reserved-port.ts";
import {
  isNear,
  meanOf,
  openScreen,
  watchScreen,
  type Frame,
} from "../support/screen/screen.ts";

const red: Colour = [200, 40, 40];
let folder = "";

const isServing = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/health`).then(
    ({ ok }) => ok,
    () => false,
  );

beforeAll(async () => {
  folder = await makePackage();
});

describe.runIf(process.platform === "linux")("the package", () => {
  it("holds no source map, test, tool or secret, and its fuses are set", async () => {
    expect(checkContents(folder)).toEqual([]);
    expect(await offendingFuses(path.join(folder, "vitrine"))).toEqual([]);
    expect(readdirSync(path.join(folder, "resources")).sort()).toEqual([
      ...["app.asar", "app.asar.unpacked"],
      ...["vitrine-supervisor", "vitrine.service"],
    ]);
  });

  it.each([
    [["--inspect=0"]],
    [["--inspect-brk=0"]],
    [["--remote-debugging-port=0"]],
    [["--remote-debugging-pipe"]],
    [["--disable-web-security"]],
    [["--js-flags=--expose-gc"]],
  ])("rejects %j with an error message and exit code 2", async (flags) => {
    const app = launchPackage({ folder, flags });
    expect(await app.exit()).toBe(2);
    expect(app.output()).toContain(`Unknown option ${flags[0]?.split("=")[0]}`);
  });

  it("cannot be turned into Node, nor given a script, by the environment; hosts the content service if enabled; restarts playback after being killed", async () => {
    const dataDir = await temporaryFolder();
    const port = await holdPort();
    await writeFile(
      path.join(dataDir, "content-host.json"),
      JSON.stringify({ isOn: true, port, reach: "this-pc" }),
    );
    const screen = await openScreen();
    const screenWatch = watchScreen(screen);
    const witness = path.join(await temporaryFolder(), "witness");
    const script = `require("node:fs").writeFileSync(${JSON.stringify(witness)}, "")`;
    const app = await startPackage({
      ...{ folder, screen, dataDir, by: "supervisor" },
      env: {
        ELECTRON_RUN_AS_NODE: "1",
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)} --inspect=0`,
        XDG_RUNTIME_DIR: await temporaryFolder(),
      },
      flags: ["--no-manager"],
    });
    await app.addFile(png(red, 1280, 720), {
      name: "red",
      mimetype: "image",
    });
    const shows = (): Promise<Frame> =>
      screenWatch.until((frame) => isNear(meanOf(frame), red), "red");
    await shows();
    expect(existsSync(witness)).toBe(false);
    expect(app.output()).not.toContain("Debugger listening");
    const first = await app.mainPid();
    expect(await listeningPorts(first)).toEqual([
      Number(new URL(app.api).port),
    ]);
    await expect.poll(() => isServing(port)).toBe(true);

    process.kill(first, "SIGKILL");
    await screenWatch.until(
      (frame) => !isNear(meanOf(frame), red),
      "the empty screen",
    );
    await shows();
    expect(await pidOfPlayer(app.dataDir)).not.toBe(first);
  });
});
