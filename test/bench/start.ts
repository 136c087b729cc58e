// From the start of the process to the first image on the screen, compared with a bare window with the same image; and the package.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Row } from "../../build/bench.ts";
import { sizeOf } from "../../build/packing/size-on-disk.ts";
import { png, type Colour } from "../support/media/media.ts";
import { makePackage } from "../support/app/package.ts";
import {
  isNear,
  meanOf,
  openScreen,
  watchScreen,
} from "../support/screen/screen.ts";
import { launch } from "../support/app/start-app.ts";
import { sampleProcesses } from "../long/soak/processes.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const electron = createRequire(import.meta.url)("electron") as string;
const colour: Colour = [210, 120, 30];
const rounds = 7;
const restMs = 10_000;

const bareWindow = `
  const { app, BrowserWindow } = require("electron");
  const path = require("node:path");
  app.disableHardwareAcceleration();
  app.whenReady().then(() => {
    const window = new BrowserWindow({ x: 0, y: 0, width: 1280, height: 720, frame: false, backgroundColor: "#000" });
    window.loadFile(path.join(__dirname, "index.html"));
  });
`;

/** Pairs, measured one after the other, so that a slow period of the machine affects both. */
export async function run(): Promise<readonly Row[]> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "vitrine-bench-"));
  try {
    const bare = await makeBareApp(path.join(dir, "bare"));
    const data = await fillLibrary(path.join(dir, "data"));
    const packaged = await makePackage();
    const program = path.join(packaged, "vitrine");
    const ours: number[] = [];
    const theirs: number[] = [];
    const installed: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      theirs.push(await firstPictureMs([bare]));
      // prettier-ignore
      ours.push(await firstPictureMs([root, "--data-dir", data, "--api-port", "0", "--no-manager"]));
      // prettier-ignore
      installed.push(await firstPictureMs(["--data-dir", data, "--api-port", "0", "--no-manager"], program));
    }
    const flags = ["--data-dir", data, "--api-port", "0", "--no-manager"];
    const memory = {
      ours: await idleMebibytes(electron, [root, ...flags]),
      packaged: await idleMebibytes(program, flags),
    };
    const [value, against] = [median(ours), median(theirs)];
    const ratio = value / against;
    return [
      {
        figure: "start of the process to the first image on the screen",
        value: Math.round(value),
        unit: "ms",
        against: `bare window ${Math.round(against)} ms`,
        ratio,
        goal: "at most 1.5",
        met: ratio <= 1.5,
      },
      {
        figure: "the same, of the package",
        value: Math.round(median(installed)),
        unit: "ms",
        against: `unpackaged ${Math.round(value)} ms`,
        ratio: median(installed) / value,
        goal: null,
        met: null,
      },
      {
        figure: "memory of the package, all processes, 10 s after the image",
        value: memory.packaged,
        unit: "MiB",
        against: `unpackaged ${memory.ours} MiB`,
        ratio: memory.packaged / memory.ours,
        goal: null,
        met: null,
      },
      {
        figure: "size of the package, unpacked",
        value: Math.round(sizeOf(packaged) / 2 ** 20),
        unit: "MiB",
        against: `Electron alone ${Math.round(sizeOf(path.dirname(electron)) / 2 ** 20)} MiB`,
        ratio: sizeOf(packaged) / sizeOf(path.dirname(electron)),
        goal: null,
        met: null,
      },
    ];
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function makeBareApp(dir: string): Promise<string> {
  const { mkdir } = await import("node:fs/promises");
  await mkdir(dir);
  await writeFile(
    path.join(dir, "package.json"),
    `{"name":"bare","main":"main.js"}`,
  );
  await writeFile(path.join(dir, "main.js"), bareWindow);
  await writeFile(path.join(dir, "image.png"), png(colour, 1280, 720));
  await writeFile(
    path.join(dir, "index.html"),
    `<style>*{margin:0}html{background:#000;overflow:hidden}</style><img src="image.png">`,
  );
  return dir;
}

/** One run that leaves the image in the library, as any start but the first finds it. */
async function fillLibrary(dataDir: string): Promise<string> {
  const screen = await openScreen(1280, 720);
  const app = launch(
    ["--data-dir", dataDir, "--api-port", "0", "--no-manager"],
    screen,
  );
  const api = await app.printed(/API (http:\/\/[^\s]+)/);
  const form = new FormData();
  form.set(
    "file_upload",
    new Blob([new Uint8Array(png(colour, 1280, 720))]),
    "a.png",
  );
  const upload = await fetch(`${api}/api/v2/file_asset`, {
    method: "POST",
    body: form,
  });
  const { uri } = (await upload.json()) as { uri: string };
  await fetch(`${api}/api/v2/assets`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      ...{ name: "image", uri, mimetype: "image", is_enabled: true },
      ...{ start_date: "2020-01-01", end_date: "2100-01-01", duration: 60 },
    }),
  });
  await app.stop();
  await screen.close();
  return dataDir;
}

async function firstPictureMs(
  args: readonly string[],
  program = electron,
): Promise<number> {
  const screen = await openScreen(1280, 720);
  const screenWatch = watchScreen(screen);
  // The sampler runs before the clock starts.
  await screenWatch.until(() => true, "a first sample");
  const startedAt = Date.now();
  const app = spawn(program, [...asRoot(), ...args], {
    // Both draw by the processor: otherwise only one of them would look for a graphics card that does not exist.
    env: {
      ...process.env,
      DISPLAY: screen.display,
      VITRINE_VIRTUAL_SCREEN: "1",
    },
    stdio: "ignore",
  });
  const frame = await screenWatch.until(
    (seen) => isNear(meanOf(seen), colour),
    "the image",
  );
  await end(app);
  await screenWatch.stop();
  await screen.close();
  return frame.atMs - startedAt;
}

/** Memory that its processes do not share, once it is idle. */
async function idleMebibytes(
  program: string,
  args: readonly string[],
): Promise<number> {
  const screen = await openScreen(1280, 720);
  const screenWatch = watchScreen(screen);
  const app = spawn(program, [...asRoot(), ...args], {
    env: {
      ...process.env,
      DISPLAY: screen.display,
      VITRINE_VIRTUAL_SCREEN: "1",
    },
    stdio: "ignore",
  });
  await screenWatch.until((seen) => isNear(meanOf(seen), colour), "the image");
  await new Promise((resolve) => setTimeout(resolve, restMs));
  const held = (await sampleProcesses(app.pid ?? 0)).reduce(
    (total, { ownKiB }) => total + ownKiB,
    0,
  );
  await end(app);
  await screenWatch.stop();
  await screen.close();
  return Math.round(held / 1024);
}

function asRoot(): string[] {
  return process.getuid?.() === 0 ? ["--no-sandbox"] : [];
}

async function end(app: ChildProcess): Promise<void> {
  const exit = once(app, "exit");
  app.kill("SIGKILL");
  await exit;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
