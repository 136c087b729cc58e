// What an adopted player should have, compared with what it has: pure functions.

import { describe, expect, it } from "vitest";
import { playerConnections } from "../../../../server/content/adopted/player-address.ts";
import {
  contactAfter,
  heartbeatOf,
} from "../../../../server/content/adopted/contact.ts";
import {
  orderOf,
  planChanges,
  type OwnAsset,
} from "../../../../server/content/adopted/plan-changes.ts";
import {
  assetsFrom,
  factsFrom,
  noFacts,
  type RemoteAsset,
} from "../../../../server/content/adopted/player-rows.ts";
import {
  desiredOf,
  maxSlots,
  type Offer,
  type Slot,
} from "../../../../server/content/adopted/slots.ts";
import { maxReportBytes } from "../../../../server/contract/link/screen-report.ts";

const remote = (id: string, more: Partial<RemoteAsset> = {}): RemoteAsset => ({
  ...{ id, name: id, startsAt: null, durationSeconds: 10, mimetype: "image" },
  ...{ isEnabled: true, playOrder: 0, problem: null, ...more },
});

const own = (slot: string, more: Partial<OwnAsset> = {}): OwnAsset => ({
  ...{ id: `row of ${slot}`, slot, source: "hash", name: "A", marker: 1 },
  ...{ remoteId: null, tries: 0, dueAt: 0, problem: null, ...more },
});

const slot = (key: string, more: Partial<Slot> = {}): Slot => ({
  ...{ key, assetId: key.split("#")[0] ?? "", name: "A", kind: "image" },
  ...{ hash: "hash", source: "hash", extension: ".png", durationSeconds: 10 },
  ...{ isEnabled: true, skipsCheck: true, ...more },
});

const offer = (assetId: string, more: Partial<Offer> = {}): Offer => ({
  ...{ assetId, name: assetId, durationSeconds: 10, skipsCheck: false },
  content: { kind: "image", hash: "h", source: "h", extension: ".png" },
  ...more,
});

const playlist = (id: string, assetIds: readonly string[], more = {}) => ({
  ...{ id, name: id, predicate: "TRUE", priority: 0, isEnabled: true },
  ...{ groups: [], transition: null, isShuffled: null, createdAt: 0 },
  items: assetIds.map((assetId, index) => ({
    ...{ id: `${id}.${index}`, assetId, durationSeconds: 5 },
  })),
  ...more,
});

describe("what should be there", () => {
  const desired = (more: object) =>
    desiredOf({
      ...{ offers: ["a", "b"].map((id) => offer(id)), zone: "UTC" },
      ...{ playlists: [], isEnabled: true, moment: Date.UTC(2026, 0, 1) },
      ...more,
    });

  it("[V3-114] has what is due enabled and in order, the rest disabled, each as often as it is needed", () => {
    const { slots } = desired({
      playlists: [
        playlist("now", ["a", "b", "a"]),
        playlist("never", ["b", "b"], { predicate: "$DATE < 5" }),
      ],
    });
    const shown = slots.map((one) => [one.key, one.isEnabled]);
    expect(shown).toEqual([
      ["a#1", true],
      ["b#1", true],
      ["a#2", true],
      ["b#2", false],
    ]);
  });

  it("[V3-114] gives videos no duration, and names what an Anthias player cannot show", () => {
    const video = { kind: "video", hash: "v", source: "v", extension: ".mp4" };
    const { slots, impossible, waiting } = desired({
      offers: [
        offer("a", { content: video as Offer["content"] }),
        offer("b", { content: { problem: "Not a PDF." } }),
        offer("c", { content: { problem: null } }),
      ],
      playlists: [playlist("now", ["a", "b", "c"])],
    });
    expect(slots.map(({ durationSeconds }) => durationSeconds)).toEqual([0]);
    expect(impossible).toEqual([{ name: "b", reason: "Not a PDF." }]);
    expect(waiting).toBe(1);
  });

  it("[V3-114] is limited", () => {
    const ids = Array.from({ length: maxSlots + 5 }, (_, at) => `a${at}`);
    const { slots, impossible } = desired({
      offers: ids.map((id) => offer(id)),
      playlists: [playlist("now", ids)],
    });
    expect([slots.length, impossible.length]).toEqual([maxSlots, 5]);
  });
});

describe("changes", () => {
  it("[V3-115] never concern an asset that the service did not create, even one that is named and looks alike", () => {
    const theirs = [remote("x", { name: "A" }), remote("y")];
    const changes = planChanges([slot("a#1")], [], theirs);
    expect(changes).toEqual({
      ...{ found: [], lost: [], change: [], remove: [], removeTwice: [] },
      ...{ create: [{ slot: slot("a#1"), own: null }], refused: [] },
      settled: [],
    });
    expect(planChanges([], [], theirs).remove).toEqual([]);
  });

  it("[V3-115] find a creation whose response was lost by its start date, once", () => {
    const lost = own("a#1", { marker: 99 });
    const changes = planChanges(
      [slot("a#1")],
      [lost],
      [remote("x", { startsAt: 99 }), remote("y", { startsAt: 99 })],
    );
    expect(changes.found).toEqual([{ own: lost, remoteId: "x" }]);
    expect(changes.removeTwice).toEqual(["y"]);
    expect(changes.settled).toHaveLength(1);
  });

  it("[V3-115] create again what was deleted by hand, and keep the asset before until its successor is there", () => {
    const gone = own("a#1", { remoteId: "gone" });
    expect(planChanges([slot("a#1")], [gone], [])).toMatchObject({
      ...{ lost: [gone], create: [{ own: gone }], remove: [] },
    });
    const old = own("a#1", { remoteId: "x", source: "old" });
    const there = [remote("x")];
    expect(planChanges([slot("a#1")], [old], there)).toMatchObject({
      ...{ create: [{ own: null }], remove: [] },
    });
    const next = own("a#1", { id: "next", remoteId: "y" });
    const both = [...there, remote("y")];
    expect(planChanges([slot("a#1")], [old, next], both)).toMatchObject({
      ...{ create: [], remove: [old] },
    });
  });

  it("[V3-115] send only what differs, and nothing about a video that the player refused", () => {
    const known = own("a#1", { remoteId: "x" });
    const changeFor = (more: Partial<Slot>, there: Partial<RemoteAsset>) =>
      planChanges([slot("a#1", more)], [known], [remote("x", there)]);
    expect(changeFor({}, { name: "A-1" }).settled).toHaveLength(1);
    expect(
      changeFor({ name: "B", durationSeconds: 4 }, { isEnabled: false }).change,
    ).toMatchObject([
      { change: { name: "B", duration: 4, is_enabled: true }, remoteId: "x" },
    ]);
    const video = { kind: "video", durationSeconds: 0 } as const;
    expect(changeFor(video, { durationSeconds: 31 }).settled).toHaveLength(1);
    const refused = { isEnabled: false, problem: "This codec is unknown." };
    expect(changeFor(video, refused)).toMatchObject({
      ...{ change: [], refused: [{ reason: "This codec is unknown." }] },
    });
  });
});

describe("order", () => {
  const ids = (...all: readonly string[]) =>
    all.map((id, playOrder) => remote(id, { playOrder }));
  const mine = new Set(["a", "b", "c"]);

  it("[V3-116] is sent while one of the two is not in order by itself", () => {
    const order = (...there: readonly string[]) =>
      orderOf({
        ...{ remote: ids(...there), due: ["a", "b"], own: mine },
        kept: ["x", "y"],
      });
    expect(order("x", "y", "a", "b")).toBeNull();
    expect(order("a", "x", "b", "y")).toBeNull();
    expect(order("x", "y", "b", "a")).toEqual(["x", "y", "a", "b"]);
    expect(order("y", "a", "x", "b", "c")).toEqual(["x", "y", "a", "b", "c"]);
  });

  it("[V3-116] leaves what people changed on the player, and puts what is new at the end", () => {
    const order = (kept: readonly string[] | null) =>
      orderOf({
        ...{ remote: ids("y", "x", "z", "b", "a"), due: ["a", "b"], own: mine },
        kept,
      });
    expect(order(null)).toEqual(["y", "x", "z", "a", "b"]);
    expect(order(["x", "y"])).toEqual(["x", "y", "z", "a", "b"]);
  });
});

describe("contact over time", () => {
  const timing = { now: 1000, pollMs: 30_000 };

  it("[V3-112] [V3-113] pauses longer while a player does not answer, up to five minutes", () => {
    let failures = 0;
    const pauses = Array.from({ length: 6 }, () => {
      const result = { isReached: false, problem: "No." } as const;
      const next = contactAfter({ failures }, result, timing);
      ({ failures } = next);
      return (next.dueAt - timing.now) / 1000;
    });
    expect(pauses).toEqual([30, 60, 120, 240, 300, 300]);
    const reached = { isReached: true, isUnfinished: false, changesAt: null };
    expect(contactAfter({ failures }, reached as never, timing)).toEqual({
      failures: 0,
      problem: null,
      dueAt: 31_000,
    });
  });

  it("[V3-112] [V3-114] contacts when the schedule changes, and at once while something is left", () => {
    const dueAt = (changesAt: number | null, isUnfinished: boolean) =>
      contactAfter(
        { failures: 0 },
        { isReached: true, changesAt, isUnfinished },
        timing,
      ).dueAt;
    expect(dueAt(5000, false)).toBe(5000);
    expect(dueAt(90_000, false)).toBe(31_000);
    expect(dueAt(null, true)).toBe(1000);
  });

  it("[V3-113] a heartbeat is as short as every other, in every script", () => {
    const reason = "鳳".repeat(300);
    const missing = Array.from({ length: 9 }, () => ({ name: reason, reason }));
    const { report, ...body } = heartbeatOf({
      ...{ shown: null, facts: noFacts, wanted: 12, here: 3, missing },
    });
    expect(body).toMatchObject({
      sync: "out-of-sync",
      item_counts: { wanted: 12, here: 3, failed: 9 },
    });
    const bytes = Buffer.byteLength(JSON.stringify(report));
    expect(bytes).toBeLessThanOrEqual(maxReportBytes);
    expect(report?.missing.length).toBeGreaterThan(0);
  });
});

describe("what a player answers", () => {
  it("[V3-112] is read in each of its releases' shapes, and anything else is no list", () => {
    const row = { asset_id: "x", start_date: "2020-01-01T00:00:00Z" };
    const enabled = (is_enabled: unknown) =>
      assetsFrom([{ ...row, is_enabled }])?.[0]?.isEnabled;
    expect([true, 1, "true", "1"].map(enabled)).toEqual(Array(4).fill(true));
    expect([false, 0, "false", null, {}].map(enabled)).toEqual(
      Array(5).fill(false),
    );
    for (const other of [{}, null, undefined, "[]", [{}], [null]])
      expect(assetsFrom(other)).toBeNull();
    expect(
      assetsFrom([{ ...row, name: 5, duration: "7", metadata: [] }]),
    ).toMatchObject([{ name: "", durationSeconds: 7, problem: null }]);
    expect(factsFrom({ uptime: "long", loadavg: "much", version: {} })).toEqual(
      noFacts,
    );
    expect(factsFrom([])).toEqual(noFacts);
  });

  it("[V3-117] comes from private networks and public ones, never from reserved addresses", () => {
    const everywhere = playerConnections(true);
    const elsewhere = playerConnections(false);
    for (const address of ["192.168.1.2", "10.0.0.1", "8.8.8.8", "fd12::1"])
      expect([everywhere(address), elsewhere(address)]).toEqual([true, true]);
    for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
      expect([everywhere(address), elsewhere(address)]).toEqual([true, false]);
    for (const address of [
      ...["169.254.169.254", "0.0.0.0", "224.0.0.1", "255.255.255.255"],
      ...["fe80::1%eth0", "::", "ff02::1", "::ffff:169.254.169.254", "host"],
    ])
      expect(everywhere(address), address).toBe(false);
  });
});
