// Hours of an assertion, as a predicate and back.

import { describe, expect, it, vi } from "vitest";

vi.stubGlobal("window", { localStorage: { getItem: () => null } });
vi.stubGlobal("navigator", { language: "en-GB" });

const { hoursOf, predicateOfHours } =
  await import("../../../../renderer/manager/screens/what-if/assertion-times.ts");

describe("hours of an assertion", () => {
  it.each([
    ["", "", "TRUE"],
    ["08:00", "", "$TIME >= 28800000"],
    ["", "16:00", "$TIME < 57600000"],
    ["08:00", "16:00", "$TIME >= 28800000 AND $TIME < 57600000"],
  ])("from %j until %j are %s, and back", (from, until, predicate) => {
    expect(predicateOfHours({ from, until })).toBe(predicate);
    expect(hoursOf(predicate)).toEqual({ from, until });
  });

  it("over midnight are true in either part", () => {
    expect(predicateOfHours({ from: "22:00", until: "06:00" })).toBe(
      "$TIME >= 79200000 OR $TIME < 21600000",
    );
    expect(hoursOf("$TIME >= 79200000 OR $TIME < 21600000")).toEqual({
      from: "22:00",
      until: "06:00",
    });
  });

  it.each([
    "$WEEKDAY = 1",
    "$TIME >= 1",
    "$TIME >= 28800000 AND $TIME >= 57600000",
    "$TIME >= 28800000 AND $TIME < 57600000 AND $WEEKDAY = 1",
    "$TIME < 99999999",
  ])("are not those of %s", (predicate) => {
    expect(hoursOf(predicate)).toBeNull();
  });
});
