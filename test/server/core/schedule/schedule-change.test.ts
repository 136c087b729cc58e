// When what is due next changes.

import { describe, expect, it } from "vitest";
import {
  dueAt,
  hourMs,
  listed,
  noon,
  scheduleOf,
  somePlaylist,
} from "../../../support/schedule/schedules.ts";

const at = (text: string): number => Date.parse(text);

describe("the next change", () => {
  const berlin = { assets: listed("a"), zone: "Europe/Berlin" };
  const from8to18 = "$TIME >= 28800000 AND $TIME < 64800000";

  it.each([
    { after: "2026-03-28T17:00Z", is: "2026-03-29T06:00Z" },
    { after: "2026-03-29T06:00Z", is: "2026-03-29T16:00Z" },
    { after: "2026-10-24T16:00Z", is: "2026-10-25T07:00Z" },
    { after: "2026-10-25T07:00Z", is: "2026-10-25T17:00Z" },
  ])(
    "[V2-98] of a day from 8 to 18 after $after is at $is, whatever the clocks do",
    ({ after, is }) => {
      const playlists = [somePlaylist("p", "a", { predicate: from8to18 })];
      const { changesAt } = scheduleOf({ ...berlin, playlists }).lineupAt(
        at(after),
      );
      expect(new Date(changesAt ?? 0).toISOString()).toBe(
        new Date(at(is)).toISOString(),
      );
    },
  );

  it("[V2-98] skips edges that change nothing: of lower priority, of what is never true, of no effect", () => {
    const schedule = scheduleOf({
      ...berlin,
      playlists: [
        somePlaylist("p", "a", {
          priority: 1,
          predicate: "$WEEKDAY BETWEEN {0, 6} AND NOT $TIME < 0",
        }),
        somePlaylist("q", "a", { predicate: from8to18 }),
        somePlaylist("r", "a", {
          ...{ priority: 2, predicate: `${from8to18} AND FALSE` },
        }),
      ],
    });
    const { changesAt } = schedule.lineupAt(noon);
    expect(changesAt === null || changesAt > noon + 7 * 24 * hourMs).toBe(true);
  });

  it.each([
    { predicate: "TRUE", is: null },
    { predicate: `$DATE > ${noon - 1}`, is: null },
    { predicate: "$DATE >= 9223372036854775807", is: null },
    { predicate: `$DATE < ${noon + 1}`, is: noon + 1 },
    { predicate: `$DATE <= ${noon + 1}`, is: noon + 2 },
    { predicate: `$DATE = ${noon + 5}`, is: noon + 5 },
    { predicate: "$TIME = 43200000", is: noon + 1 },
    { predicate: "$DATE <= 1782864000000", is: noon + 12 * hourMs },
  ])("[V2-98] of $predicate is $is", ({ predicate, is }) => {
    const schedule = scheduleOf({
      assets: listed("a", { startsAt: null, endsAt: null }),
      playlists: [somePlaylist("p", "a", { predicate })],
    });
    expect(schedule.lineupAt(noon).changesAt).toBe(is);
  });

  it("[V2-98] of a day thousands of years ahead is returned at once, with a check on the way", () => {
    const day = Date.UTC(9000, 0, 1);
    const schedule = scheduleOf({
      ...berlin,
      playlists: [somePlaylist("p", "a", { predicate: `$DATE >= ${day}` })],
    });
    const { changesAt } = schedule.lineupAt(noon);
    expect(changesAt).toBeGreaterThan(noon);
    // No further than it takes to look up two years of the zone.
    expect(changesAt).toBeLessThan(noon + 800 * 24 * hourMs);
  });

  it("[V2-98] of a day that a clock change repeats follows the repetition", () => {
    // In Cairo the clock goes from midnight back to 23:00 on 29 October.
    const midnight = at("2026-10-29T21:00Z");
    const schedule = scheduleOf({
      ...{ assets: listed("a"), zone: "Africa/Cairo" },
      playlists: [
        somePlaylist("p", "a", {
          predicate: `$DATE = ${at("2026-10-30T00:00Z")}`,
        }),
      ],
    });
    expect(dueAt(schedule, midnight - 1)).toBe("");
    expect(dueAt(schedule, midnight)).toBe("");
    expect(dueAt(schedule, midnight + hourMs)).toBe("a");
    expect(dueAt(schedule, midnight + 25 * hourMs)).toBe("");
  });

  it("[V2-98] of a day that a clock change takes back after a minute is found again when the day returns", () => {
    const schedule = scheduleOf({
      ...{ assets: listed("a", { startsAt: null, endsAt: null }) },
      zone: "America/St_Johns",
      playlists: [
        somePlaylist("p", "a", {
          predicate: `$DATE >= ${at("2010-11-07T00:00Z")}`,
        }),
      ],
    });
    const begins = at("2010-11-07T02:30Z");
    const minute = 60_000;
    expect(schedule.lineupAt(begins - 1).changesAt).toBe(begins);
    expect(dueAt(schedule, begins)).toBe("a");
    expect(schedule.lineupAt(begins).changesAt).toBe(begins + minute);
    expect(dueAt(schedule, begins + minute)).toBe("");
    expect(schedule.lineupAt(begins + minute).changesAt).toBe(begins + hourMs);
    expect(dueAt(schedule, begins + hourMs)).toBe("a");
  });
});
