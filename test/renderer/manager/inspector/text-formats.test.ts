// Text formats in the asset details: pages, headers, and times in the screen's time zone.

import { describe, expect, it } from "vitest";
import {
  playsOn,
  withDay,
  withHours,
} from "../../../../renderer/manager/inspector/weekdays.ts";
import {
  readHeaderLines,
  showHeaderLines,
} from "../../../../renderer/manager/assets/headers-text.ts";
import {
  readPages,
  showPages,
} from "../../../../renderer/manager/inspector/pages-text.ts";
import {
  isAllThatIsDue,
  usesOf,
} from "../../../../renderer/manager/inspector/asset-usage.ts";
import { noEndDate } from "../../../../renderer/manager/components/no-end-date.ts";
import {
  momentOfWall,
  wallTextOf,
} from "../../../../renderer/manager/inspector/local-dates.ts";

describe("pages of a PDF", () => {
  it.each([
    ["1, 3, 5-8", [1, 3, 5, 6, 7, 8]],
    ["8,1-2", [1, 2, 8]],
    ["", null],
    ["3-1", undefined],
    ["0", undefined],
    ["one", undefined],
    ["1-99999", undefined],
  ])("parses %j as %j", (text, pages) => {
    expect(readPages(text)).toEqual(pages);
  });

  it("are formatted as people write them, with ranges", () => {
    expect(showPages([1, 3, 5, 6, 7, 8])).toBe("1, 3, 5-8");
    expect(showPages(null)).toBe("");
  });
});

describe("request headers", () => {
  it("are parsed one per line, and a value may contain colons", () => {
    const headers = { Authorization: "Bearer a:b", "X-Screen": "lobby" };
    expect(readHeaderLines(showHeaderLines(headers))).toEqual(headers);
  });

  it("are invalid without a name or a colon", () => {
    expect(readHeaderLines("just words")).toBeNull();
    expect(readHeaderLines(": value")).toBeNull();
  });
});

describe("the weekdays of several assets", () => {
  const assets = [{ play_days: [1, 6, 7] }, { play_days: [1, 6] }];

  it("are on, off or mixed, independently of each other", () => {
    expect([1, 2, 6, 7].map((day) => playsOn(assets, day))).toEqual([
      ...[true, false, true, undefined],
    ]);
    expect(playsOn([], 1)).toBe(false);
  });

  it("change one day at a time, whatever the others are", () => {
    expect(withDay([1, 6, 7], 6, false)).toEqual([1, 7]);
    expect(withDay([7, 1], 6, true)).toEqual([1, 6, 7]);
    expect(withDay([1], 1, true)).toEqual([1]);
  });

  it("are never all off", () => {
    expect(withDay([6], 6, false)).toEqual([6]);
  });
});

describe("the two times of day", () => {
  const none = { play_time_from: null, play_time_to: null };
  const lunch = { play_time_from: "11:00:00", play_time_to: "14:00:00" };

  it("do not affect each other", () => {
    const later = { play_time_from: "12:00" };
    expect(withHours(lunch, later)).toEqual(later);
  });

  it("are set together: the start or end of the day completes a single one", () => {
    expect(withHours(none, { play_time_from: "12:00" })).toEqual({
      ...{ play_time_from: "12:00", play_time_to: "23:59:59" },
    });
    expect(withHours(none, { play_time_to: "12:00" })).toEqual({
      ...{ play_time_from: "00:00:00", play_time_to: "12:00" },
    });
  });

  it("are cleared together", () => {
    expect(withHours(lunch, { play_time_to: null })).toEqual(none);
  });
});

describe("a local date and time of the screen", () => {
  const zone = "Europe/Berlin";

  it("is formatted and parsed in the screen's time zone, in winter and in summer", () => {
    expect(wallTextOf("2026-01-31T08:30:00Z", zone)).toBe("2026-01-31T09:30");
    expect(wallTextOf("2026-07-31T08:30:00Z", zone)).toBe("2026-07-31T10:30");
    expect(momentOfWall("2026-07-31T10:30", zone)).toBe(
      "2026-07-31T08:30:00.000Z",
    );
  });

  it("close to a clock change is the intended moment", () => {
    expect(momentOfWall("2026-03-29T01:59", zone)).toBe(
      "2026-03-29T00:59:00.000Z",
    );
    expect(momentOfWall("2026-03-29T03:00", zone)).toBe(
      "2026-03-29T01:00:00.000Z",
    );
  });

  it("in a skipped hour is the clock change itself, east and west; in a repeated hour, the first occurrence", () => {
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

  it("without an end is empty, and empty means no end", () => {
    expect(wallTextOf(noEndDate, zone)).toBe("");
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

  it("lists each playlist, how often, and whether it would be empty", () => {
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

  it("detects when nothing else is due", () => {
    const due = [{ asset_id: "a" }, { asset_id: "b" }];
    expect(isAllThatIsDue(new Set(["a", "b"]), due)).toBe(true);
    expect(isAllThatIsDue(new Set(["a"]), due)).toBe(false);
    expect(isAllThatIsDue(new Set(["a"]), [])).toBe(false);
  });
});
