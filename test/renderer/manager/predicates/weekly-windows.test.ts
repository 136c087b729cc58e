// Visual editing of predicates, and its equivalence with the text.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  predicateOf,
  whenOf,
  type When,
} from "../../../../renderer/manager/predicates/weekly-windows.ts";
import { parsePredicate } from "../../../../server/core/predicate/predicate.ts";
import { wallClockOf } from "../../../../server/core/wall-clock.ts";
import { sentenceNear } from "../../../support/schedule/predicate-oracle.ts";

const hour = 3_600_000;
const lunch = { fromMs: 11.5 * hour, untilMs: 14 * hour };
const workdays = [1, 2, 3, 4, 5];
const everyDay = [1, 2, 3, 4, 5, 6, 0];

function read(text: string): When {
  const { predicate } = parsePredicate(text);
  if (!predicate) throw new Error(`Cannot read ${text}`);
  return whenOf(predicate.tree);
}

describe("the visually editable part of a predicate", () => {
  // prettier-ignore
  const cases: readonly (readonly [string, When])[] = [
    ["TRUE", { windows: [], dates: [], written: null }],
    ["$WEEKDAY IN {1, 2, 3, 4, 5} AND $TIME BETWEEN {41400000, 50399999}",
      { windows: [{ days: workdays, ...lunch }], dates: [], written: null }],
    ["$WEEKDAY IN {6, 0}", { windows: [{ days: [6, 0], fromMs: 0, untilMs: 24 * hour }], dates: [], written: null }],
    ["$TIME >= 79200000 OR $TIME < 21600000",
      { windows: [{ days: everyDay, fromMs: 22 * hour, untilMs: 6 * hour }], dates: [], written: null }],
    ["($WEEKDAY = 5 AND $TIME >= 79200000) OR ($WEEKDAY = 6 AND $TIME < 7200000)",
      { windows: [{ days: [5], fromMs: 22 * hour, untilMs: 2 * hour }], dates: [], written: null }],
    ["($WEEKDAY = 6 AND $TIME < 7200000) OR ($WEEKDAY = 5 AND $TIME >= 79200000)",
      { windows: [{ days: [5], fromMs: 22 * hour, untilMs: 2 * hour }], dates: [], written: null }],
    ["$TIME BETWEEN {28800000, 32399999} OR $TIME BETWEEN {46800000, 50399999}",
      { windows: [{ days: everyDay, fromMs: 8 * hour, untilMs: 9 * hour }, { days: everyDay, fromMs: 13 * hour, untilMs: 14 * hour }], dates: [], written: null }],
    ["$WEEKDAY = 1 AND $DATE BETWEEN {1782864000000, 1783987200000}",
      { windows: [{ days: [1], fromMs: 0, untilMs: 24 * hour }], dates: [{ first: 20635, last: 20648 }], written: null }],
    ["$DATE = 1783123200000", { windows: [], dates: [{ first: 20638, last: 20638 }], written: null }],
    // An instant, and a choice across dates, stay as they are written.
    ["$TIME < 43200000 AND $DATE >= 1783156500001",
      { windows: [{ days: everyDay, fromMs: 0, untilMs: 12 * hour }], dates: [], written: "$DATE >= 1783156500001" }],
    ["$WEEKDAY = 1 AND ($TIME < 3600000 OR $DATE = 1783123200000)",
      { windows: [{ days: [1], fromMs: 0, untilMs: 24 * hour }], dates: [], written: "$TIME < 3600000 OR $DATE = 1783123200000" }],
    ["FALSE", { windows: [], dates: [], written: "FALSE" }],
    ["$WEEKDAY = 1 AND $WEEKDAY = 2", { windows: [], dates: [], written: "$WEEKDAY = 1 AND $WEEKDAY = 2" }],
  ];
  it.each(cases)("parses %s", (text, when) => {
    expect(read(text)).toEqual(when);
  });

  it.each(cases)("%s is parsed as it was edited", (_text, when) => {
    expect(read(predicateOf(when))).toEqual(when);
  });

  it("describes a window past midnight by the days it starts on", () => {
    const window = { days: [5, 6], fromMs: 22 * hour, untilMs: 2 * hour };
    expect(predicateOf({ windows: [window], dates: [], written: null })).toBe(
      "($WEEKDAY IN {5, 6} AND $TIME >= 79200000) OR ($WEEKDAY IN {6, 0} AND $TIME < 7200000)",
    );
  });

  it("names the days once where several windows share them", () => {
    const windows = [lunch, { fromMs: 18 * hour, untilMs: 20 * hour }].map(
      (window) => ({ ...window, days: workdays }),
    );
    expect(predicateOf({ windows, dates: [], written: null })).toBe(
      "$WEEKDAY IN {1, 2, 3, 4, 5} AND ($TIME BETWEEN {41400000, 50399999} OR $TIME BETWEEN {64800000, 71999999})",
    );
  });

  it("means the same as the written predicate, whatever it was", () => {
    const now = Date.UTC(2026, 6, 4, 9, 15);
    const clock = wallClockOf("Europe/Berlin");
    fc.assert(
      fc.property(
        sentenceNear(now),
        fc.array(fc.integer({ min: -3000, max: 3000 }), { minLength: 12 }),
        ({ text }, minutes) => {
          const before = parsePredicate(text).predicate;
          const after = parsePredicate(predicateOf(read(text))).predicate;
          for (const minute of minutes) {
            const at = clock.wallTimeAt(now + minute * 60_000);
            expect(after?.holds(at)).toBe(before?.holds(at));
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
