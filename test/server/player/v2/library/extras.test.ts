// API v2: asset fields beyond the specification, over a real socket and the real store.

import { describe, expect, it } from "vitest";
import { extraFields } from "../../../../../server/contract/v2/v2-extras.ts";
import { serveSources } from "../../../../support/http/sources.ts";
import {
  startPlayer,
  completeBody,
  type RunningPlayer,
} from "../../../../support/player/start-player.ts";

const plain = {
  custom_headers: {},
  refresh_interval_s: 0,
  play_days: [1, 2, 3, 4, 5, 6, 7],
  play_time_from: null,
  play_time_to: null,
  skip_ssl_verify: false,
  fit: null,
  volume: null,
  muted: false,
  pages: null,
  rotation: 0,
  user_agent: null,
  zoom_level: null,
  js_injection: null,
  send_metadata: false,
  player_side_render: true,
  screenshot_cache_seconds: null,
  playlist_only: false,
  metadata: {},
};

const special = {
  custom_headers: { Authorization: "Basic eDp5", Cookie: "a=b" },
  refresh_interval_s: 300,
  play_days: [1, 3],
  play_time_from: "22:00:00",
  play_time_to: "02:30:15",
  skip_ssl_verify: true,
  fit: "fill",
  volume: 40,
  muted: true,
  pages: [1, 2, 9],
  rotation: 90,
  user_agent: "Signage/1.0",
  zoom_level: 150,
  js_injection: "document.title = '\\n';",
  send_metadata: true,
  player_side_render: false,
  screenshot_cache_seconds: 0,
  playlist_only: true,
  metadata: { shop: { till: 7 }, tags: ["x"] },
};

/** As it is returned: the peer's clients find two of the fields in it once more (V2-581). */
const mirrored = {
  metadata: {
    ...special.metadata,
    headers: special.custom_headers,
    refresh_interval_s: 300,
  },
};

type Field = keyof typeof plain;
const fields = Object.keys(plain) as Field[];

async function withPage(body: object = {}) {
  const running = await startPlayer();
  const { body: asset, status } = await running.send("POST", "/assets", {
    ...{ ...completeBody, ...body },
  });
  expect(status).toBe(201);
  return { ...running, asset, at: `/assets/${asset.asset_id}` };
}

const read = async ({ request }: RunningPlayer, at: string) =>
  (await request(at)).json() as Promise<Record<string, unknown>>;

describe("[V2-109] the fields beyond the specification", () => {
  it("are all returned, with their defaults where none were sent", async () => {
    const { asset, list } = await withPage();
    expect(asset).toMatchObject(plain);
    expect(await list()).toEqual([asset]);
  });

  it("are set by POST, and survive a restart", async () => {
    const running = await withPage(special);
    expect(running.asset).toMatchObject({ ...special, ...mirrored });
    await running.player.stop();
    const again = await startPlayer({ dataDir: running.dataDir });
    expect(await again.list()).toEqual([running.asset]);
  });

  it.each(["PATCH", "PUT"])("are set by %s", async (method) => {
    const { asset, at, send, list } = await withPage();
    const body = method === "PUT" ? { ...completeBody, ...special } : special;
    const answer = await send(method, at, body);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...asset,
      ...{ ...special, ...mirrored },
      is_active: expect.any(String),
    });
    expect(await list()).toEqual([answer.body]);
  });

  it.each(["PATCH", "PUT"])(
    "stay when a %s leaves them out",
    async (method) => {
      const { asset, at, send } = await withPage(special);
      const { body } = await send(method, at, {
        ...completeBody,
        duration: 77,
      });
      const stored = { ...asset.stored, duration: 77 };
      expect(body).toEqual({ ...asset, duration: 77, stored });
    },
  );

  it.each(fields)(
    "%s alone changes nothing else, and null clears it",
    async (field) => {
      const half = field === "play_time_from" || field === "play_time_to";
      const names: readonly Field[] = half
        ? ["play_time_from", "play_time_to"]
        : [field];
      const only = (of: Partial<Record<Field, unknown>>) =>
        Object.fromEntries(names.map((name) => [name, of[name]]));
      const running = await withPage();
      const { asset, at, send } = running;
      const { body: changed } = await send("PATCH", at, only(special));
      // Other days, and it may not be active any more (V2-108).
      const { is_active } = changed as { is_active: string };
      const { metadata: shown } = changed as typeof special;
      const {
        headers = {},
        refresh_interval_s = 0,
        ...kept
      } = shown as Record<string, unknown>;
      expect({ ...changed, metadata: kept }).toEqual({
        ...{ ...asset, ...only(special), is_active },
      });
      expect(changed).toMatchObject({
        ...{ custom_headers: headers, refresh_interval_s },
      });
      const nulls = Object.fromEntries(names.map((name) => [name, null]));
      expect((await send("PATCH", at, nulls)).body).toEqual(asset);
      // A form has no null.
      await send("PATCH", at, only(special));
      const cleared = await running.request(at, {
        method: "PATCH",
        body: new URLSearchParams(names.map((name) => [name, ""])),
      });
      expect(await cleared.json()).toEqual(asset);
    },
  );

  it("both apply when two changes of different ones arrive at once", async () => {
    const running = await withPage();
    const { at, send } = running;
    await Promise.all([
      send("PATCH", at, { volume: 10 }),
      send("PATCH", at, { zoom_level: 50 }),
      send("PATCH", at, { name: "Renamed" }),
      send("PATCH", at, { metadata: { a: 1 } }),
    ]);
    expect(await read(running, at)).toMatchObject({
      ...{ volume: 10, zoom_level: 50, name: "Renamed", metadata: { a: 1 } },
    });
  });

  it("are text in a form", async () => {
    const { at, request } = await withPage();
    const answer = await request(at, {
      method: "PATCH",
      body: new URLSearchParams({
        custom_headers: '{"X-Shop": "7"}',
        play_days: "5,1,5",
        pages: "[3, 1]",
        metadata: '{"a": [1]}',
        volume: "30",
        muted: "yes",
        rotation: "270",
      }),
    });
    expect(await answer.json()).toMatchObject({
      custom_headers: { "X-Shop": "7" },
      play_days: [1, 5],
      pages: [1, 3],
      metadata: { a: [1] },
      volume: 30,
      muted: true,
      rotation: 270,
    });
  });
});

const deep = JSON.parse(`${'{"a":'.repeat(30)}1${"}".repeat(30)}`) as unknown;
const many = Object.fromEntries(
  Array.from({ length: 21 }, (_, index) => [`X-${index}`, "1"]),
);

// prettier-ignore
const invalidExtras: readonly (readonly [rule: string, body: Record<string, unknown>])[] = [
  ["V2-100", { custom_headers: "X-A: b" }],
  ["V2-100", { custom_headers: ["X-A"] }],
  ["V2-100", { custom_headers: { "X-A": "b\r\nX-B: c" } }],
  ["V2-100", { custom_headers: { "X-A": "b\n" } }],
  ["V2-100", { custom_headers: { "X A": "b" } }],
  ["V2-100", { custom_headers: { "Bad Name": "b" } }],
  ["V2-100", { custom_headers: { "X-A:": "b" } }],
  ["V2-100", { custom_headers: { "X-A\r\nX-B": "b" } }],
  ["V2-100", { custom_headers: { "X-A\n": "b" } }],
  ["V2-100", { custom_headers: { "": "b" } }],
  ["V2-100", { custom_headers: { "X-A": "b\r" } }],
  ["V2-100", { custom_headers: { "X-A": "\nb" } }],
  ["V2-100", { custom_headers: { "X-A": "b\u0000" } }],
  ["V2-100", { custom_headers: { "X-A": 7 } }],
  ["V2-100", { custom_headers: { "X-A": true } }],
  ["V2-100", { custom_headers: { "X-A": ["b"] } }],
  ["V2-100", { custom_headers: { "X-A": { b: "c" } } }],
  ["V2-100", { custom_headers: '{"X-A": 7}' }],
  ["V2-100", { custom_headers: { "X-A": "é" } }],
  ["V2-100", { custom_headers: { "X-A": null } }],
  ["V2-100", { custom_headers: { "X-A": "b".repeat(4097) } }],
  ["V2-100", { custom_headers: { "": "b" } }],
  ["V2-100", { custom_headers: { host: "evil.example" } }],
  ["V2-100", { custom_headers: { "Content-Length": "0" } }],
  ["V2-100", { custom_headers: { "TRANSFER-encoding": "chunked" } }],
  ["V2-100", { custom_headers: { "Proxy-Authorization": "x" } }],
  ["V2-100", { custom_headers: { "sec-fetch-site": "none" } }],
  ["V2-100", { custom_headers: many }],
  ["V2-101", { refresh_interval_s: -1 }],
  ["V2-101", { refresh_interval_s: 86_401 }],
  ["V2-102", { play_days: [] }],
  ["V2-102", { play_days: [0] }],
  ["V2-102", { play_days: [8] }],
  ["V2-102", { play_days: ["monday"] }],
  ["V2-103", { play_time_from: "24:00", play_time_to: "09:00" }],
  ["V2-103", { play_time_from: "9:00", play_time_to: "10:00" }],
  ["V2-105", { metadata: [] }],
  ["V2-105", { metadata: "text" }],
  ["V2-105", { metadata: { a: "x".repeat(65_536) } }],
  ["V2-105", { metadata: deep }],
  ["V2-106", { fit: "stretch" }],
  ["V2-106", { volume: 101 }],
  ["V2-106", { pages: [0] }],
  ["V2-106", { rotation: 45 }],
  ["V2-107", { user_agent: "a\nb" }],
  ["V2-107", { zoom_level: 24 }],
  ["V2-107", { zoom_level: 501 }],
  ["V2-107", { screenshot_cache_seconds: -1 }],
];

it("[V2-107] [V2-548] include a script up to its limit, which is the service's too", () => {
  const { read } = extraFields.script;
  expect(read("x".repeat(1_048_576))).toHaveProperty("value");
  expect(read("x".repeat(1_048_577))).toHaveProperty("sentence");
});

it.each(invalidExtras)(
  "[%s] rejects %j on its field and keeps the value before",
  async (_rule, body) => {
    const running = await withPage(special);
    const { asset, at, send } = running;
    const [field = ""] = Object.keys(body);
    const answer = await send("PATCH", at, { ...body, name: "never" });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body)).toEqual([field]);
    expect(
      (await send("POST", "/assets", { ...completeBody, ...body })).status,
    ).toBe(400);
    expect(await running.list()).toEqual([asset]);
  },
);

it("[V2-101] [V2-581] accept 0 for never, and metadata sent back as it was read changes nothing", async () => {
  const { asset, at, send } = await withPage(special);
  const { metadata } = asset as unknown as typeof mirrored;
  const { body: off } = await send("PATCH", at, {
    ...{ refresh_interval_s: 0, custom_headers: {}, metadata },
  });
  expect(off).toMatchObject({ refresh_interval_s: 0, custom_headers: {} });
  expect((off as typeof special).metadata).toEqual(special.metadata);
});

describe("[V2-103] the times of day", () => {
  it("are set together or not at all, stored values included", async () => {
    const { at, send } = await withPage();
    const half = await send("PATCH", at, { play_time_from: "09:00" });
    expect(half.status).toBe(400);
    expect(Object.keys(half.body)).toEqual(["play_time_to"]);
    const complete = { play_time_from: "09:00", play_time_to: "17:30:30" };
    const { body } = await send("PATCH", at, complete);
    expect(body).toMatchObject({
      ...{ play_time_from: "09:00:00", play_time_to: "17:30:30" },
    });
    expect((await send("PATCH", at, { play_time_from: "10:00" })).status).toBe(
      200,
    );
    const cleared = await send("PATCH", at, { play_time_to: null });
    expect(Object.keys(cleared.body)).toEqual(["play_time_to"]);
    const same = await send("PATCH", at, { play_time_to: "10:00:00" });
    expect([same.status, Object.keys(same.body)]).toEqual([
      400,
      ["play_time_to"],
    ]);
  });

  it("are rejected in a creation with only one of them", async () => {
    const { send, list } = await startPlayer();
    const { status } = await send("POST", "/assets", {
      ...{ ...completeBody, play_time_to: "10:00" },
    });
    expect([status, await list()]).toEqual([400, []]);
  });
});

describe("[V2-105] metadata", () => {
  it("keeps every kind of value, replaced as a whole, without the error fields", async () => {
    const { at, send } = await withPage();
    const value = { a: null, b: [1.5, "שלום", {}], "c d": true, __proto: 1 };
    const { body } = await send("PATCH", at, {
      metadata: { ...value, error_message: "mine" },
    });
    expect(body.metadata).toEqual(value);
    const { body: next } = await send("PATCH", at, { metadata: { z: 1 } });
    expect(next.metadata).toEqual({ z: 1 });
  });

  it("[V2-10] is returned together with why the asset cannot be shown", async () => {
    const { add, send, stage, list, clock } = await startPlayer();
    stage.fail("Broken", "it is torn");
    const { asset_id: id } = await add({ name: "Broken" });
    await send("PATCH", `/assets/${id}`, { metadata: { shop: 7 } });
    await clock.advance(1);
    expect((await list())[0]?.metadata).toEqual({
      ...{ shop: 7, error_message: "it is torn" },
    });
  });
});

describe("[V2-108] is_active", () => {
  const berlin = { timezone: "Europe/Berlin" };
  const hourMs = 3_600_000;

  it("follows days and times by the clock of the screen's time zone, in the list and alone", async () => {
    const running = await withPage({
      play_days: [4],
      play_time_from: "02:00",
      play_time_to: "03:00",
    });
    const { at, list, send, clock } = running;
    await send("PATCH", "/device_settings", berlin);
    const isActive = async () => {
      const [inList] = await list();
      const alone = await read(running, at);
      expect(alone).toEqual(inList);
      return inList?.is_active;
    };
    // Thursday 1 January 2026, 01:00 in Berlin.
    expect(await isActive()).toBe("false");
    await clock.advance(hourMs - 1);
    expect(await isActive()).toBe("false");
    await clock.advance(1);
    expect(await isActive()).toBe("true");
    await clock.advance(hourMs);
    expect(await isActive()).toBe("false");
    clock.jumpTo(clock.now() - 1);
    expect(await isActive()).toBe("true");
    await send("PATCH", "/device_settings", { timezone: "UTC" });
    expect(await isActive()).toBe("false");
  });

  it("counts a window past midnight for the day it began on", async () => {
    const { list, send, clock } = await withPage({
      play_days: [3],
      play_time_from: "23:00",
      play_time_to: "01:00",
    });
    await send("PATCH", "/device_settings", { timezone: "UTC" });
    // Midnight of Thursday belongs to Wednesday's window.
    expect((await list())[0]?.is_active).toBe("true");
    await clock.advance(hourMs);
    expect((await list())[0]?.is_active).toBe("false");
    await clock.advance(22 * hourMs);
    expect((await list())[0]?.is_active).toBe("false");
  });

  it("is counted so in the metrics", async () => {
    const { request, send, clock } = await withPage({
      play_time_from: "00:30",
      play_time_to: "01:00",
    });
    await send("PATCH", "/device_settings", { timezone: "UTC" });
    const active = async () =>
      /vitrine_assets\{state="active"\} (\d+)/.exec(
        await (await request("/metrics")).text(),
      )?.[1];
    expect(await active()).toBe("0");
    await clock.advance(hourMs / 2);
    expect(await active()).toBe("1");
  });
});

describe("an address that requires headers", () => {
  it("[V2-100] is checked with the asset's headers, which nobody else receives", async () => {
    const { send } = await startPlayer();
    const other = await serveSources({ "/": "elsewhere" });
    const page = await serveSources({
      "/": (request, response) => {
        if (request.headers["x-shop"] !== "7") response.writeHead(401).end();
        else response.writeHead(302, { Location: other.address }).end();
      },
    });
    const body = {
      ...{ ...completeBody, uri: `${page.address}/`, skip_asset_check: false },
    };
    const without = await send("POST", "/assets", body);
    expect(without.body.uri[0]).toContain("401");
    const custom_headers = { "X-Shop": "7" };
    expect(
      (await send("POST", "/assets", { ...body, custom_headers })).status,
    ).toBe(201);
    const [requests] = other.requests("/");
    expect(requests?.headers).not.toHaveProperty("x-shop");
  });
});
