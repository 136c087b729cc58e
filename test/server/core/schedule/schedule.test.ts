// What is due on the screen at a moment.

import { describe, expect, it } from "vitest";
import {
  dueAt,
  hourMs,
  listed,
  noon,
  scheduleOf,
  someAsset,
  somePlaylist,
} from "../../../support/schedule/schedules.ts";

describe("the local assets", () => {
  it.each([
    { moment: 99, due: "", changesAt: 100 },
    { moment: 100, due: "ab", changesAt: 150 },
    { moment: 150, due: "a", changesAt: 200 },
    { moment: 200, due: "", changesAt: null },
  ])(
    "[V2-11] at $moment are '$due' until $changesAt",
    ({ moment, due, changesAt }) => {
      const dates = { startsAt: 100, endsAt: 200 };
      const schedule = scheduleOf({
        assets: [
          someAsset("b", { ...dates, playOrder: 1, endsAt: 150 }),
          someAsset("a", dates),
          someAsset("c", { ...dates, isEnabled: false, startsAt: 120 }),
          someAsset("d", { startsAt: 100, endsAt: null }),
        ],
      });
      expect(dueAt(schedule, moment)).toBe(due);
      expect(schedule.lineupAt(moment).changesAt).toBe(changesAt);
    },
  );

  it("[V2-94] are entries of their own, with the player's settings", () => {
    const a = someAsset("a");
    const [entry] = scheduleOf({ assets: [a] }).lineupAt(noon).entries;
    expect(entry).toEqual({
      ...{ id: "a", asset: a, playlistId: null },
      ...{ durationSeconds: null, transition: null },
    });
  });

  it("are left out while they are being processed, and if they end before they start", () => {
    const schedule = scheduleOf({
      assets: [
        someAsset("a", { isProcessing: true }),
        someAsset("b", { startsAt: noon + 1, endsAt: noon - 1 }),
      ],
    });
    expect(dueAt(schedule, noon)).toBe("");
  });

  it("[V2-94] come before playlists of the same priority, without assets made for playlists only", () => {
    const schedule = scheduleOf({
      assets: [someAsset("a"), ...listed("bc"), someAsset("d")],
      playlists: [somePlaylist("p", "cb")],
    });
    expect(dueAt(schedule, noon)).toBe("adcb");
  });
});

describe("playlists", () => {
  it("[V2-96] play completely, one after the other, by creation time and then by id", () => {
    const schedule = scheduleOf({
      assets: listed("abc"),
      playlists: [
        somePlaylist("z", "ab", { createdAt: 2 }),
        somePlaylist("y", "ca", { createdAt: 1 }),
        somePlaylist("x", "bb", { createdAt: 2 }),
      ],
    });
    expect(dueAt(schedule, noon)).toBe("cabbab");
  });

  it("carry their item's duration and their own transition", () => {
    const schedule = scheduleOf({
      assets: listed("a"),
      playlists: [
        somePlaylist("p", "", {
          transition: "cross-fade",
          items: [{ id: "i", assetId: "a", durationSeconds: 7 }],
        }),
      ],
    });
    expect(schedule.lineupAt(noon).entries[0]).toMatchObject({
      ...{ id: "i", playlistId: "p" },
      ...{ durationSeconds: 7, transition: "cross-fade" },
    });
  });

  it("[V2-96] are overridden by those of a higher priority for as long as these can play", () => {
    const schedule = scheduleOf({
      assets: [
        someAsset("a"),
        ...listed("b"),
        ...listed("c", { endsAt: noon + hourMs }),
      ],
      playlists: [
        somePlaylist("p", "b", {
          priority: 1,
          predicate: `$DATE >= ${noon} AND $DATE < ${noon + 2 * hourMs}`,
        }),
        somePlaylist("q", "c", { priority: 2, predicate: `$DATE >= ${noon}` }),
      ],
    });
    expect(dueAt(schedule, noon - 1)).toBe("a");
    expect(schedule.lineupAt(noon - 1).changesAt).toBe(noon);
    expect(dueAt(schedule, noon)).toBe("c");
    expect(schedule.lineupAt(noon).changesAt).toBe(noon + hourMs);
    expect(dueAt(schedule, noon + hourMs)).toBe("b");
    expect(dueAt(schedule, noon + 2 * hourMs)).toBe("a");
    // The only change left is the end of the local asset itself.
    expect(schedule.lineupAt(noon + 2 * hourMs).changesAt).toBe(1e14);
  });

  it.each([
    { groups: [], due: "a" },
    { groups: ["lobby"], due: "a" },
    { groups: ["canteen", "lobby"], due: "a" },
    { groups: ["canteen"], due: "" },
    { groups: ["Lobby"], due: "" },
    { groups: ["all-screens"], due: "a" },
    { groups: ["canteen", "all_screens"], due: "a" },
  ])("[V2-96] for $groups play '$due' in the lobby", ({ groups, due }) => {
    const schedule = scheduleOf({
      ...{ assets: listed("a"), groups: ["lobby"] },
      playlists: [somePlaylist("p", "a", { groups })],
    });
    expect(dueAt(schedule, noon)).toBe(due);
  });

  it("[V2-94] skip what is disabled, outside its dates or hours, not here, or in quarantine", () => {
    const hours = { days: [4], fromMs: null, untilMs: null };
    const schedule = scheduleOf({
      assets: [
        ...listed("a", { isEnabled: false }),
        ...listed("b", { startsAt: noon + hourMs }),
        ...listed("c", { hours }),
        ...listed("d", { isProcessing: true }),
        ...listed("ef"),
        ...listed("g", { startsAt: null, endsAt: null }),
      ],
      playlists: [somePlaylist("p", "abcdefg?")],
      quarantine: new Map([
        ["e", noon + 1],
        ["f", null],
      ]),
    });
    expect(dueAt(schedule, noon)).toBe("g");
    expect(schedule.lineupAt(noon).changesAt).toBe(noon + 1);
    expect(dueAt(schedule, noon + 1)).toBe("eg");
  });

  it("leave the screen to others while their predicate is invalid", () => {
    const schedule = scheduleOf({
      assets: listed("ab"),
      playlists: [
        somePlaylist("p", "a", { predicate: "$TIME = noon", priority: 1 }),
        somePlaylist("q", "b"),
      ],
    });
    expect(dueAt(schedule, noon)).toBe("b");
    const reported = schedule.candidatesAt(noon).find(({ id }) => id === "p");
    expect(reported?.reason).toEqual({
      ...{ code: "predicate-false", part: "$TIME = noon", from: 0, to: 12 },
    });
  });
});
