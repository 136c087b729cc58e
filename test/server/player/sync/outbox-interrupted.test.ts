// Changes interrupted between their steps: they continue where they stopped, and what others did in between is a conflict.

import { describe, expect, it, vi } from "vitest";
import {
  openFaultyPath,
  type FaultyPath,
  type Delivery,
} from "../../../support/http/faulty-path.ts";
import { manualClock } from "../../../support/clock.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { claimedPlayer } from "../../../support/content/linked-player.ts";
import { png } from "../../../support/media/media.ts";
import {
  oneService,
  type TeamsService,
} from "../../../support/content/one-service.ts";
import { startFullSync } from "../../../support/sync/start-full-sync.ts";
import type { Row } from "../../../support/content/start-content.ts";
import {
  connect,
  kept,
  pollOptions,
  upOf,
} from "../../../support/sync/outbox.ts";

const startService = oneService();

/** A playlist of two images in the lobby, plus what a test adds. */
async function shop(service: TeamsService) {
  const { v3 } = service;
  const ids: string[] = [];
  for (const title of ["One", "Two", "Three"]) {
    const answer = await service.upload(png([title.length, 1, 2]), {
      title,
    });
    ids.push(...((await answer.json()) as Row[]).map(({ id }) => id));
  }
  const labels: string[] = [];
  for (const name of ["Lobby", "Hall", "Door"])
    labels.push(((await v3.make("/groups/", { name })) as Row).id);
  const [one = "", two = "", three = ""] = ids;
  const { id } = (await v3.make("/playlists/", {
    title: "Shop",
    predicate: "TRUE",
    assets: [one, two].map((asset) => ({ id: asset, duration: 5 })),
    groups: [{ id: labels[0] }],
  })) as Row;
  return { id, one, two, three, labels };
}

const items = (...ids: readonly string[]) =>
  ids.map((asset_id) => ({ asset_id, duration: 5 }));

/** The first request of this kind fails this way. */
function once(
  path: FaultyPath,
  delivery: Delivery,
  what: RegExp,
): () => boolean {
  let isMet = false;
  path.decide(({ method, url }) => {
    if (isMet || !what.test(`${method} ${url}`)) return "arrives";
    isMet = true;
    return delivery;
  });
  return () => isMet;
}

const broken: Delivery = { status: 503, type: "text/plain", body: "" };

describe.each(["v4.1", "v4"] as const)("through version %s", (version) => {
  it("[V2-833] leaves what others change meanwhile in what it has created, and adds the rest", async () => {
    const service = await startService();
    const { one } = await shop(service);
    const path = await openFaultyPath(service.address);
    const clock = manualClock();
    const running = await startFullSync({ clock });
    const up = await connect(running, service, path.address, version);
    once(path, broken, /POST .*\/playlist-items/);
    await up.add({
      ...{ collection: "playlists", action: "create" },
      fields: { title: "Sale", predicate: "TRUE", items: items(one) },
    });
    const created = await vi.waitUntil(
      async () =>
        (await kept(service)).playlists.find(({ title }) => title === "Sale"),
      pollOptions,
    );
    await vi.waitUntil(
      async () => (await up.changes())[0]?.reason !== null,
      pollOptions,
    );
    const answer = await fetch(
      `${service.address}/api/v3/playlists/${created.id}/`,
      {
        method: "PATCH",
        headers: {
          Authorization: `Token ${service.key}`,
          "Content-Type": "application/json",
        },
        body: JSON.stringify({ title: "Winter sale" }),
      },
    );
    expect(answer.status).toBe(200);
    await vi.waitUntil(async () => {
      await clock.advance(1000);
      return (await up.changes())[0]?.state === "done";
    }, pollOptions);
    expect((await kept(service)).playlists).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...{ id: created.id, title: "Winter sale" },
          assets: [expect.objectContaining({ id: one, duration: 5 })],
        }),
      ]),
    );
  });

  it.each<[string, Delivery, RegExp]>([
    [
      "the response to the new items is lost",
      "unheard",
      /POST .*\/playlist-items/,
    ],
    ["the new items are answered 503", broken, /POST .*\/playlist-items/],
    [
      "the deletion of the old items fails",
      broken,
      /DELETE .*\/playlist-items/,
    ],
    [
      "the response to the deletion of the old items is lost",
      "unheard",
      /DELETE .*\/playlist-items/,
    ],
    [
      "the response to the first link is lost",
      "unheard",
      /POST .*\/labels\/playlists/,
    ],
    ["the deletion of a link is lost", "lost", /DELETE .*\/labels\/playlists/],
  ])(
    "[V2-313] [V2-349] continues where it stopped when %s",
    async (_, delivery, what) => {
      const service = await startService();
      const { id, one, two, three, labels } = await shop(service);
      const path = await openFaultyPath(service.address);
      const running = await startFullSync();
      const up = await connect(running, service, path.address, version);
      const [base] = (await up.read("playlists")).rows;
      const isMet = once(path, delivery, what);
      await up.add({
        ...{ collection: "playlists", action: "change", id, base },
        fields: {
          title: "Store",
          items: items(three, two, one),
          labels: labels.slice(1),
        },
      });
      expect(await up.rest()).toMatchObject([
        { state: "done", reason: null, conflicts: [] },
      ]);
      expect(isMet()).toBe(true);
      expect((await kept(service)).playlists).toMatchObject([
        {
          title: "Store",
          assets: [three, two, one].map((asset) => ({
            ...{ id: asset, duration: 5 },
          })),
        },
      ]);
      const [after] = (await up.read("playlists")).rows;
      expect(after?.["labels"]).toEqual(labels.slice(1).toSorted());
      const posts = path.passed.filter(
        ({ method, url }) =>
          method === "POST" && url.includes("playlist-items"),
      );
      expect(posts).toHaveLength(1);
    },
  );

  it("[V2-349] continues after a restart, and with the screens of a label", async () => {
    const service = await startService();
    const { labels } = await shop(service);
    const [label = ""] = labels;
    const screens: string[] = [];
    for (const name of ["A", "B", "C"])
      screens.push((await claimedPlayer(service.v3, name)).screenId);
    const path = await openFaultyPath(service.address);
    const dataDir = await temporaryFolder();
    const first = await startFullSync({ player: { dataDir } });
    const up = await connect(first, service, path.address, version);
    const base = (await up.read("labels")).rows.find((row) => row.id === label);
    // The first link is created; then the service is unreachable.
    let createdCount = 0;
    path.decide(({ method, url }) => {
      if (method === "POST" && url.includes("labels/screens"))
        createdCount += 1;
      return createdCount > 1 ? "lost" : "arrives";
    });
    await up.add({
      ...{ collection: "labels", action: "change", id: label, base },
      fields: { screens },
    });
    await vi.waitUntil(() => createdCount > 1, pollOptions);
    await first.stopAll();
    path.decide(() => "arrives");
    const again = await startFullSync({ player: { dataDir } });
    expect(await upOf(again, up.connectionId).rest()).toMatchObject([
      { state: "done", reason: null },
    ]);

    const after = await upOf(again, up.connectionId).read("labels");
    expect(after.rows.find((row) => row.id === label)?.["screens"]).toEqual(
      screens.toSorted(),
    );
  });

  it("[V2-314] [V2-349] is a conflict when another client changed the list in between", async () => {
    const service = await startService();
    const { id, one, two, three } = await shop(service);
    const path = await openFaultyPath(service.address);
    const running = await startFullSync();
    const up = await connect(running, service, path.address, version);
    const [base] = (await up.read("playlists")).rows;
    let isAway = false;
    path.decide(({ method, url }) => {
      if (isAway) return "lost";
      isAway = method === "POST" && url.includes("playlist-items");
      return isAway ? "unheard" : "arrives";
    });
    await up.add({
      ...{ collection: "playlists", action: "change", id, base },
      fields: { items: items(three) },
    });
    await vi.waitUntil(() => isAway && path.passed.length > 0, pollOptions);
    const ours = async () =>
      ((await service.v3.get(`/playlists/${id}/`)) as { assets: unknown[] })
        .assets;
    await vi.waitUntil(async () => (await ours()).length === 3, pollOptions);
    await service.v3.call("PATCH", `/playlists/${id}/`, {
      assets: [two, one].map((asset) => ({ id: asset, duration: 7 })),
    });
    isAway = false;
    path.decide(() => "arrives");
    expect(await up.rest()).toMatchObject([
      { state: "conflict", conflicts: ["items"] },
    ]);
    expect(await ours()).toHaveLength(2);
  });
});
