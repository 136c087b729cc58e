// The wall clock of a zone, compared with Intl for every moment.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wallClockOf } from "../../../server/core/wall-clock.ts";
import { oddZones, shownBy } from "../../support/schedule/wall-clock-oracle.ts";

const dayMs = 86_400_000;

function reported(zone: string, moment: number) {
  const { day, timeMs, weekday } = wallClockOf(zone).wallTimeAt(moment);
  return { dayAsUtc: day * dayMs, timeMs, weekday, moment };
}

describe("the wall clock", () => {
  it.each(oddZones)("shows what $zone shows: $habit", ({ zone, near }) => {
    for (const text of near)
      for (const by of [-dayMs, -1, 0, 1, dayMs]) {
        const moment = Date.parse(text) + by;
        expect(reported(zone, moment)).toEqual(shownBy(zone, moment));
      }
  });

  it("shows what Intl shows, in any zone at any moment", () => {
    const zones = Intl.supportedValuesOf("timeZone");
    const moment = fc.integer({
      min: Date.UTC(1850, 0, 1),
      max: Date.UTC(2150, 0, 1),
    });
    fc.assert(
      fc.property(fc.constantFrom(...zones), moment, (zone, at) => {
        expect(reported(zone, at)).toEqual(shownBy(zone, at));
      }),
      { numRuns: 300 },
    );
  });

  it("has every change of a zone at the edge of a span", () => {
    const clock = wallClockOf("Europe/Berlin");
    const spring = Date.parse("2026-03-29T01:00Z");
    const autumn = Date.parse("2026-10-25T01:00Z");
    expect(clock.spanAt(spring - 1).until).toBe(spring);
    expect(clock.spanAt(spring)).toMatchObject({
      from: spring,
      offsetMs: 7_200_000,
    });
    expect(clock.spanAt(autumn)).toMatchObject({
      from: autumn,
      offsetMs: 3_600_000,
    });
  });

  it("skips a day where the date line moved", () => {
    const last = Date.parse("2011-12-30T10:00Z");
    const before = wallClockOf("Pacific/Apia").wallTimeAt(last - 1);
    const after = wallClockOf("Pacific/Apia").wallTimeAt(last);
    expect(after.day - before.day).toBe(2);
    expect([before.weekday, after.weekday]).toEqual([4, 6]);
  });

  it("uses UTC if the zone is unknown", () => {
    expect(wallClockOf("Nowhere/At_All").wallTimeAt(dayMs + 5)).toMatchObject({
      day: 1,
      timeMs: 5,
    });
  });

  it("returns a result even for moments beyond any calendar", () => {
    const clock = wallClockOf("Europe/Berlin");
    expect(clock.wallTimeAt(8.64e15).day).toBe(100_000_000);
    expect(clock.wallTimeAt(-8.64e15).day).toBe(-100_000_000);
    expect(clock.spanAt(8.64e15).until).toBe(Infinity);
  });
});
