// How late the screen is: at an edge of the schedule, after a command, a deletion and a takeover. Once with a stage that shows
// everything immediately, for the player's own time; and once on the screen of the real app, sampled sixty times a second.
// Also what the tests do not measure: a response of /info, and how soon the screen recovers from a fault.
// `npm run bench -- latency takeovers` measures one part alone: edges, commands, deletions, takeovers, info or recoveries.

import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import type { Row } from "../../build/bench.ts";
import { systemClock } from "../../server/platform/clock.ts";
import { createLog } from "../../server/platform/log.ts";
import { createPlayer } from "../../server/player/player.ts";
import { openScreen } from "../support/screen/screen.ts";
import { launch } from "../support/app/start-app.ts";
import { createRequester } from "./latency/requester.ts";
import {
  openInstantScreen,
  openWatchedScreen,
  pageOf,
} from "./latency/screens.ts";
import { tryRecoveries } from "./latency/recoveries.ts";
import { isSelected, tryAll } from "./latency/measurements.ts";

export async function* run(): AsyncGenerator<Row> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "vitrine-bench-"));
  try {
    yield* behindInstantScreen(path.join(dir, "player"));
    yield* onTheScreen(path.join(dir, "app"));
    if (isSelected("recoveries")) yield* tryRecoveries(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function* behindInstantScreen(dataDir: string): AsyncGenerator<Row> {
  const { latencyScreen, stage } = openInstantScreen();
  const player = await createPlayer({
    ...{ dataDir, apiHost: "127.0.0.1", apiPort: 0, version: "0.0.0" },
    ...{ stage, clock: systemClock },
    takeScreenshot: () => Promise.resolve(new Uint8Array()),
    log: createLog({ toStandardOutput: false }),
  });
  try {
    await player.listen();
    const requester = createRequester(player.apiAddress, latencyScreen);
    yield* tryAll({
      ...{
        name: "player alone",
        requester,
        latencyScreen,
        pageAddress: "http://[::1]:9",
      },
      // Many, but each by itself.
      ...{ edges: 500, edgeIntervalMs: 100, makingMs: 40, orders: 200 },
    });
  } finally {
    await player.stop();
  }
}

async function* onTheScreen(dataDir: string): AsyncGenerator<Row> {
  const screen = await openScreen(1280, 720);
  const pages = await servePages();
  const latencyScreen = openWatchedScreen(screen);
  const flags = ["--data-dir", dataDir, "--api-port", "0", "--no-manager"];
  const app = launch(flags, screen);
  try {
    const address = await app.printed(/API (http:\/\/[^\s]+)/);
    const requester = createRequester(address, latencyScreen);
    yield* tryAll({
      ...{
        name: "screen",
        requester,
        latencyScreen,
        pageAddress: pages.address,
      },
      ...{ edges: 500, edgeIntervalMs: 250, makingMs: 120, orders: 200 },
    });
  } finally {
    await app.stop();
    await latencyScreen.stop();
    await screen.close();
    pages.stop();
  }
}

async function servePages(): Promise<{ address: string; stop(): void }> {
  const server = createServer((request, response) => {
    const name = (request.url ?? "/").slice(1);
    response.setHeader("Content-Type", "text/html").end(pageOf(name));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
