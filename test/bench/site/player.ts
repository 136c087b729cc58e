// A headless player of the site in a process of its own: the real player, sync and link, at an address of its own on loopback. Shows
// its PIN to its parent, and reports its state on request.

import path from "node:path";
import { systemClock } from "../../../server/platform/clock.ts";
import { createLog } from "../../../server/platform/log.ts";
import { createNoStage, createPlayer } from "../../../server/player/player.ts";
import {
  createSync,
  createSyncExtensions,
} from "../../../server/player/sync/sync.ts";
import type { SiteCounts } from "../../../server/core/sync-plan/sync-state.ts";

/** What a player reports to its parent. */
export interface PlayerReport {
  /** Null once it is paired. */
  readonly pin: string | null;
  readonly isPaired: boolean;
  readonly isInSync: boolean;
  readonly assets: number;
  /** Bytes of the files that it is downloading. */
  readonly receivedBytes: number;
  readonly problem: string | null;
  readonly site: SiteCounts | null;
}

const [dataDir = "", baseUrl = "", address = "", multicastPort = "0", on = ""] =
  process.argv.slice(2);
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
const { library, zone, extensionRows, playback, name } = player.forSync;
const sync = await createSync({
  ...{ library, zone, dataDir, log, seal: null, clock: systemClock },
  site: {
    isOn: () => on === "on",
    onSwitched: () => () => undefined,
    // Eight of them share the processors of this PC with their content service.
    ...{ from: address, timeoutFactor: 5 },
    network: {
      ...{ port: Number(multicastPort), addresses: () => [address] },
      isNear: (one) => one.startsWith("127."),
    },
  },
});
const { link, start } = createSyncExtensions({
  ...{ sync, library, dataDir, log, playback, seal: null },
  ...{ clock: systemClock, rows: extensionRows, version: "0", actions: {} },
  playerName: name,
});
sync.onConnectionsChanged(() => {
  // Everything that the service has, without playlists.
  for (const { id, allAssets } of sync.connections())
    if (allAssets === "off")
      void sync.changeConnection(id, { allAssets: "library" });
});
sync.start();
start();
if (sync.connections().length === 0) await link.pair(baseUrl);

process.on("message", () => {
  const [status] = sync.status();
  const report: PlayerReport = {
    pin: link.pairing()?.pin ?? null,
    isPaired: link.links().some(({ isConnected }) => isConnected),
    isInSync: status?.isInSync === true,
    assets: status?.assets ?? 0,
    receivedBytes: status?.progress.receivedBytes ?? 0,
    problem: status?.problem?.message ?? null,
    site: status?.site ?? null,
  };
  process.send?.(report);
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
