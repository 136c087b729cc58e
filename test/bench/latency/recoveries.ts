// How soon the screen recovers, and how soon processes end: a killed stage, a bad page, SIGTERM, the supervisor, the package.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Row } from "../../../build/bench.ts";
import type { AssetV2 } from "../../../server/contract/v2/v2.ts";
import { colouredPage, png, type Colour } from "../../support/media/media.ts";
import {
  launchPackage,
  makePackage,
  pidOfPlayer,
} from "../../support/app/package.ts";
import { renderersOf } from "../../support/app/renderers.ts";
import {
  isNear,
  meanOf,
  openScreen,
  watchScreen,
  type Frame,
  type Watch,
} from "../../support/screen/screen.ts";
import {
  launch,
  speakTo,
  type AppCalls,
  type LaunchedApp,
} from "../../support/app/start-app.ts";
import { serveWeb } from "../../support/http/web-server.ts";

const red: Colour = [200, 40, 40];
const showsRed = (frame: Frame): boolean => isNear(meanOf(frame), red);
const rounds = 5;
/** If the stage is lost more often than this within a minute, the next one is delayed. */
const maxAtOnce = 3;
const apiAddress = /API (http:\/\/[^\s]+)/;
const supervisor = fileURLToPath(
  new URL("../../../build/linux/vitrine-supervisor", import.meta.url),
);

/** Each figure is the worst of several rounds, with the time that the tests no longer measure. */
export async function* tryRecoveries(dir: string): AsyncGenerator<Row> {
  yield* ofTheApp(path.join(dir, "recovering"));
  yield* await ofTheSupervisor(path.join(dir, "supervisor"));
  yield* ofThePackage(path.join(dir, "packaged"));
}

async function* ofTheApp(dataDir: string): AsyncGenerator<Row> {
  const screen = await openScreen(1280, 720);
  const screenWatch = watchScreen(screen);
  const start = (): LaunchedApp =>
    launch(["--data-dir", dataDir, "--api-port", "0", "--no-manager"], screen);
  let app = start();
  try {
    let calls = speakTo(await app.printed(apiAddress));
    const killed: number[] = [];
    for (let round = 0; round < maxAtOnce; round += 1) {
      // A different one each time: an asset whose stage is lost repeatedly is quarantined.
      const id = await showRed(calls, screenWatch);
      for (const pid of await renderersOf(app.process.pid ?? 0))
        process.kill(pid, "SIGKILL");
      killed.push(await untilRedAgain(screenWatch));
      await calls.remove(id);
      await screenWatch.until((frame) => !showsRed(frame), "the idle screen");
    }
    yield worst(
      "screen: its image is back after its stage was killed",
      killed,
      3000,
    );
    await showRed(calls, screenWatch);
    const bad = await tryBadPages(calls);
    yield worst(
      "screen: the reason against a page that fails or is a download, from its request",
      [bad.get("500"), bad.get("file")].filter((ms) => ms !== undefined),
      3000,
    );
    yield worst(
      "screen: the reason against a blank page, which has 5 s to show something (V2-177)",
      [bad.get("blank")].filter((ms) => ms !== undefined),
      7000,
    );
    const ends: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const from = performance.now();
      await app.stop();
      ends.push(performance.now() - from);
      app = start();
      calls = speakTo(await app.printed(apiAddress));
      await screenWatch.until(showsRed, "red");
    }
    yield worst("app: end after SIGTERM", ends, 5000);
  } finally {
    await app.stop();
    await screenWatch.stop();
    await screen.close();
  }
}

/** Blank, a failure, and a download: adds each, orders it to be shown, and waits for the reason why it is not. */
async function tryBadPages(
  calls: AppCalls,
): Promise<ReadonlyMap<string, number>> {
  const web = await serveWeb({
    "/blank": "<!doctype html><title>nothing</title><p> </p>",
    "/500": 500,
    "/file": (response) =>
      response
        .setHeader("Content-Type", "application/octet-stream")
        .end("bytes"),
    "/": colouredPage(red),
  });
  const times = new Map<string, number>();
  for (const name of ["blank", "500", "file"]) {
    const from = performance.now();
    const { asset_id: id } = await calls.add({
      ...{ name, uri: `${web.address}/${name}`, duration: 600 },
      skip_asset_check: true,
    });
    // Rejected if it was prepared, and found to be bad, before this.
    await calls.control(`asset&${id}`).catch(() => undefined);
    while ((await reasonOf(calls, id)) === "") await setTimeout(5);
    times.set(name, performance.now() - from);
    await calls.remove(id);
  }
  return times;
}

async function ofTheSupervisor(dir: string): Promise<readonly Row[]> {
  await mkdir(dir);
  const program = path.join(dir, "player");
  const starts = path.join(dir, "starts");
  await writeFile(
    program,
    `#!/bin/sh
echo $$ >>"${starts}"
trap 'exit 0' TERM
while :; do
  echo $((beat += 1)) >"$VITRINE_HEARTBEAT"
  sleep 0.1
done
`,
  );
  await chmod(program, 0o755);
  const child = spawn(supervisor, [program], {
    env: { PATH: process.env["PATH"], XDG_RUNTIME_DIR: dir },
    stdio: "ignore",
  });
  const exit = once(child, "exit");
  const started = async (count: number): Promise<number> => {
    for (;;) {
      const text = await readFile(starts, "utf8").catch(() => "");
      const pids = text.split("\n").filter(Boolean);
      if (pids.length >= count) return Number(pids[count - 1]);
      await setTimeout(5);
    }
  };
  const times: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const pid = await started(round);
    const from = performance.now();
    process.kill(pid, "SIGKILL");
    await started(round + 1);
    times.push(performance.now() - from);
  }
  child.kill("SIGTERM");
  await exit;
  return [worst("supervisor: a killed player is started again", times, 3000)];
}

async function* ofThePackage(dataDir: string): AsyncGenerator<Row> {
  const folder = await makePackage();
  const screen = await openScreen(1280, 720);
  const screenWatch = watchScreen(screen);
  const app = launchPackage({
    ...{ folder, screen, by: "supervisor" },
    env: { XDG_RUNTIME_DIR: path.dirname(dataDir) },
    flags: ["--data-dir", dataDir, "--api-port", "0", "--no-manager"],
  });
  try {
    await showRed(speakTo(await app.printed(apiAddress)), screenWatch);
    const after = async (signal: NodeJS.Signals): Promise<number[]> => {
      const times: number[] = [];
      for (let round = 0; round < 3; round += 1) {
        process.kill(await pidOfPlayer(dataDir), signal);
        times.push(await untilRedAgain(screenWatch));
      }
      return times;
    };
    yield worst(
      "package: its image is back after it was killed",
      await after("SIGKILL"),
      10_000,
    );
    yield worst(
      "package: its image is back after it was stopped",
      await after("SIGSTOP"),
      10_000,
    );
  } finally {
    await app.stop();
    await screenWatch.stop();
    await screen.close();
  }
}

async function showRed(calls: AppCalls, screenWatch: Watch): Promise<string> {
  const asset = await calls.addFile(png(red, 1280, 720), {
    ...{ name: "red", mimetype: "image", duration: 600 },
  });
  await screenWatch.until(showsRed, "red");
  return asset.asset_id;
}

async function untilRedAgain(screenWatch: Watch): Promise<number> {
  const from = performance.now();
  await screenWatch.until((frame) => !showsRed(frame), "the screen without it");
  await screenWatch.until(showsRed, "red again");
  return performance.now() - from;
}

async function reasonOf({ api }: AppCalls, id: string): Promise<string> {
  const answer = await fetch(`${api}/api/v2/assets/${id}`);
  const { metadata } = (await answer.json()) as AssetV2;
  return String(metadata.error_message ?? "");
}

function worst(figure: string, times: readonly number[], goal: number): Row {
  const value = Math.max(...times);
  return {
    figure: `${figure}, worst of ${times.length}`,
    ...{ value, unit: "ms", against: null, ratio: null },
    ...{ goal: `at most ${goal} ms`, met: value <= goal },
  };
}
