// API v2: playlists, over a real socket and the real store.

import { describe, expect, it } from "vitest";
import {
  answerOf,
  startPlayer,
} from "../../../../support/player/start-player.ts";

const plain = {
  ...{ predicate: "TRUE", priority: 0, is_enabled: true, groups: [] },
  ...{ transition: null, shuffle: null, items: [] },
};

const special = {
  predicate: "$WEEKDAY IN {1, 2} and  $TIME >= 3600000",
  priority: 100,
  is_enabled: false,
  groups: ["lobby", "ground floor"],
  transition: "cross-fade",
  shuffle: false,
};

async function withAssets() {
  const running = await startPlayer();
  const ids: string[] = [];
  for (const name of ["A", "B", "C"])
    ids.push((await running.add({ name })).asset_id);
  const [a = "", b = "", c = ""] = ids;
  const all = async () =>
    (await answerOf(await running.request("/playlists"))).body;
  const make = async (body: object) => {
    const answer = await running.send("POST", "/playlists", body);
    expect(answer.status).toBe(201);
    return answer.body;
  };
  return { ...running, a, b, c, all, make };
}

describe("[V2-110] playlists", () => {
  it("need a name alone, and are listed in order of creation", async () => {
    const { make, all, request } = await withAssets();
    const first = await make({ name: " Lunch " });
    expect(first).toEqual({
      ...{ ...plain, name: "Lunch" },
      playlist_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      items_revision: expect.stringMatching(/^[0-9a-f]{32}$/),
      created: "2026-01-01T00:00:00Z",
    });
    const second = await make({ ...special, name: "Zebra" });
    expect(second).toMatchObject(special);
    expect(await all()).toEqual([first, second]);
    const alone = await request(`/playlists/${second.playlist_id}`);
    expect(await alone.json()).toEqual(second);
  });

  it("[V2-112] contain items in order, the same asset more than once", async () => {
    const { make, all, a, b } = await withAssets();
    const items = [
      { asset_id: b, duration: 5 },
      { asset_id: a, duration: null },
      { asset_id: b, duration: 0 },
    ];
    const created = await make({ name: "Loop", items });
    expect(created.items).toMatchObject(items);
    const ids = created.items.map(({ item_id: id }: { item_id: string }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(await all()).toEqual([created]);
  });

  it("change the fields sent by PATCH, and everything by PUT", async () => {
    const { make, send, a } = await withAssets();
    const created = await make({
      ...special,
      name: "X",
      items: [{ asset_id: a }],
    });
    const at = `/playlists/${created.playlist_id}`;
    const patched = await send("PATCH", at, { priority: "7", shuffle: null });
    expect(patched).toMatchObject({
      ...{ status: 200, body: { ...created, priority: 7, shuffle: null } },
    });
    expect((await send("PATCH", at, {})).body).toEqual(patched.body);
    const put = await send("PUT", at, { name: "Y" });
    expect(put.body).toEqual({
      ...{ ...plain, name: "Y" },
      ...{ playlist_id: created.playlist_id, created: created.created },
      items_revision: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(Object.keys((await send("PUT", at, {})).body)).toEqual(["name"]);
  });

  it("are deleted by DELETE and leave their assets; an unknown one is 404 for every method", async () => {
    const { make, request, all, list, a } = await withAssets();
    const { playlist_id: id } = await make({
      name: "X",
      items: [{ asset_id: a }],
    });
    const at = `/playlists/${id}`;
    const gone = await request(at, { method: "DELETE" });
    expect([gone.status, await gone.text()]).toEqual([204, ""]);
    expect([await all(), (await list()).length]).toEqual([[], 3]);
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const { status, body } = await answerOf(await request(at, { method }));
      expect([status, Object.keys(body)]).toEqual([404, ["detail"]]);
    }
  });

  it("can be sent as a form too", async () => {
    const { request, a, b } = await withAssets();
    const answer = await request("/playlists", {
      method: "POST",
      body: new URLSearchParams({
        ...{ name: "Form", groups: "lobby, stairs,lobby", is_enabled: "0" },
        ...{
          priority: "3",
          items: JSON.stringify([a, { asset_id: b, duration: "9" }]),
        },
      }),
    });
    expect(await answer.json()).toMatchObject({
      ...{ groups: ["lobby", "stairs"], is_enabled: false, priority: 3 },
      items: [
        { asset_id: a, duration: null },
        { asset_id: b, duration: 9 },
      ],
    });
  });

  it("[V2-431] survive a restart, their times of creation distinct whatever the clock shows", async () => {
    const first = await withAssets();
    await first.make({
      name: "A",
      items: [{ asset_id: first.c, duration: 3 }],
    });
    first.clock.jumpTo(0);
    await first.make({ name: "B" });
    const before = await first.all();
    expect(before.map(({ created }: { created: string }) => created)).toEqual([
      "2026-01-01T00:00:00Z",
      "2026-01-01T00:00:00.001Z",
    ]);
    await first.player.stop();
    const again = await startPlayer({ dataDir: first.dataDir });
    expect(await (await again.request("/playlists")).json()).toEqual(before);
  });

  it("are announced to listeners when they change", async () => {
    const { make, request } = await withAssets();
    const stream = (await request("/events")).body?.getReader();
    await make({ name: "X" });
    let received = "";
    while (!received.includes("playlists"))
      received += new TextDecoder().decode((await stream?.read())?.value);
    expect(received).toContain("event: changed\n");
    expect(received).toContain('data: {"resource":"playlists"}');
    await stream?.cancel();
  });
});

it("[V2-111] report where a predicate is invalid, and store it as written", async () => {
  const { send, make, all } = await withAssets();
  const created = await make({ name: "X", predicate: " $time>=0  and TRUE " });
  expect(created.predicate).toBe("$time>=0  and TRUE");
  const { status, body } = await send(
    "PATCH",
    `/playlists/${created.playlist_id}`,
    {
      ...{ predicate: "TRUE AND $TIEM > 1", name: "never" },
    },
  );
  expect(status).toBe(400);
  expect(body).toEqual({
    predicate: [
      expect.stringMatching(/^predicate is not valid at position 9: .+\.$/),
    ],
  });
  const long = await send("POST", "/playlists", {
    ...{ name: "Y", predicate: `${"(".repeat(3000)}TRUE${")".repeat(3000)}` },
  });
  expect(Object.keys(long.body)).toEqual(["predicate"]);
  expect(await all()).toEqual([created]);
});

describe("[V2-112] items", () => {
  it("are rejected as a whole when an asset does not exist", async () => {
    const { send, make, all, a } = await withAssets();
    const created = await make({ name: "X", items: [{ asset_id: a }] });
    const items = [{ asset_id: a }, { asset_id: "nobody" }];
    const patch = await send("PATCH", `/playlists/${created.playlist_id}`, {
      ...{ name: "never", items },
    });
    expect(patch).toMatchObject({
      ...{
        status: 400,
        body: {
          items: [
            'items[1].asset_id must be the identifier of an asset; got "nobody"',
          ],
        },
      },
    });
    expect(
      (await send("POST", "/playlists", { name: "Y", items })).status,
    ).toBe(400);
    expect(await all()).toEqual([created]);
  });

  it("keep their identifiers when they are sent again", async () => {
    const { send, make, a, b, c } = await withAssets();
    const created = await make({
      ...{ name: "X", items: [a, b, a].map((id) => ({ asset_id: id })) },
    });
    const [a1, b1, a2] = created.items.map(
      ({ item_id: id }: { item_id: string }) => id,
    ) as string[];
    const { body } = await send("PATCH", `/playlists/${created.playlist_id}`, {
      items: [c, a, b, a, a].map((id) => ({ asset_id: id, duration: 1 })),
    });
    const ids = body.items.map(
      ({ item_id: id }: { item_id: string }) => id,
    ) as string[];
    expect(ids.slice(1, 4)).toEqual([a1, b1, a2]);
    expect(new Set(ids).size).toBe(5);
  });

  it("let one of two simultaneous replacements win completely", async () => {
    const { send, make, a, b, all } = await withAssets();
    const { playlist_id: id } = await make({ name: "X" });
    const fill = (asset: string) =>
      send("PATCH", `/playlists/${id}`, {
        items: Array.from({ length: 50 }, () => ({ asset_id: asset })),
      });
    await Promise.all([fill(a), fill(b), fill(a), fill(b)]);
    const [{ items }] = await all();
    expect(items).toHaveLength(50);
    expect(
      new Set(items.map((item: { asset_id: string }) => item.asset_id)).size,
    ).toBe(1);
  });
});

const assetsOf = (body: { items: { asset_id: string }[] }) =>
  body.items.map(({ asset_id: id }) => id);
const idsOf = (body: { items: { item_id: string }[] }) =>
  body.items.map(({ item_id: id }) => id);

describe("[V2-430] items that are appended", () => {
  it("are added behind the current items of the playlist, all of those sent at the same time", async () => {
    const { send, make, all, a, b, c } = await withAssets();
    const created = await make({ name: "X", items: [a] });
    const at = `/playlists/${created.playlist_id}/items`;
    const answers = await Promise.all(
      [[b], [c, b], [a]].map((items) => send("POST", at, { items })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const [kept] = await all();
    expect(kept.items[0]).toEqual(created.items[0]);
    expect(assetsOf(kept).toSorted()).toEqual([a, a, b, b, c].toSorted());
    expect(assetsOf(kept).join()).toContain([c, b].join());
  });

  it("[V2-811] are appended once when they are sent again with their identifiers", async () => {
    const { send, make, a, b, c } = await withAssets();
    const created = await make({ name: "X", items: [a] });
    const at = `/playlists/${created.playlist_id}/items`;
    const [one, other] = ["1".repeat(32), "2".repeat(32)] as const;
    const item = (item_id: string, asset_id: string) => ({ item_id, asset_id });
    const first = [item(one, b), item(other, b)];
    const { body } = await send("POST", at, { items: first });
    expect(idsOf(body).slice(1)).toEqual([one, other]);
    const again = await send("POST", at, { items: first });
    expect(again).toMatchObject({ status: 200, body });
    const items = [...first, item("3".repeat(32), c)];
    expect(assetsOf((await send("POST", at, { items })).body)).toEqual([
      a,
      b,
      b,
      c,
    ]);
    // Of another asset, it is another item.
    const last = await send("POST", at, { items: [item(one, c)] });
    expect(assetsOf(last.body)).toEqual([a, b, b, c, c]);
    expect(new Set(idsOf(last.body)).size).toBe(5);
  });

  it("are rejected as a whole: an unknown asset, too many items, a deleted playlist", async () => {
    const { send, make, all, a } = await withAssets();
    const many = Array.from({ length: 9_999 }, () => a);
    const created = await make({ name: "X", items: many });
    const at = `/playlists/${created.playlist_id}/items`;
    expect(await send("POST", at, { items: [a, "nobody"] })).toMatchObject({
      ...{ status: 400, body: { items: [expect.stringContaining("10000")] } },
    });
    expect(await send("POST", at, { items: ["nobody"] })).toMatchObject({
      status: 400,
      body: {
        items: [
          'items[0].asset_id must be the identifier of an asset; got "nobody"',
        ],
      },
    });
    expect((await send("POST", at, {})).status).toBe(400);
    const gone = "/playlists/nobody/items";
    expect((await send("POST", gone, { items: [a] })).status).toBe(404);
    expect(await all()).toEqual([created]);
  });
});

describe("[V2-431] the revision of the items", () => {
  it("is the same for the same items, whatever else changes, and another one for any others", async () => {
    const { send, make, a, b } = await withAssets();
    const created = await make({ name: "X", items: [a, b] });
    const at = `/playlists/${created.playlist_id}`;
    const renamed = (await send("PATCH", at, { name: "Y" })).body;
    expect(renamed.items_revision).toBe(created.items_revision);
    const others = [[b, a], [a], [a, b, b], [a, { asset_id: b, duration: 3 }]];
    const seen = new Set([created.items_revision]);
    for (const items of others)
      seen.add((await send("PATCH", at, { items })).body.items_revision);
    expect(seen.size).toBe(5);
  });

  it("rejects a write based on other items, as a whole, in each of the three ways", async () => {
    const { send, make, all, a, b, c } = await withAssets();
    const created = await make({ name: "X", items: [a, b] });
    const at = `/playlists/${created.playlist_id}`;
    const { items_revision } = created;
    const mine = { name: "mine", items: [c], items_revision };
    const theirs = await send("PATCH", at, { items: [b], items_revision });
    expect(theirs.status).toBe(200);
    for (const [method, path] of [
      ["PATCH", at],
      ["PUT", at],
      ["POST", `${at}/items`],
    ] as const) {
      const late = await send(method, path, mine);
      expect(late).toMatchObject({
        ...{ status: 409, body: { detail: expect.any(String) } },
      });
    }
    expect(await all()).toEqual([theirs.body]);
    const again = { ...mine, items_revision: theirs.body.items_revision };
    expect((await send("PATCH", at, again)).status).toBe(200);
  });
});

describe("[V2-807] expected fields", () => {
  it("reject a change of a playlist that is another by now, as a whole, and let exactly one of many pass", async () => {
    const { send, make, all } = await withAssets();
    const created = await make({ name: "X", groups: ["lobby"] });
    const at = `/playlists/${created.playlist_id}`;
    const expected = { name: "X", groups: ["lobby"] };
    const answers = await Promise.all(
      ["A", "B", "C"].map((name) =>
        send("PATCH", at, { name, priority: 3, expected }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const [first] = answers.filter(({ status }) => status === 200);
    expect(await all()).toEqual([first?.body]);
    for (const wrong of ["x", [], 7, { nmae: "X" }])
      expect((await send("PATCH", at, { expected: wrong })).body).toEqual({
        expected: [expect.stringContaining("must be an object")],
      });
  });
});

describe("[V2-432] an item that is sent with its identifier", () => {
  it("keeps its identity wherever it is moved, beside another of the same asset", async () => {
    const { send, make, a } = await withAssets();
    const created = await make({ name: "X", items: [a, a, a] });
    const at = `/playlists/${created.playlist_id}`;
    const items = created.items.toReversed();
    const { body } = await send("PATCH", at, { items });
    expect(idsOf(body)).toEqual(idsOf(created).toReversed());
  });

  it("keeps its identity when it is added again after its removal", async () => {
    const { send, make, a, b } = await withAssets();
    const created = await make({ name: "X", items: [a, b, a] });
    const at = `/playlists/${created.playlist_id}`;
    await send("PATCH", at, { items: created.items.slice(0, 1) });
    const { body } = await send("PATCH", at, { items: created.items });
    expect(body).toEqual(created);
  });

  it("gets another identifier where it is of another playlist, of another asset, sent twice or malformed", async () => {
    const { send, make, a, b } = await withAssets();
    const other = await make({ name: "Other", items: [a] });
    const created = await make({ name: "X", items: other.items });
    const at = `/playlists/${created.playlist_id}`;
    const [own] = idsOf(created);
    expect(own).not.toBe(idsOf(other)[0]);
    const ids = [own, own, idsOf(other)[0], "no identifier", 7, "short"];
    const items = ids.map((item_id) => ({ item_id, asset_id: b }));
    const { status, body } = await send("PATCH", at, { items });
    expect(status).toBe(200);
    expect(new Set(idsOf(body)).size).toBe(ids.length);
    for (const id of idsOf(body)) {
      expect(id).toMatch(/^[0-9a-f]{32}$/);
      expect([own, idsOf(other)[0]]).not.toContain(id);
    }
  });
});

it("[V2-113] removes a deleted asset from every playlist", async () => {
  const { make, all, request, a, b } = await withAssets();
  await make({ name: "X", items: [a, b, a].map((id) => ({ asset_id: id })) });
  await make({ name: "Y", items: [{ asset_id: a }] });
  await request(`/assets/${a}`, { method: "DELETE" });
  const left = (await all()).map(
    ({ items }: { items: { asset_id: string }[] }) =>
      items.map((item) => item.asset_id),
  );
  expect(left).toEqual([[b], []]);
});

it("[V2-116] makes a name in use unique, and keeps its own", async () => {
  const { make, send, all } = await withAssets();
  const { playlist_id: id } = await make({ name: "X" });
  await make({ name: "X" });
  await make({ name: "X" });
  await send("PATCH", `/playlists/${id}`, { name: "X" });
  await send("PUT", `/playlists/${id}`, { name: "X-1" });
  const names = (await all()).map(({ name }: { name: string }) => name);
  expect(names).toEqual(["X-1-1", "X-1", "X-2"]);
});

// prettier-ignore
const invalidPlaylists: readonly Record<string, unknown>[] = [
  { name: "" }, { name: null }, { name: "x".repeat(1001) },
  { predicate: "" }, { predicate: null }, { predicate: 7 }, { predicate: "always" },
  { priority: -1 }, { priority: 101 }, { priority: 1.5 },
  { is_enabled: "maybe" },
  { groups: {} }, { groups: ["a,b"] }, { groups: [" "] }, { groups: [7, null] },
  { groups: Array.from({ length: 101 }, (_, index) => `g${index}`) },
  { transition: "wipe" }, { shuffle: 2 },
  { items: {} }, { items: "A,B" }, { items: [7] }, { items: [null] }, { items: [{}] },
  { items: [{ asset_id: "KNOWN", duration: -1 }] },
  { items: Array.from({ length: 10_001 }, () => "KNOWN") },
];

const named = invalidPlaylists.map((raw) => ({
  raw,
  title: JSON.stringify(raw).slice(0, 60),
}));

it.each(named)(
  "rejects $title on its field and changes nothing",
  async ({ raw }) => {
    const { send, make, all, a } = await withAssets();
    const created = await make({ name: "X" });
    const body = JSON.parse(
      JSON.stringify(raw).replaceAll("KNOWN", a),
    ) as object;
    for (const method of ["POST", "PATCH", "PUT"]) {
      const at =
        method === "POST" ? "/playlists" : `/playlists/${created.playlist_id}`;
      const answer = await send(method, at, { name: "Other", ...body });
      expect([method, answer.status]).toEqual([method, 400]);
      expect(Object.keys(answer.body)).toEqual(Object.keys(raw));
    }
    expect(await all()).toEqual([created]);
  },
);

describe("what plays", () => {
  const visible = async (running: Awaited<ReturnType<typeof withAssets>>) => {
    await running.clock.advance(1);
    return running.stage.visible()?.name;
  };

  it("[V2-110] is the playlist of the highest priority, at once, with its items' durations", async () => {
    const running = await withAssets();
    expect(await visible(running)).toBe("A");
    const items = [{ asset_id: running.c, duration: 3 }];
    const { playlist_id: id } = await running.make({
      name: "X",
      priority: 1,
      items,
    });
    expect(await visible(running)).toBe("C");
    expect(running.stage.visible()?.durationSeconds).toBe(3);
    await running.send("PATCH", `/playlists/${id}`, { is_enabled: false });
    expect(await visible(running)).not.toBe("C");
  });

  it("[V2-114] is for this screen's groups", async () => {
    const running = await withAssets();
    const items = [{ asset_id: running.c, duration: 3 }];
    await running.make({ name: "X", priority: 1, items, groups: ["lobby"] });
    expect(await visible(running)).toBe("A");
    await running.send("PATCH", "/device_settings", {
      groups: " stairs,lobby ",
    });
    expect(await visible(running)).toBe("C");
    const settings = await answerOf(await running.request("/device_settings"));
    expect(settings.body.groups).toBe("stairs, lobby");
    await running.send("PATCH", "/device_settings", { groups: "" });
    expect(await visible(running)).not.toBe("C");
  });

  it("[V2-115] omits assets for playlists only from the default rotation, and disabled ones from both", async () => {
    const running = await withAssets();
    const { a, b, c, send, request } = running;
    for (const id of [a, b])
      await request(`/assets/${id}`, { method: "DELETE" });
    expect(await visible(running)).toBe("C");
    await send("PATCH", `/assets/${c}`, { playlist_only: true });
    expect(await visible(running)).not.toBe("C");
    await running.make({ name: "X", items: [{ asset_id: c }] });
    expect(await visible(running)).toBe("C");
    await send("PATCH", `/assets/${c}`, { is_enabled: false });
    expect(await visible(running)).not.toBe("C");
  });
});
