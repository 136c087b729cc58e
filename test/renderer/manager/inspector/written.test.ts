// What people write into the details: pages, headers, and times by the screen's clock.

import { describe, expect, it } from "vitest";
import {
  readHeaderLines,
  showHeaderLines,
} from "../../../../renderer/manager/inspector/headers-text.ts";
import {
  readPages,
  showPages,
} from "../../../../renderer/manager/inspector/pages-text.ts";
import {
  isAllThatIsDue,
  usesOf,
} from "../../../../renderer/manager/inspector/uses.ts";
import {
  forGood,
  momentOfWall,
  wallTextOf,
} from "../../../../renderer/manager/inspector/wall-dates.ts";

describe("pages of a PDF", () => {
  it.each([
    ["1, 3, 5-8", [1, 3, 5, 6, 7, 8]],
    ["8,1-2", [1, 2, 8]],
    ["", null],
    ["3-1", undefined],
    ["0", undefined],
    ["one", undefined],
    ["1-99999", undefined],
  ])("%j are %j", (text, pages) => {
    expect(readPages(text)).toEqual(pages);
  });

  it("are shown as they are written, runs as spans", () => {
    expect(showPages([1, 3, 5, 6, 7, 8])).toBe("1, 3, 5-8");
    expect(showPages(null)).toBe("");
  });
});

describe("request headers", () => {
  it("are one to a line, and a value may hold colons", () => {
    const headers = { Authorization: "Bearer a:b", "X-Screen": "lobby" };
    expect(readHeaderLines(showHeaderLines(headers))).toEqual(headers);
  });

  it("without a name or a colon are none", () => {
    expect(readHeaderLines("just words")).toBeNull();
    expect(readHeaderLines(": value")).toBeNull();
  });
});

describe("a moment by the screen's clock", () => {
  const zone = "Europe/Berlin";

  it("is written and read in the screen's zone, in winter and in summer", () => {
    expect(wallTextOf("2026-01-31T08:30:00Z", zone)).toBe("2026-01-31T09:30");
    expect(wallTextOf("2026-07-31T08:30:00Z", zone)).toBe("2026-07-31T10:30");
    expect(momentOfWall("2026-07-31T10:30", zone)).toBe(
      "2026-07-31T08:30:00.000Z",
    );
  });

  it("close to a change of the clock is the one that is meant", () => {
    expect(momentOfWall("2026-03-29T01:59", zone)).toBe(
      "2026-03-29T00:59:00.000Z",
    );
    expect(momentOfWall("2026-03-29T03:00", zone)).toBe(
      "2026-03-29T01:00:00.000Z",
    );
  });

  it("that is for good is empty, and empty is none", () => {
    expect(wallTextOf(forGood, zone)).toBe("");
    expect(momentOfWall("", zone)).toBeNull();
  });
});

describe("where an asset is used", () => {
  const playlist = (name: string, ids: readonly string[]) => ({
    ...{ playlist_id: name, name, predicate: "TRUE", priority: 0 },
    ...{ is_enabled: true, groups: [], transition: null, shuffle: null },
    created: "",
    items: ids.map((id) => ({ item_id: id, asset_id: id, duration: null })),
  });

  it("names each playlist, how often, and whether it would be empty", () => {
    const all = [playlist("L", ["a", "a"]), playlist("D", ["a", "b"])];
    const uses = usesOf(new Set(["a"]), [...all, playlist("N", ["b"])]);
    expect(
      uses.map(({ playlist: { name }, times, isAllOfIt }) => [
        ...[name, times, isAllOfIt],
      ]),
    ).toEqual([
      ["L", 2, true],
      ["D", 1, false],
    ]);
  });

  it("knows when nothing else is due", () => {
    const due = [{ asset_id: "a" }, { asset_id: "b" }];
    expect(isAllThatIsDue(new Set(["a", "b"]), due)).toBe(true);
    expect(isAllThatIsDue(new Set(["a"]), due)).toBe(false);
    expect(isAllThatIsDue(new Set(["a"]), [])).toBe(false);
  });
});
