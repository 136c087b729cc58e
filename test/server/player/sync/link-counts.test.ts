// Item counts of a screen: how many are here and how many failed, counted by the player, sent in heartbeats, returned by its
// service.

import { describe, expect, it } from "vitest";
import { systemClock } from "../../../../server/platform/clock.ts";
import {
  oneAppService,
  type AppService,
} from "../../../support/content/app-service.ts";
import { png, type Colour } from "../../../support/media/media.ts";
import { claimed } from "../../../support/sync/pairing.ts";
import { startFullSync } from "../../../support/sync/start-full-sync.ts";
import type { Row } from "../../../support/content/start-content.ts";
import { hurried } from "../../../support/sync/synced-player.ts";
import { pollOptions } from "../../../support/sync/outbox.ts";

const startService = oneAppService();

interface StoredImage {
  readonly id: string;
  /** The address of its bytes, without the signature. */
  readonly path: string;
}

async function storeImage(
  { client }: AppService,
  title: string,
  colour: Colour,
): Promise<StoredImage> {
  const answer = await client.upload(png(colour), { title });
  const [made] = (await answer.json()) as readonly Row[];
  const id = made?.id ?? "";
  const query = `/v4.1/assets?id=eq.${id}&select=id,status,asset_url`;
  await expect
    .poll(async () => (await client.rows(query))[0], pollOptions)
    .toMatchObject({ status: "finished" });
  const [row] = await client.rows(query);
  return { id, path: new URL(String(row?.["asset_url"])).pathname };
}

const notFound = {
  status: 404,
  type: "text/plain",
  body: "404 page not found",
};

/** Paired with a service that has these images on every screen, and a 404 for those that are gone. */
async function startScreen(gone: readonly Colour[]) {
  const service = await startService();
  const { client, path } = service;
  const here = await storeImage(service, "Here", [200, 30, 30]);
  const missing: StoredImage[] = [];
  for (const colour of gone)
    missing.push(await storeImage(service, "Gone", colour));
  const playlist = await client.make("/playlists/", {
    ...{ title: "Shop", predicate: "TRUE", groups: [{ id: "all-screens" }] },
    assets: [here, ...missing].map(({ id }) => ({ id, duration: 600 })),
  });
  const isMissing = (url: string): boolean =>
    missing.some((one) => url.startsWith(one.path));
  path.decide(({ url }) => (isMissing(url) ? notFound : "arrives"));
  let aheadMs = 0;
  const clock = { ...hurried, now: () => systemClock.now() + aheadMs };
  const running = await startFullSync({ sync: { clock } });
  const { screenId } = await claimed(running, path.address, client);
  return {
    ...{ running, isMissing, here, missing },
    show: async (images: readonly StoredImage[]) => {
      const assets = images.map(({ id }) => ({ id, duration: 600 }));
      await client.call("PATCH", `/playlists/${playlist.id}/`, { assets });
    },
    decide: path.decide,
    /** As the service returns it. */
    screen: () => client.get(`/screens/${screenId}/`),
    passHour: () => {
      aheadMs += 3_600_000;
    },
  };
}

describe("a paired screen with files that return 404", () => {
  it("[L-33] [L-34] [L-35] [V2-570] has 1 of 2 items, 1 failed, on its player and its service alike, and is in sync once that is repaired", async () => {
    const screen = await startScreen([[30, 30, 200]]);
    const item_counts = { wanted: 2, here: 1, failed: 1 };
    await expect.poll(screen.screen, pollOptions).toMatchObject({
      ...{ status: "Out Of Sync", in_sync: false, item_counts },
    });
    expect(await (await screen.running.request("/sync")).json()).toMatchObject({
      accounts: [{ in_sync: false, item_counts }],
    });
    screen.decide(() => "arrives");
    // What was given up is retried within the hour (V2-213).
    screen.passHour();
    await expect.poll(screen.screen, pollOptions).toMatchObject({
      ...{ status: "In Sync", in_sync: true },
      item_counts: { wanted: 2, here: 2, failed: 0 },
    });
  });

  it("[L-35] reports at once that fewer failed, though nothing is downloaded or applied for that", async () => {
    const screen = await startScreen([
      [30, 30, 200],
      [30, 200, 30],
    ]);
    await expect.poll(screen.screen, pollOptions).toMatchObject({
      item_counts: { wanted: 3, here: 1, failed: 2 },
    });
    // The next regular heartbeat never comes.
    screen.decide(({ url }) =>
      url.includes("/link/v1/news")
        ? "held"
        : screen.isMissing(url)
          ? notFound
          : "arrives",
    );
    await screen.show([screen.here, ...screen.missing.slice(1)]);
    await expect.poll(screen.screen, pollOptions).toMatchObject({
      ...{ status: "Out Of Sync", in_sync: false },
      item_counts: { wanted: 2, here: 1, failed: 1 },
    });
  });
});
