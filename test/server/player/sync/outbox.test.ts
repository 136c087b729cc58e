// Outbox to our own service, through each of its versions: sent in order, each once, and never over what others changed.

import { describe, expect, it } from "vitest";
import type { CloudPageV2 } from "../../../../server/contract/v2/v2-sync-outbox.ts";
import {
  openFaultyPath,
  type Passed,
} from "../../../support/http/faulty-path.ts";
import { png } from "../../../support/media/media.ts";
import { oneService } from "../../../support/content/one-service.ts";
import { startFullSync } from "../../../support/sync/start-full-sync.ts";
import type { Row } from "../../../support/content/start-content.ts";
import { connect, kept, shopWindow } from "../../../support/sync/outbox.ts";

const versions = ["v4.1", "v4", "v3"] as const;
const startService = oneService();

describe.each(["v4.1", "v4"] as const)("asset groups through %s", (version) => {
  it("[V2-311] [V2-312] are created, get an asset, change their title and are deleted", async () => {
    const service = await startService();
    const running = await startFullSync();
    const up = await connect(running, service, service.address, version);
    const group = await up.add({
      ...{ collection: "groups", action: "create" },
      fields: { title: "Window" },
    });
    const { body: upload } = await running.upload(png([4, 8, 9]));
    await up.add({
      ...{ collection: "assets", action: "create" },
      fields: {
        ...{ title: "Spring", file: upload.uri },
        group_id: `change:${group.change_id}`,
      },
    });
    const [made, asset] = await up.rest();
    expect([made?.state, asset?.state]).toEqual(["done", "done"]);
    expect((await up.read("groups")).rows).toMatchObject([
      { id: made?.id, title: "Window" },
    ]);
    const [row] = (await up.read("assets")).rows;
    expect(row).toMatchObject({ id: asset?.id, group_id: made?.id });
    const [base] = (await up.read("groups")).rows;
    await up.add({
      ...{ collection: "groups", action: "change", id: made?.id, base },
      fields: { title: "Shop window" },
    });
    await up.rest();
    const [after] = (await up.read("groups")).rows;
    expect(after).toMatchObject({ id: made?.id, title: "Shop window" });
    await up.add({
      ...{ collection: "groups", action: "delete", id: made?.id },
      base: after,
    });
    await up.rest();
    expect((await up.read("groups")).rows).toEqual([]);
  });
});

describe.each(versions)("through version %s", (version) => {
  it("[V2-310] [V2-312] [V2-317] creates, changes and deletes assets with their files, labels and playlists", async () => {
    const service = await startService();
    const running = await startFullSync();
    const up = await connect(running, service, service.address, version);
    await shopWindow(running, up);
    const [asset, label, playlist] = await up.rest();
    expect([asset, label, playlist]).toMatchObject([
      {
        state: "done",
        file: {
          size: png([7, 8, 9]).length,
          sent: png([7, 8, 9]).length,
        },
        attempts: 1,
      },
      { state: "done" },
      { state: "done" },
    ]);
    const first = await kept(service);
    expect(first.assets).toMatchObject([
      { id: asset?.id, title: "Spring", metadata: { season: "1" } },
    ]);
    expect(first.groups).toMatchObject([{ id: label?.id, name: "Lobby" }]);
    expect(first.playlists).toMatchObject([
      {
        ...{
          id: playlist?.id,
          title: "Shop",
          predicate: "$WEEKDAY = 1",
          priority: 1,
          is_enabled: true,
        },
        assets: [
          { id: asset?.id, duration: 7 },
          { id: asset?.id, duration: 9 },
        ],
        groups: [{ id: label?.id }],
      },
    ]);
    const [base] = (await up.read("playlists")).rows;
    await up.add({
      collection: "playlists",
      action: "change",
      id: playlist?.id,
      base,
      fields: {
        title: "Store",
        items: [{ asset_id: asset?.id, duration: null }],
        labels: [],
      },
    });
    await up.rest();
    const second = await kept(service);
    expect(second.playlists).toMatchObject([
      {
        id: playlist?.id,
        title: "Store",
        assets: [{ id: asset?.id, duration: 10 }],
        groups: [],
      },
    ]);
    for (const collection of ["playlists", "labels", "assets"]) {
      const [row] = (await up.read(collection)).rows.filter(
        ({ type }) => type !== "all-screens",
      );
      await up.add({ collection, action: "delete", id: row?.id, base: row });
    }
    for (const { state, reason } of await up.rest())
      expect([state, reason]).toEqual(["done", null]);
    expect(await kept(service)).toEqual({
      assets: [],
      groups: [],
      playlists: [],
    });
  });

  it("[V2-313] applies each change once, though every write fails once and its response is lost once", async () => {
    const service = await startService();
    const running = await startFullSync();
    const path = await openFaultyPath(service.address);
    const up = await connect(running, service, path.address, version);
    const seen = new Map<string, number>();
    const lines = ({ method, url, body }: Passed) =>
      `${method} ${url} ${body.length}`;
    path.decide((request) => {
      if (request.method === "GET") return "arrives";
      const times = (seen.get(lines(request)) ?? 0) + 1;
      seen.set(lines(request), times);
      return times === 1 ? "lost" : times === 2 ? "unheard" : "arrives";
    });
    await shopWindow(running, up);
    const done = await up.rest();
    expect(done.map(({ state }) => state)).toEqual(["done", "done", "done"]);
    expect(done.every(({ attempts }) => attempts > 2)).toBe(true);
    const after = await kept(service);
    expect([
      after.assets.length,
      after.groups.length,
      after.playlists.length,
    ]).toEqual([1, 1, 1]);
    expect(after.playlists[0]).toMatchObject({
      predicate: "$WEEKDAY = 1",
      groups: [{ id: done[1]?.id }],
      assets: [
        { id: done[0]?.id, duration: 7 },
        { id: done[0]?.id, duration: 9 },
      ],
    });
  });

  it("[V2-314] waits with both versions where the service has changed, until a person chooses", async () => {
    const service = await startService();
    const running = await startFullSync();
    const up = await connect(running, service, service.address, version);
    const { id } = (await service.v3.make("/playlists/", {
      title: "Old",
      predicate: "TRUE",
    })) as Row;
    const [base] = (await up.read("playlists")).rows;
    await service.v3.call("PATCH", `/playlists/${id}/`, {
      title: "Theirs",
      is_enabled: false,
    });
    const input = { collection: "playlists", id, base };
    // Another field conflicts with nothing.
    await up.add({
      ...input,
      action: "change",
      fields: { predicate: "FALSE" },
    });
    expect((await up.rest()).at(-1)).toMatchObject({ state: "done" });
    const mine = await up.add({
      ...input,
      action: "change",
      fields: { title: "Mine" },
    });
    const [, clash] = await up.rest();
    expect(clash).toMatchObject({
      state: "conflict",
      conflicts: ["title"],
      base: { title: "Old" },
      theirs: { title: "Theirs", is_enabled: false },
      reason: "Also changed in the content service: title.",
    });
    // It waits for a person, and is counted so [V2-386].
    expect(await (await running.request("/sync")).json()).toMatchObject({
      accounts: [{ changes_waiting: 1, changes_stuck: 1 }],
    });
    const title = async () =>
      ((await service.v3.get(`/playlists/${id}/`)) as { title: string }).title;
    expect(await title()).toBe("Theirs");
    expect(await up.retry(mine.change_id)).toMatchObject({ status: 409 });
    expect((await up.retry(mine.change_id, { choose: "mine" })).status).toBe(
      200,
    );
    await up.rest();
    expect(await title()).toBe("Mine");
    // A deletion of what others changed meanwhile waits too.
    await up.add({ ...input, action: "delete" });
    const last = (await up.rest()).at(-1);
    expect(last).toMatchObject({
      state: "conflict",
      conflicts: expect.arrayContaining(["title"]) as string[],
    });
    expect(
      (await up.retry(last?.change_id ?? "", { choose: "theirs" })).body,
    ).toMatchObject({ state: "done" });
    expect(await title()).toBe("Mine");
  });
});

it("[V2-316] reads the service page by page, the same through each version", async () => {
  const service = await startService();
  const running = await startFullSync();
  for (let number = 0; number < 5; number += 1)
    await service.v3.make("/groups/", { name: `Group ${number}` });
  const read: unknown[] = [];
  for (const version of versions) {
    const up = await connect(running, service, service.address, version);
    const names: unknown[] = [];
    let after: string | null = null;
    do {
      const page: CloudPageV2 = await up.read(
        "labels",
        `?limit=2${after === null ? "" : `&after=${after}`}`,
      );
      expect(page.rows.length).toBeLessThanOrEqual(2);
      names.push(
        ...page.rows
          .filter(({ type }) => type === "manual")
          .map(({ name }) => name),
      );
      after = page.next;
    } while (after !== null);
    read.push(names);
  }
  const all = [0, 1, 2, 3, 4].map((number) => `Group ${number}`);
  expect(read).toEqual([all, all, all]);
});
