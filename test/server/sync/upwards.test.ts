// Changes for our own service, through each of its versions: queued, sent in order, each once, and never over what others changed.

import { describe, expect, it, vi } from "vitest";
import type {
  CloudPageV2,
  SyncChangeV2,
} from "../../../server/contract/v2-sync-upwards.ts";
import type { CloudVersion } from "../../../server/core/sync-state.ts";
import { clientV3, type ClientV3 } from "../../support/each-v3.ts";
import { openFaultyPath, type Passed } from "../../support/faulty-path.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { picture } from "../../support/media.ts";
import { startBeside, type RunningBeside } from "../../support/start-beside.ts";
import {
  contentKey,
  startContent,
  type Row,
  type StartedContent,
} from "../../support/start-content.ts";

const patience = { timeout: 8000, interval: 10 };
const versions = ["v4.1", "v4", "v3"] as const;

interface Service extends StartedContent {
  readonly v3: ClientV3;
}

async function startService(): Promise<Service> {
  const content = await startContent(await temporaryFolder());
  return { ...content, v3: clientV3(content.address, contentKey) };
}

interface Up {
  readonly accountId: string;
  changes(): Promise<readonly SyncChangeV2[]>;
  add(body: object): Promise<SyncChangeV2>;
  /** Once the queue has come to rest. */
  rest(): Promise<readonly SyncChangeV2[]>;
  retry(
    id: string,
    body?: object,
  ): Promise<{ status: number; body: SyncChangeV2 }>;
  read(collection: string, query?: string): Promise<CloudPageV2>;
}

function upOf(running: RunningBeside, accountId: string): Up {
  const at = `/sync/accounts/${accountId}`;
  const changes: Up["changes"] = async () =>
    (await running.ask(`${at}/changes`)).json() as Promise<SyncChangeV2[]>;
  return {
    ...{ accountId, changes },
    add: async (body) => {
      const answer = await running.send("POST", `${at}/changes`, body);
      expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
      return answer.body as SyncChangeV2;
    },
    rest: () =>
      vi.waitUntil(async () => {
        const all = await changes();
        return (
          all.every(
            ({ state }) => state !== "waiting" && state !== "sending",
          ) && all
        );
      }, patience),
    retry: (id, body = {}) =>
      running.send("POST", `${at}/changes/${id}/retry`, body),
    read: async (collection, query = "") => {
      const answer = await running.ask(`${at}/cloud/${collection}${query}`);
      expect(answer.status).toBe(200);
      return answer.json() as Promise<CloudPageV2>;
    },
  };
}

async function connect(
  running: RunningBeside,
  baseUrl: string,
  version: CloudVersion,
): Promise<Up> {
  const answer = await running.send("POST", "/sync/accounts", {
    base_url: baseUrl,
    token: contentKey,
    version,
    poll_seconds: 3600,
  });
  expect(answer.status).toBe(201);
  return upOf(running, answer.body.account_id as string);
}

async function shopWindow(
  running: RunningBeside,
  up: Up,
): Promise<readonly SyncChangeV2[]> {
  const { body: upload } = await running.upload(picture([7, 8, 9]));
  const asset = await up.add({
    collection: "assets",
    action: "create",
    fields: { title: "Spring", file: upload.uri, metadata: { season: "1" } },
  });
  const label = await up.add({
    collection: "labels",
    action: "create",
    fields: { name: "Lobby" },
  });
  const playlist = await up.add({
    collection: "playlists",
    action: "create",
    fields: {
      title: "Shop",
      predicate: "$WEEKDAY = 1",
      priority: 1,
      items: [
        { asset_id: `change:${asset.change_id}`, duration: 7 },
        { asset_id: `change:${asset.change_id}`, duration: 9 },
      ],
      labels: [`change:${label.change_id}`],
    },
  });
  return [asset, label, playlist];
}

/** What the service has, as version 3 tells it. */
async function kept({ v3 }: Service) {
  const [assets, groups, playlists] = (await Promise.all([
    v3.get("/assets/"),
    v3.get("/groups/"),
    v3.get("/playlists/"),
  ])) as [Row[], Row[], Row[]];
  const whole = await Promise.all(
    playlists.map(({ id }) => v3.get(`/playlists/${id}/`)),
  );
  return {
    assets,
    groups: groups.filter(({ id }) => !/^all.screens$/.test(id)),
    playlists: whole as any[],
  };
}

describe.each(versions)("through version %s", (version) => {
  it("[V2-310] [V2-312] [V2-317] makes, changes and deletes assets with their files, labels and playlists", async () => {
    const service = await startService();
    const running = await startBeside();
    const up = await connect(running, service.address, version);
    await shopWindow(running, up);
    const [asset, label, playlist] = await up.rest();
    expect([asset, label, playlist]).toMatchObject([
      {
        state: "done",
        file: {
          size: picture([7, 8, 9]).length,
          sent: picture([7, 8, 9]).length,
        },
        tries: 1,
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

  it("[V2-313] does each once, though every writing is lost once and unheard once", async () => {
    const service = await startService();
    const running = await startBeside();
    const path = await openFaultyPath(service.address);
    const up = await connect(running, path.address, version);
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
    expect(done.every(({ tries }) => tries > 2)).toBe(true);
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

  it("[V2-314] waits with both versions where the cloud has changed, until somebody chooses", async () => {
    const service = await startService();
    const running = await startBeside();
    const up = await connect(running, service.address, version);
    const { id } = (await service.v3.make("/playlists/", {
      title: "Old",
      predicate: "TRUE",
    })) as Row;
    const [base] = (await up.read("playlists")).rows;
    await service.v3.call("PATCH", `/playlists/${id}/`, {
      title: "Theirs",
      is_enabled: false,
    });
    const wish = { collection: "playlists", id, base };
    // Another field is nobody's conflict.
    await up.add({ ...wish, action: "change", fields: { predicate: "FALSE" } });
    expect((await up.rest()).at(-1)).toMatchObject({ state: "done" });
    const mine = await up.add({
      ...wish,
      action: "change",
      fields: { title: "Mine" },
    });
    const [, clash] = await up.rest();
    expect(clash).toMatchObject({
      state: "conflict",
      clashes: ["title"],
      base: { title: "Old" },
      theirs: { title: "Theirs", is_enabled: false },
      reason: "The cloud has changed meanwhile: title.",
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
    await up.add({ ...wish, action: "delete" });
    const last = (await up.rest()).at(-1);
    expect(last).toMatchObject({
      state: "conflict",
      clashes: expect.arrayContaining(["title"]) as string[],
    });
    expect(
      (await up.retry(last?.change_id ?? "", { choose: "theirs" })).body,
    ).toMatchObject({ state: "done" });
    expect(await title()).toBe("Mine");
  });
});

describe("a queue", () => {
  it("[V2-310] outlives a restart without the cloud, and is sent in order once it is back", async () => {
    const service = await startService();
    const path = await openFaultyPath(service.address);
    path.decide(() => "lost");
    const dataDir = await temporaryFolder();
    const first = await startBeside({ player: { dataDir } });
    const up = await connect(first, path.address, "v4.1");
    await shopWindow(first, up);
    await vi.waitUntil(
      async () => (await up.changes())[0]?.reason !== null,
      patience,
    );
    await first.stopAll();
    const again = await startBeside({ player: { dataDir } });
    const upAgain = upOf(again, up.accountId);
    expect(await upAgain.changes()).toMatchObject([
      { fields: { title: "Spring" } },
      { fields: { name: "Lobby" } },
      { fields: { title: "Shop" } },
    ]);
    path.decide(() => "arrives");
    expect((await upAgain.rest()).map(({ state }) => state)).toEqual([
      "done",
      "done",
      "done",
    ]);
    const made = path.passed
      .filter(({ method }) => method === "POST")
      .map(({ url }) => url);
    expect(made.slice(0, 3)).toEqual([
      "/v4.1/assets",
      "/v4.1/labels",
      "/v4.1/playlists",
    ]);
    // What was made is what the next look brings.
    expect((await kept(service)).playlists).toHaveLength(1);
  });

  it("[V2-311] [V2-315] tells what the cloud refuses, lets what needs it wait, and takes both out", async () => {
    const service = await startService();
    const running = await startBeside();
    const up = await connect(running, service.address, "v3");
    const folder = await up.add({
      collection: "groups",
      action: "create",
      fields: { title: "Summer" },
    });
    const asset = await up.add({
      collection: "assets",
      action: "create",
      fields: {
        title: "Page",
        source_url: "https://example.org/",
        group_id: `change:${folder.change_id}`,
      },
    });
    const label = await up.add({
      collection: "labels",
      action: "create",
      fields: { name: "Hall", screens: ["nobody"] },
    });
    await vi.waitUntil(
      async () => (await up.changes()).at(-1)?.state === "refused",
      patience,
    );
    const [refused, waiting, unknown] = await up.changes();
    expect(refused).toMatchObject({
      state: "refused",
      reason: expect.stringContaining("v3") as string,
    });
    expect(waiting).toMatchObject({ state: "waiting", tries: 0 });
    expect(unknown).toMatchObject({
      state: "refused",
      reason: expect.stringContaining("screens") as string,
    });
    expect((await kept(service)).groups).toEqual([]);
    const drop = (id: string) =>
      running.ask(`/sync/accounts/${up.accountId}/changes/${id}`, {
        method: "DELETE",
      });
    expect((await drop(folder.change_id)).status).toBe(409);
    for (const { change_id: id } of [asset, folder, label])
      expect((await drop(id)).status).toBe(204);
    expect(await up.changes()).toEqual([]);
  });

  it("[V2-315] says of a paired screen that it only reads", async () => {
    const service = await startService();
    const running = await startBeside();
    const { body } = await running.send("POST", "/sync/pairing", {
      base_url: service.address,
    });
    await service.v3.make("/screens/", { pin: body.pin });
    await vi.waitUntil(() => running.sync.accounts().length === 1, patience);
    const up = upOf(running, running.sync.accounts()[0]?.id ?? "");
    await up.add({
      collection: "labels",
      action: "create",
      fields: { name: "Lobby" },
    });
    expect(await up.rest()).toMatchObject([
      { state: "refused", reason: "A screen reads; it changes nothing." },
    ]);
    expect((await up.read("labels")).rows).toHaveLength(1);
  });
});

it("[V2-316] reads the cloud page by page, the same through each version", async () => {
  const service = await startService();
  const running = await startBeside();
  for (let number = 0; number < 5; number += 1)
    await service.v3.make("/groups/", { name: `Group ${number}` });
  const read: unknown[] = [];
  for (const version of versions) {
    const up = await connect(running, service.address, version);
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
