// What people write into the details: pages, headers, and times by the screen's clock.

import { describe, expect, it } from "vitest";
import {
  playsOn,
  withDay,
  withHours,
} from "../../../../renderer/manager/inspector/days.ts";
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

describe("the weekdays of several assets", () => {
  const assets = [{ play_days: [1, 6, 7] }, { play_days: [1, 6] }];

  it("are on, off or various, each by itself", () => {
    expect([1, 2, 6, 7].map((day) => playsOn(assets, day))).toEqual([
      ...[true, false, true, undefined],
    ]);
    expect(playsOn([], 1)).toBe(false);
  });

  it("change by one day, whatever the others are", () => {
    expect(withDay([1, 6, 7], 6, false)).toEqual([1, 7]);
    expect(withDay([7, 1], 6, true)).toEqual([1, 6, 7]);
    expect(withDay([1], 1, true)).toEqual([1]);
  });

  it("are never none", () => {
    expect(withDay([6], 6, false)).toEqual([6]);
  });
});

describe("the two times of day", () => {
  const none = { play_time_from: null, play_time_to: null };
  const lunch = { play_time_from: "11:00:00", play_time_to: "14:00:00" };

  it("leave each other alone", () => {
    const later = { play_time_from: "12:00" };
    expect(withHours(lunch, later)).toEqual(later);
  });

  it("come together: the edge of the day stands for the one that is not there", () => {
    expect(withHours(none, { play_time_from: "12:00" })).toEqual({
      ...{ play_time_from: "12:00", play_time_to: "23:59:59" },
    });
    expect(withHours(none, { play_time_to: "12:00" })).toEqual({
      ...{ play_time_from: "00:00:00", play_time_to: "12:00" },
    });
  });

  it("go together", () => {
    expect(withHours(lunch, { play_time_to: null })).toEqual(none);
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

  it("in an hour that is skipped is the change itself, east and west; in one that comes twice, the first", () => {
    expect(momentOfWall("2026-03-29T02:30", zone)).toBe(
      "2026-03-29T01:00:00.000Z",
    );
    expect(momentOfWall("2026-03-08T02:30", "America/New_York")).toBe(
      "2026-03-08T07:00:00.000Z",
    );
    expect(momentOfWall("2026-10-25T02:30", zone)).toBe(
      "2026-10-25T00:30:00.000Z",
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
    items_revision: "",
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
