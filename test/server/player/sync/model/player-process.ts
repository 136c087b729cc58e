// A player with its sync in a process of its own, on an existing store and at a given time: killed by the model at any moment.

import { systemClock } from "../../../../../server/platform/clock.ts";
import { createLog } from "../../../../../server/platform/log.ts";
import {
  createNoStage,
  createPlayer,
} from "../../../../../server/player/player.ts";
import { createSync } from "../../../../../server/player/sync/sync.ts";

// It does not outlive the model.
process.once("disconnect", () => process.exit());

const [dataDir = "", startsAt = ""] = process.argv.slice(2);
const aheadMs = Number(startsAt) - Date.now();
const clock = { ...systemClock, now: () => Date.now() + aheadMs };
const log = createLog({ toStandardOutput: false });
const player = await createPlayer({
  ...{ dataDir, apiHost: "127.0.0.1", apiPort: 0, version: "0.0.0", log },
  ...{ clock, stage: createNoStage(clock), reserveBytes: 0 },
  takeScreenshot: () => Promise.reject(new Error("It has no screen.")),
});
const { library, zone, attach } = player.forSync;
const sync = await createSync({
  ...{ library, zone, dataDir, log, clock, seal: null },
  reserveBytes: () => 0,
});
attach(sync);
await player.listen();
sync.run();
sync.start();
process.send?.("started");
