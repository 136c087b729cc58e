// API v2: recovery from archives of the peer that contain schedules and presentation of assets.

import { expect, it } from "vitest";
import { tarGz } from "../../../../support/player/archives.ts";
import {
  folder,
  id,
  newestTable,
  peerDatabase,
  recover,
  row,
} from "../../../../support/player/peer-archive.ts";
import { startPlayer } from "../../../../support/player/start-player.ts";

it("[V2-118] imports schedules and presentation of assets, and skips invalid values", async () => {
  const running = await startPlayer();
  const page = { mimetype: "webpage", uri: "https://example.org/" };
  const { main } = await peerDatabase(newestTable, [
    row("a", {
      ...{ ...page, play_order: 1, play_days: "[2, 1]", skip_ssl_verify: 1 },
      ...{ play_time_from: "22:00:00", play_time_to: "06:30:00.000000" },
      ...{ refresh_interval_s: 60, custom_headers: '{"X-Shop": "7"}' },
      metadata: '{"shop": {"till": 1}, "error_message": "old"}',
    }),
    row("b", { ...page, play_order: 2 }),
    row("c", {
      ...{ ...page, play_order: 3, play_days: "[]", skip_ssl_verify: 7 },
      ...{ play_time_from: "22:00:00", play_time_to: null },
      ...{ refresh_interval_s: 0, custom_headers: '{"Host": "x"}' },
      metadata: "[1]",
    }),
  ]);
  const archive = tarGz([
    folder(".anthias/"),
    { path: ".anthias/anthias.db", content: main },
    folder("anthias_assets/"),
  ]);
  expect((await recover(running, archive)).status).toBe(200);
  const usual = {
    ...{ play_days: [1, 2, 3, 4, 5, 6, 7], play_time_from: null },
    ...{ play_time_to: null, refresh_interval_s: 0, custom_headers: {} },
    ...{ skip_ssl_verify: false, metadata: {} },
  };
  expect(await running.list()).toMatchObject([
    {
      ...{ asset_id: id("a"), play_days: [1, 2], skip_ssl_verify: true },
      ...{ play_time_from: "22:00:00", play_time_to: "06:30:00" },
      ...{ refresh_interval_s: 60, custom_headers: { "X-Shop": "7" } },
      metadata: { shop: { till: 1 } },
    },
    { asset_id: id("b"), ...usual },
    { asset_id: id("c"), ...usual },
  ]);
});
