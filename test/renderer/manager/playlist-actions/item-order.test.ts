// Order of playlist items, and widths in the film strip.

import { describe, expect, it } from "vitest";
import { stripOf } from "../../../../renderer/manager/playlists/content/film-strip.ts";
import {
  inserted,
  lengthFromText,
  lengthToText,
  moved,
  timed,
  withoutItems,
} from "../../../../renderer/manager/playlist-actions/item-order.ts";
import { nextPredicateChange } from "../../../../renderer/manager/playlists/predicate-editor/next-predicate-change.ts";
import { parsePredicate } from "../../../../server/core/predicate/predicate.ts";

const items = [..."abc"].map((id) => ({
  ...{ item_id: id, asset_id: id.toUpperCase(), duration: null },
}));
const idsOf = (list: typeof items | ReturnType<typeof moved>) =>
  list.map(({ item_id }) => item_id).join("");

describe("the items of a playlist", () => {
  it("are moved, and unchanged where the position is out of range", () => {
    expect(idsOf(moved(items, 0, 2))).toBe("bca");
    expect(idsOf(moved(items, 2, 0))).toBe("cab");
    for (const [from, to] of [
      [1, 1],
      [0, 3],
      [0, -1],
      [7, 0],
    ] as const)
      expect(moved(items, from, to)).toBe(items);
  });

  it("are added before a position or at the end", () => {
    let createdCount = 0;
    const makeId = () => `n${(createdCount += 1)}`;
    expect(idsOf(inserted(items, ["X", "Y"], 1, makeId))).toBe("an1n2bc");
    expect(idsOf(inserted(items, ["X"], 99, makeId))).toBe("abcn3");
  });

  it("are removed and timed by selection", () => {
    const chosen = new Set(["a", "c"]);
    expect(idsOf(withoutItems(items, chosen))).toBe("b");
    expect(timed(items, chosen, 7)).toEqual([
      { item_id: "a", asset_id: "A", duration: 7 },
      { item_id: "b", asset_id: "B", duration: null },
      { item_id: "c", asset_id: "C", duration: 7 },
    ]);
  });

  it.each([
    ["", null],
    ["90", 90],
    [" 1:30 ", 90],
    ["1:00:05", 3605],
    ["0:07", 7],
    ["1:75", undefined],
    ["ten", undefined],
    ["-3", undefined],
    ["31536001", undefined],
  ])("parse %j as a duration of %s seconds", (text, seconds) => {
    expect(lengthFromText(text)).toBe(seconds);
    if (typeof seconds === "number")
      expect(lengthFromText(lengthToText(seconds))).toBe(seconds);
  });
});

describe("the film strip", () => {
  it("fills its window in proportion to time", () => {
    const strip = stripOf([10, 20, 10], 400);
    expect(strip.widths).toEqual([100, 200, 100]);
    expect(strip.starts).toEqual([0, 10, 30]);
  });

  it("grows beyond its window before a short item becomes invisible next to a long one", () => {
    const { widths } = stripOf([5, 600], 400);
    expect(widths[0]).toBeGreaterThanOrEqual(20);
    expect(widths[1]).toBeLessThanOrEqual(400 * 8);
  });

  it("keeps very many items in proportion", () => {
    const seconds = Array.from({ length: 500 }, (_, at) => 3 + (at % 40));
    const { widths } = stripOf(seconds, 800);
    expect(widths[30]).toBeGreaterThan((widths[10] ?? 0) * 1.5);
  });

  it("is empty without items", () => {
    expect(stripOf([], 400).widths).toEqual([]);
  });
});

describe("the next change of a predicate", () => {
  const friday = Date.UTC(2026, 10, 20, 11);
  const nextChangeOf = (text: string) => {
    const { predicate } = parsePredicate(text);
    if (!predicate) throw new Error(text);
    return nextPredicateChange(predicate, "Europe/Berlin", friday);
  };

  it("is returned with its present value", () => {
    const lunch =
      "$WEEKDAY IN {1, 2, 3, 4, 5} AND $TIME BETWEEN {41400000, 50399999}";
    expect(nextChangeOf(lunch)).toEqual({
      holds: true,
      at: Date.UTC(2026, 10, 20, 13),
    });
    expect(nextChangeOf("$WEEKDAY = 1")).toEqual({
      ...{ holds: false, at: Date.UTC(2026, 10, 22, 23) },
    });
  });

  it("is never where nothing changes any more", () => {
    expect(nextChangeOf("TRUE")).toEqual({ holds: true, at: null });
    expect(nextChangeOf("$DATE < 1783123200000")).toEqual({
      holds: false,
      at: null,
    });
    expect(nextChangeOf("$TIME < 0")).toEqual({ holds: false, at: null });
  });
});
