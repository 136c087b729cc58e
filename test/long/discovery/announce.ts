// A player's announcement on the networks of this PC, until the process is ended: announce.ts NAME PORT

import { createLog } from "../../../server/platform/log.ts";
import { announcePlayer } from "../../../server/player/announce-player.ts";

const [, , name = "", port = "0"] = process.argv;
const announcer = announcePlayer({
  network: () => ({ port: Number(port), isTls: false }),
  version: "0.1.0",
  ...{ name: () => name, isWaiting: () => true },
  log: createLog({ toStandardOutput: false }),
});
const keptRunning = setInterval(() => undefined, 60_000);
process.once("SIGTERM", () => {
  clearInterval(keptRunning);
  announcer.stop().catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
  });
});
