// Our sync in a separate process: from its start until it is idle, reported as one line.

import path from "node:path";
import { connectionDefaults } from "../../../server/core/sync-plan/sync-state.ts";
import { systemClock } from "../../../server/platform/clock.ts";
import { createLog } from "../../../server/platform/log.ts";
import { createNoStage, createPlayer } from "../../../server/player/player.ts";
import { createSync } from "../../../server/player/sync/sync.ts";

const [dataDir = "", baseUrl = ""] = process.argv.slice(2);
const log = createLog({
  dir: path.join(dataDir, "log"),
  toStandardOutput: false,
});
const player = await createPlayer({
  ...{ dataDir, apiHost: "127.0.0.1", apiPort: 0, version: "0", log },
  stage: createNoStage(systemClock),
  clock: systemClock,
  takeScreenshot: () => Promise.reject(new Error("no screen")),
});
const { library, zone } = player.forSync;
const sync = await createSync({
  ...{ library, zone, dataDir, log, seal: null, clock: systemClock },
});
if (sync.connections().length === 0)
  await sync.addConnection(
    { ...connectionDefaults, name: "Bench", baseUrl, version: "v4.1" },
    "token",
  );

function rest(): Promise<void> {
  return new Promise((resolve) => {
    const stop = sync.onProgress(() =>
      setImmediate(() => {
        const [status] = sync.status();
        if (status?.problem) throw new Error(status.problem.message);
        // Polls continue while files are downloaded.
        if (status?.nextPollAt == null || status.phase !== "idle") return;
        if (status.isInSync !== true) throw new Error("it ended without all");
        stop();
        resolve();
      }),
    );
  });
}

const startedAt = performance.now();
const usedBefore = process.cpuUsage();
const first = rest();
sync.start();
await first;
const firstMs = performance.now() - startedAt;
const { user, system } = process.cpuUsage(usedBefore);
process.send?.({ firstMs, cpuMs: (user + system) / 1000 });
process.on("message", (message) => {
  void (async () => {
    if (message === "again") {
      const at = performance.now();
      const again = rest();
      sync.run();
      await again;
      process.send?.({ againMs: performance.now() - at });
      return;
    }
    await sync.stop();
    await player.stop();
    process.exit(0);
  })();
});
