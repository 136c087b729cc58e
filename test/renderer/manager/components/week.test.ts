// A week in local time, on ordinary days and at clock changes.

import { describe, expect, it } from "vitest";
import {
  daysFrom,
  momentOf,
  mondayOf,
  steppedTo,
  wallOf,
  wallPieces,
} from "../../../../renderer/manager/components/screen-time/week.ts";

const hour = 3_600_000;
const day = 24 * hour;
const berlin = "Europe/Berlin";
/** Sundays on which Berlin changes its clocks. */
const spring = Date.UTC(2026, 2, 29) / day;
const autumn = Date.UTC(2026, 9, 25) / day;

describe("a week in local time", () => {
  it("begins on Monday, in the screen's time zone", () => {
    // Sunday evening in London is Monday in Tokyo.
    const moment = Date.UTC(2026, 10, 22, 16);
    expect(mondayOf(moment, "Europe/London") * day).toBe(
      Date.UTC(2026, 10, 16),
    );
    expect(mondayOf(moment, "Asia/Tokyo") * day).toBe(Date.UTC(2026, 10, 23));
  });

  it("knows the weekday of each day", () => {
    const days = daysFrom(Date.UTC(2026, 10, 16) / day, 7, berlin);
    expect(days.map(({ weekday }) => weekday)).toEqual([1, 2, 3, 4, 5, 6, 0]);
    expect(days.flatMap(({ changes }) => changes)).toEqual([]);
  });

  it("marks the skipped hour and the repeated hour", () => {
    expect(daysFrom(spring, 1, berlin)[0]?.changes).toEqual([
      { kind: "skipped", fromMs: 2 * hour, untilMs: 3 * hour },
    ]);
    expect(daysFrom(autumn, 1, berlin)[0]?.changes).toEqual([
      { kind: "repeated", fromMs: 2 * hour, untilMs: 3 * hour },
    ]);
    expect(daysFrom(autumn - 1, 1, berlin)[0]?.changes).toEqual([]);
    expect(daysFrom(autumn + 1, 1, berlin)[0]?.changes).toEqual([]);
  });

  it("marks half an hour, and a clock change at midnight", () => {
    const lordHowe = Date.UTC(2026, 9, 4) / day;
    expect(daysFrom(lordHowe, 1, "Australia/Lord_Howe")[0]?.changes).toEqual([
      { kind: "skipped", fromMs: 2 * hour, untilMs: 2.5 * hour },
    ]);
    const beirut = Date.UTC(2026, 2, 29) / day;
    expect(daysFrom(beirut, 1, "Asia/Beirut")[0]?.changes).toEqual([
      { kind: "skipped", fromMs: 0, untilMs: hour },
    ]);
  });

  it("steps across clock changes without stopping or going back", () => {
    const quarter = hour / 4;
    const by = (moment: number, byMs: number): number => {
      const { day: on, timeMs } = wallOf(moment, berlin);
      return steppedTo(
        moment,
        byMs,
        { day: on, timeMs: timeMs + byMs },
        berlin,
      );
    };
    const forward = Date.UTC(2026, 2, 29, 1);
    expect(by(forward, -quarter)).toBe(forward - quarter);
    expect(by(forward - quarter, quarter)).toBe(forward);
    // Half past two, the second time.
    const again = Date.UTC(2026, 9, 25, 1, 30);
    expect(by(again, quarter)).toBe(again + quarter);
    expect(by(again, -quarter)).toBeLessThan(again);
    expect(by(again + day, quarter)).toBe(again + day + quarter);
  });

  it("finds the moment of a local time, the first of two, and the clock change for a skipped one", () => {
    expect(momentOf(spring, 5 * hour, berlin)).toBe(Date.UTC(2026, 2, 29, 3));
    expect(momentOf(spring, 2.5 * hour, berlin)).toBe(Date.UTC(2026, 2, 29, 1));
    expect(momentOf(autumn, 2.5 * hour, berlin)).toBe(
      Date.UTC(2026, 9, 25, 0, 30),
    );
    expect(momentOf(autumn, 3 * hour, berlin)).toBe(Date.UTC(2026, 9, 25, 2));
  });

  it("splits a period at midnights and at clock changes", () => {
    const from = momentOf(autumn, 0, berlin);
    expect(wallPieces(from, from + 26 * hour, berlin)).toEqual([
      { day: autumn, fromMs: 0, untilMs: 3 * hour },
      { day: autumn, fromMs: 2 * hour, untilMs: 24 * hour },
      { day: autumn + 1, fromMs: 0, untilMs: hour },
    ]);
  });
});
