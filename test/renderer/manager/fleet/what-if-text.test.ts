// What a simulated change would do on many screens, in sentences.

import { describe, expect, it, vi } from "vitest";
import type { WhatIfV3 } from "../../../../server/contract/v3/v3-what-if.ts";

vi.stubGlobal("navigator", { language: "en-US" });
vi.stubGlobal("window", { localStorage: { getItem: () => null } });
const { fleetConsequenceOf } =
  await import("../../../../renderer/manager/fleet/what-if-text.ts");

const time = new Date(0).toISOString();

function changeOf(
  names: readonly string[],
  emptied_seconds: number,
): WhatIfV3["changes"][number] {
  return {
    screens: {
      count: names.length,
      first: names.map((name) => ({ id: name, name })),
    },
    ...{ timezone: "UTC", changed_seconds: 3600, emptied_seconds },
    is_empty: false,
    periods: {
      count: 1,
      first: [{ from: time, until: time, before: [], after: [] }],
    },
  };
}

function brokenOf(
  name: string,
  holds_back: boolean,
): WhatIfV3["assertions"][number] {
  const screens = { count: 1, first: [] };
  return {
    ...{ id: name, name, holds_back, is_newly_broken: true, screens },
    newly_broken_screens: screens,
    periods: { count: 1, seconds: 1, first: [] },
  };
}

const nothing = { total: 9, changed: 0, emptied: 0, empty: 0 };

describe("the consequence of a change for many screens", () => {
  it("[V3-100] is nothing where all screens show the same", () => {
    const same = { screens: nothing, changes: [], assertions: [] };
    expect(fleetConsequenceOf(same)).toBeNull();
  });

  it("[V3-100] names emptied screens first, then those that show something else", () => {
    const consequence = fleetConsequenceOf({
      screens: { ...nothing, changed: 6, emptied: 2, empty: 1 },
      changes: [changeOf(["A", "B"], 60), changeOf(["C", "D", "E", "F"], 0)],
      assertions: [brokenOf("No beer", false)],
    });
    expect(consequence).toEqual({
      isHeldBack: false,
      text: [
        "This leaves gaps in the schedules of 2 screens, including “A” and “B”.",
        "1 screen will have nothing scheduled at all.",
        "4 screens will show something else in the next 30 days, including “C”, “D”, and “E”.",
        "This breaks “No beer”.",
      ].join(" "),
    });
  });

  it("[V3-107] is grave where an assertion holds the change back, although no screen changes", () => {
    expect(
      fleetConsequenceOf({
        ...{ screens: nothing, changes: [] },
        assertions: [brokenOf("No beer", true)],
      }),
    ).toEqual({ isHeldBack: true, text: "This breaks “No beer”." });
  });
});
