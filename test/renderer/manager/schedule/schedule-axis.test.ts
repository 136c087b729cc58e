// Drawing, moving and resizing windows on the schedule's time axis.

import { describe, expect, it } from "vitest";
import {
  drawn,
  movedBy,
  occurrencesOf,
  snapped,
  stretched,
  type Axis,
} from "../../../../renderer/manager/schedule/time-axis.ts";

const hour = 3_600_000;
const day = 24 * hour;
/** The week of Monday, 16 November 2026. */
const week: Axis = { firstDay: Date.UTC(2026, 10, 16) / day, days: 7 };
const workdays = [1, 2, 3, 4, 5];
const lunch = { days: workdays, fromMs: 11.5 * hour, untilMs: 14 * hour };
const night = { days: [5], fromMs: 22 * hour, untilMs: 2 * hour };

describe("a window on the axis of a week", () => {
  it("is drawn between the pointer's start and end, in either direction", () => {
    const [a, b] = [2 * day + 11.5 * hour, 2 * day + 14 * hour];
    const wednesday = { days: [3], fromMs: 11.5 * hour, untilMs: 14 * hour };
    expect(drawn(week, a, b)).toEqual(wednesday);
    expect(drawn(week, b, a)).toEqual(wednesday);
    expect(drawn(week, a, a)).toBeNull();
  });

  it("is drawn past midnight, but never past the end of the week", () => {
    expect(drawn(week, 4 * day + 22 * hour, 5 * day + 2 * hour)).toEqual(night);
    expect(drawn(week, 6 * day + 22 * hour, 8 * day)).toEqual({
      days: [0],
      fromMs: 22 * hour,
      untilMs: day,
    });
  });

  it("appears on each of its days, and partly where it begins before the week", () => {
    expect(occurrencesOf([lunch], week).map(({ from }) => from / day)).toEqual(
      [0, 1, 2, 3, 4].map((at) => at + 11.5 / 24),
    );
    const sundayNight = { ...night, days: [0] };
    expect(occurrencesOf([sundayNight], week)).toEqual([
      {
        ...{ index: 0, ordinal: 0, weekday: 0, from: 0, until: 2 * hour },
        ...{ hasStart: false, hasEnd: true },
      },
      {
        ...{
          index: 0,
          ordinal: 1,
          weekday: 0,
          from: 6 * day + 22 * hour,
          until: 7 * day,
        },
        ...{ hasStart: true, hasEnd: false },
      },
    ]);
  });

  it("moves with all of its days, within the day", () => {
    expect(movedBy(lunch, hour)).toEqual({
      days: workdays,
      fromMs: 12.5 * hour,
      untilMs: 15 * hour,
    });
    expect(movedBy(lunch, -20 * hour).fromMs).toBe(0);
    expect(movedBy(lunch, 11 * hour)).toEqual({
      days: workdays,
      fromMs: 22.5 * hour,
      untilMs: hour,
    });
  });

  it("moves to another day if it has only one", () => {
    expect(movedBy(night, day)).toEqual({ ...night, days: [6] });
    expect(movedBy({ ...night, days: [0] }, -7 * hour + -24 * hour)).toEqual({
      days: [6],
      fromMs: 15 * hour,
      untilMs: 19 * hour,
    });
  });

  it("is resized at either edge, to no less than a minute and no more than a day", () => {
    expect(stretched(lunch, "end", hour).untilMs).toBe(15 * hour);
    expect(stretched(lunch, "start", -hour).fromMs).toBe(10.5 * hour);
    expect(stretched(lunch, "end", -9 * hour).untilMs).toBe(
      11.5 * hour + 60_000,
    );
    expect(stretched(lunch, "start", 9 * hour).fromMs).toBe(14 * hour - 60_000);
    expect(stretched(night, "end", 30 * hour)).toEqual({
      days: [5],
      fromMs: 0,
      untilMs: day,
    });
    expect(stretched(night, "end", -hour).untilMs).toBe(hour);
    expect(stretched(night, "end", -2 * hour).untilMs).toBe(day);
  });

  it("snaps to steps", () => {
    expect(snapped(11.4 * hour, hour / 4)).toBe(11.5 * hour);
    expect(snapped(-100, hour / 4)).toBe(-0);
  });
});
