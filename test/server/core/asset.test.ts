// When an asset is active: its dates, and its hours by the clock of the screen's zone.

import { describe, expect, it } from "vitest";
import { isActiveAt, unchangedUntil } from "../../../server/core/asset.ts";
import type { PlayHours } from "../../../server/core/play-hours.ts";
import { someAsset } from "../../support/schedule/schedules.ts";

const hour = 3_600_000;
const workdays = [1, 2, 3, 4, 5];
const everyDay = [...workdays, 6, 7];
const at = (text: string): number => Date.parse(text);

function hours(
  days: readonly number[],
  from: number | null,
  until: number | null,
): PlayHours {
  return {
    days,
    fromMs: from === null ? null : from * hour,
    untilMs: until === null ? null : until * hour,
  };
}

describe("an asset", () => {
  it.each([
    { moment: 99, isActive: false },
    { moment: 100, isActive: true },
    { moment: 199, isActive: true },
    { moment: 200, isActive: false },
  ])("[V2-11] at $moment is active: $isActive", ({ moment, isActive }) => {
    const asset = someAsset("a", { startsAt: 100, endsAt: 200 });
    expect(isActiveAt(asset, moment, "UTC")).toBe(isActive);
    expect(isActiveAt({ ...asset, isEnabled: false }, moment, "UTC")).toBe(
      false,
    );
  });

  // 1 July 2026 is a Wednesday.
  // prettier-ignore
  it.each([
    { predicate: hours(workdays, null, null), moment: "2026-07-03T23:59:59.999Z", zone: "UTC", isActive: true },
    { predicate: hours(workdays, null, null), moment: "2026-07-04T00:00:00Z", zone: "UTC", isActive: false },
    { predicate: hours(workdays, null, null), moment: "2026-07-03T22:00:00Z", zone: "Europe/Berlin", isActive: false },
    { predicate: hours([7], null, null), moment: "2026-07-05T12:00:00Z", zone: "UTC", isActive: true },
    { predicate: hours(everyDay, 8, 18), moment: "2026-07-01T05:59:59.999Z", zone: "Europe/Berlin", isActive: false },
    { predicate: hours(everyDay, 8, 18), moment: "2026-07-01T06:00:00Z", zone: "Europe/Berlin", isActive: true },
    { predicate: hours(everyDay, 8, 18), moment: "2026-07-01T16:00:00Z", zone: "Europe/Berlin", isActive: false },
    { predicate: hours([5], 22, 4), moment: "2026-07-03T21:59:59Z", zone: "UTC", isActive: false },
    { predicate: hours([5], 22, 4), moment: "2026-07-03T22:00:00Z", zone: "UTC", isActive: true },
    { predicate: hours([5], 22, 4), moment: "2026-07-04T03:59:59Z", zone: "UTC", isActive: true },
    { predicate: hours([5], 22, 4), moment: "2026-07-04T04:00:00Z", zone: "UTC", isActive: false },
    { predicate: hours([5], 22, 4), moment: "2026-07-03T03:00:00Z", zone: "UTC", isActive: false },
    { predicate: hours([7], 22, 4), moment: "2026-07-06T01:00:00Z", zone: "UTC", isActive: true },
    { predicate: hours([1], 22, 4), moment: "2026-07-06T01:00:00Z", zone: "UTC", isActive: false },
    { predicate: hours([3], 9, 9), moment: "2026-07-02T08:59:59Z", zone: "UTC", isActive: true },
    { predicate: hours([3], 9, 9), moment: "2026-07-01T08:59:59Z", zone: "UTC", isActive: false },
    { predicate: hours(everyDay, 18, null), moment: "2026-07-01T23:59:59Z", zone: "UTC", isActive: true },
    { predicate: hours(everyDay, null, 8), moment: "2026-07-01T07:59:59Z", zone: "UTC", isActive: true },
    // The hour that Berlin skips, and the one it repeats.
    { predicate: hours(everyDay, 2, 3), moment: "2026-03-29T01:00:00Z", zone: "Europe/Berlin", isActive: false },
    { predicate: hours(everyDay, 2, 3), moment: "2026-10-25T00:30:00Z", zone: "Europe/Berlin", isActive: true },
    { predicate: hours(everyDay, 2, 3), moment: "2026-10-25T01:30:00Z", zone: "Europe/Berlin", isActive: true },
  ])(
    "[V2-95] on days $predicate.days from $predicate.fromMs to $predicate.untilMs is active at $moment in $zone: $isActive",
    ({ predicate, moment, zone, isActive }) => {
      const asset = someAsset("a", { hours: predicate });
      expect(isActiveAt(asset, at(moment), zone)).toBe(isActive);
    },
  );
});

describe("a list of assets", () => {
  const library = [
    someAsset("a", { startsAt: 100, endsAt: 200 }),
    someAsset("b", { startsAt: 150, endsAt: 400 }),
    someAsset("c", { isEnabled: false, startsAt: 160, endsAt: 170 }),
    someAsset("d", { startsAt: null, endsAt: 300 }),
  ];

  it.each([
    { moment: 99, until: 100 },
    { moment: 100, until: 150 },
    { moment: 199, until: 200 },
    { moment: 200, until: 300 },
    { moment: 400, until: Infinity },
  ])("at $moment stays the same until $until", ({ moment, until }) => {
    expect(unchangedUntil(library, moment, "UTC")).toBe(until);
  });

  it("changes with hours by the screen's clock, also across a clock change", () => {
    const asset = someAsset("a", { hours: hours(everyDay, 8, 18) });
    const night = at("2026-03-28T23:30:00Z");
    expect(unchangedUntil([asset], night, "Europe/Berlin")).toBeLessThanOrEqual(
      at("2026-03-29T06:00:00Z"),
    );
    expect(
      unchangedUntil([asset], at("2026-03-29T06:00:00Z"), "Europe/Berlin"),
    ).toBe(at("2026-03-29T16:00:00Z"));
  });
});
