// The sync beside the player: handed the player's library, and a seal where the system has one.

import { systemClock } from "../server/platform/clock.ts";
import type { Log } from "../server/platform/log.ts";
import type { Player } from "../server/player/player.ts";
import type { Sync } from "../server/sync/sync.ts";
import { systemSeal } from "./secrets.ts";

export async function runSync(
  player: Player,
  dataDir: string,
  log: Log,
): Promise<Sync> {
  // Only now: the first picture needs none of it.
  const { createSync } = await import("../server/sync/sync.ts");
  const { library, zone, attach } = player.forSync;
  const seal = systemSeal();
  const sync = await createSync({
    ...{ library, zone, dataDir, seal, log },
    clock: systemClock,
  });
  attach(sync);
  log.info("sync.started", { tokens: seal ? "sealed" : "file" });
  sync.start();
  return sync;
}
