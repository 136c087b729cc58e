// The state of a screen, compared with the rule as it is written, for any circumstances.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isOutage,
  stateOf,
  type ScreenCircumstances,
} from "../../../../server/content/link/screen-state.ts";
import {
  screenStates,
  type ScreenReport,
} from "../../../../server/contract/link/screen-report.ts";
import { reportOf } from "../../../support/content/screen-reports.ts";
import { runSettings } from "../../../support/fuzz/run-settings.ts";

/** Every condition of L-40 on its own; the first one that holds decides. */
function statesThatApply(screen: ScreenCircumstances): readonly string[] {
  const { contact, isEnabled, sync, counts, report } = screen;
  const showing = report?.showing;
  const conditions: readonly (readonly [string, boolean])[] = [
    ["never-seen", contact === "never"],
    ["offline", contact === "silent"],
    [
      "dark",
      (!isEnabled || Boolean(report?.is_dark)) &&
        ["verified", undefined, null].includes(showing?.verdict),
    ],
    ["wrong", ["blank", "frozen", "wrong"].includes(String(showing?.verdict))],
    [
      "incomplete",
      counts !== undefined &&
        (counts.failed > 0 ||
          (counts.here < counts.wanted &&
            (sync !== "syncing" || showing?.reason === "not-ready"))),
    ],
    ["wrong", showing?.reason === "not-ready"],
    ["right", showing?.verdict === "verified"],
    ["unverified", true],
  ];
  return conditions.filter(([, holds]) => holds).map(([state]) => state);
}

const count = fc.integer({ min: 0, max: 3 });
const circumstances: fc.Arbitrary<ScreenCircumstances> = fc.record({
  contact: fc.constantFrom(
    "never",
    "silent",
    ...Array<"recent">(6).fill("recent"),
  ),
  isEnabled: fc.boolean(),
  sync: fc.constantFrom("in-sync", "syncing", "out-of-sync"),
  counts: fc.option(fc.record({ wanted: count, here: count, failed: count }), {
    nil: undefined,
  }),
  report: fc.option(
    fc
      .record({
        showing: fc.option(
          fc.record({
            name: fc.constantFrom("", "Menu"),
            reason: fc.constantFrom(
              "schedule",
              "nothing-due",
              "not-ready",
              "later",
            ),
            verdict: fc.constantFrom(
              "verified",
              "blank",
              "frozen",
              "wrong",
              null,
            ),
          }),
        ),
        is_dark: fc.boolean(),
        missing: fc.constantFrom<ScreenReport["missing"]>(
          [],
          [{ name: "Soup", reason: "The disk is full." }],
        ),
      })
      .map(({ showing, ...more }) => reportOf(showing, more)),
  ),
});

const plain: ScreenCircumstances = {
  ...{ contact: "recent", isEnabled: true, sync: "in-sync" },
  ...{ counts: { wanted: 12, here: 12, failed: 0 }, report: reportOf() },
};

describe("the state of a screen", () => {
  it("[L-40] is the first that applies, whatever the circumstances", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(circumstances, (screen) => {
        const { state } = stateOf(screen);
        seen.add(state);
        expect(state).toBe(statesThatApply(screen)[0]);
      }),
      { ...runSettings, numRuns: Math.max(runSettings.numRuns, 2000) },
    );
    expect([...seen].sort()).toEqual([...screenStates].sort());
  });

  it("[L-40] has a reason unless it is right, as one sentence", () => {
    fc.assert(
      fc.property(circumstances, (screen) => {
        const { state, reason } = stateOf(screen);
        if (state === "right") expect(reason).toBeNull();
        else expect(reason).toMatch(/^[A-Z\d].*\w”?\.$/);
      }),
      runSettings,
    );
  });

  it.each<[string, Partial<ScreenCircumstances>]>([
    [
      "The screen is frozen instead of showing “Menu”.",
      { report: reportOf({ verdict: "frozen" }) },
    ],
    [
      "The screen is blank instead of showing its content.",
      { report: reportOf({ verdict: "blank", name: "" }) },
    ],
    [
      "Nothing that is due can be shown: “Soup”: The disk is full.",
      {
        report: reportOf(
          { verdict: null, reason: "not-ready" },
          { missing: [{ name: "Soup", reason: "The disk is full." }] },
        ),
      },
    ],
    ["3 of 12 items failed.", { counts: { wanted: 12, here: 9, failed: 3 } }],
    [
      "1 of 12 items is missing.",
      { counts: { wanted: 12, here: 11, failed: 0 } },
    ],
    [
      // The only item is damaged and comes again: the idle screen is shown meanwhile.
      "1 of 1 items is missing: “Soup”: The file is damaged.",
      {
        ...{ sync: "syncing", counts: { wanted: 1, here: 0, failed: 0 } },
        report: reportOf(
          { verdict: "verified", reason: "not-ready" },
          { missing: [{ name: "Soup", reason: "The file is damaged." }] },
        ),
      },
    ],
    ["The screen is disabled.", { isEnabled: false }],
    ["The player does not report what the screen shows.", { report: null }],
  ])("[L-40] says why: %s", (reason, changed) => {
    expect(stateOf({ ...plain, ...changed }).reason).toBe(reason);
  });

  it("[L-43] is an outage when it is wrong, incomplete or offline", () => {
    expect(screenStates.filter(isOutage)).toEqual([
      ...["wrong", "incomplete", "offline"],
    ]);
  });
});
