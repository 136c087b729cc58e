// What is due at a moment, and when that changes.

import { describe, expect, it } from "vitest";
import type { Asset } from "../../../server/core/asset.ts";
import { lineupAt, steadySpanAt } from "../../../server/core/schedule.ts";
import { canStay, contentKey, slideOf } from "../../../server/core/slide.ts";

function asset(id: string, wish: Partial<Asset> = {}): Asset {
  return {
    ...{ id, name: id, uri: "https://example.org/", mimetype: "webpage" },
    ...{ startsAt: 100, endsAt: 200, durationSeconds: 5, isEnabled: true },
    ...{ isProcessing: false, noCache: false, skipAssetCheck: false },
    ...{ playOrder: 0, file: null, problem: null, ...wish },
  };
}

const ids = (assets: readonly Asset[]): string =>
  assets.map(({ id }) => id).join("");

describe("the lineup", () => {
  it.each([
    { moment: 99, due: "", changesAt: 100 },
    { moment: 100, due: "ab", changesAt: 150 },
    { moment: 150, due: "a", changesAt: 200 },
    { moment: 200, due: "", changesAt: null },
  ])(
    "[V2-11] at $moment is '$due' until $changesAt",
    ({ moment, due, changesAt }) => {
      const library = [
        asset("b", { playOrder: 1, endsAt: 150 }),
        asset("a"),
        asset("c", { isEnabled: false, startsAt: 120 }),
        asset("d", { endsAt: null }),
      ];
      const lineup = lineupAt(library, moment);
      expect(ids(lineup.assets)).toBe(due);
      expect(lineup.changesAt).toBe(changesAt);
    },
  );

  it("leaves out what is still on its way", () => {
    expect(lineupAt([asset("a", { isProcessing: true })], 150).assets).toEqual(
      [],
    );
  });

  it("never shows what ends before it starts", () => {
    const backwards = asset("a", { startsAt: 200, endsAt: 100 });
    expect(lineupAt([backwards], 150).assets).toEqual([]);
  });
});

describe("the steady span", () => {
  const library = [
    asset("a"),
    asset("b", { startsAt: 150, endsAt: 400 }),
    asset("c", { isEnabled: false, startsAt: 160, endsAt: 170 }),
    asset("d", { startsAt: null, endsAt: 300 }),
  ];

  it.each([
    { moment: 99, from: -Infinity, until: 100 },
    { moment: 100, from: 100, until: 150 },
    { moment: 199, from: 150, until: 200 },
    { moment: 200, from: 200, until: 300 },
    { moment: 400, from: 400, until: Infinity },
  ])("around $moment is from $from to $until", ({ moment, from, until }) => {
    expect(steadySpanAt(library, moment)).toEqual({ from, until });
  });
});

describe("a slide", () => {
  const file = {
    ...{ hash: "f".repeat(64), sizeBytes: 1, type: "video/mp4" },
    lengthSeconds: 3,
    problem: null,
  };

  it("goes by the bytes and not by the announced type", () => {
    const slide = slideOf(asset("a", { file, mimetype: "image" }), "s");
    expect(slide.content.kind).toBe("video");
  });

  it("[V2-7] of a video without a duration ends with the clip, with one it loops until the time is over", () => {
    const own = slideOf(asset("a", { file, durationSeconds: 0 }), "s");
    const given = slideOf(asset("a", { file, durationSeconds: 9 }), "s");
    expect(own.durationSeconds).toBeNull();
    expect(canStay(own)).toBe(false);
    expect(given).toMatchObject({
      durationSeconds: 9,
      content: { loop: true },
    });
    expect(canStay(given)).toBe(true);
  });

  it("[V2-7] of a page without a duration stays at least a second", () => {
    expect(
      slideOf(asset("a", { durationSeconds: 0 }), "s").durationSeconds,
    ).toBe(1);
  });

  it("looks the same whatever it is called", () => {
    expect(contentKey(asset("a"))).toBe(contentKey(asset("b")));
    expect(contentKey(asset("a"))).not.toBe(
      contentKey(asset("a", { noCache: true })),
    );
  });
});
