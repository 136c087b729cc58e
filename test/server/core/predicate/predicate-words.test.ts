// Predicates in plain words, and that the words match their meaning.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePredicate } from "../../../../server/core/predicate/predicate.ts";
import {
  phraseOf,
  type Phrase,
} from "../../../../server/core/predicate/predicate-phrases.ts";
import type { PredicateNode } from "../../../../server/core/predicate/predicate-tree.ts";
import {
  englishPredicateWords,
  predicateInWords,
} from "../../../../server/core/predicate/predicate-words.ts";
import {
  wallClockOf,
  type WallTime,
} from "../../../../server/core/wall-clock.ts";
import { sentenceNear } from "../../../support/schedule/predicate-oracle.ts";

function treeOf(text: string): PredicateNode {
  const { predicate } = parsePredicate(text);
  if (!predicate) throw new Error(`Cannot read ${text}`);
  return predicate.tree;
}

describe("a predicate in words", () => {
  // prettier-ignore
  it.each([
    ["TRUE", "always"],
    ["NOT (TRUE OR $TIME = 1)", "never"],
    ["$TIME >= 86400000", "never"],
    ["$WEEKDAY >= 0", "always"],
    ["TRUE AND ($DATE >= 1780272000000) AND NOT $WEEKDAY IN {0, 6} AND $TIME BETWEEN {41400000, 50400000}", "weekdays 11:30 to 14:00 from 1 June"],
    ["$TIME BETWEEN {41400000, 50399999} AND $WEEKDAY BETWEEN {1, 5}", "weekdays 11:30 to 14:00"],
    ["$TIME >= 64800000 OR $TIME < 28800000", "18:00 to 08:00"],
    ["NOT ($TIME >= 28800000 AND $TIME < 64800000)", "18:00 to 08:00"],
    ["$TIME >= 28800000", "from 08:00"],
    ["$TIME < 28800500", "until 08:00:00.500"],
    ["$TIME <= 28805000", "until 08:00:05"],
    ["$TIME = 0", "at 00:00"],
    ["$TIME BETWEEN {28800000, 32400000} OR $TIME BETWEEN {46800000, 50400000}", "08:00 to 09:00 and 13:00 to 14:00"],
    ["$WEEKDAY IN {6, 0}", "weekends"],
    ["$WEEKDAY IN {3, 1, 3}", "Mondays and Wednesdays"],
    ["$WEEKDAY = 6 OR $WEEKDAY = 2 OR $WEEKDAY = 4", "Tuesdays, Thursdays and Saturdays"],
    ["NOT $WEEKDAY BETWEEN {1, 4}", "Fridays to Sundays"],
    ["$DATE = 1783123200000", "on 4 July"],
    ["$DATE = 1814659200000", "on 4 July 2027"],
    ["NOT $DATE = 1783123200000", "except on 4 July"],
    ["$DATE BETWEEN {1782864000000, 1783987200000}", "from 1 July to 14 July"],
    ["$DATE < 1783123200000", "up to 3 July"],
    ["$DATE <= 1783123200000 AND $TIME < 28800000", "until 08:00 up to 4 July"],
    ["$DATE IN {1767225600000, 1783987200000}", "on 1 January and on 14 July"],
    ["$DATE >= 1783156500001", "from 4 July at 18:15"],
    ["$DATE >= 1783156500001 AND $DATE < 1783160100001", "from 4 July at 18:15 to 4 July at 19:15"],
    ["$WEEKDAY = 1 OR $TIME < 3600000", "Mondays or until 01:00"],
    ["($WEEKDAY = 1 OR $TIME < 3600000) AND $DATE < 1783123200000", "up to 3 July (Mondays or until 01:00)"],
    ["$DATE >= 9223372036854775807", "never"],
    ["$DATE > -9223372036854775808", "always"],
  ])("%s is %s", (text, words) => {
    const reported = predicateInWords(treeOf(text), { zone: "Asia/Tokyo", year: 2026 });
    expect(reported).toBe(words);
  });

  it("includes the year if there is no default year", () => {
    expect(predicateInWords(treeOf("$DATE = 1783123200000"))).toBe(
      "on 4 July 2026",
    );
  });

  it("uses another language with another table", () => {
    const words = {
      ...englishPredicateWords,
      ...{ workdays: "werktags", from: (what: string) => `ab ${what}` },
      months: ["Januar", "Februar", "März", "April", "Mai", "Juni"],
      date: (day: number, month: string) => `${day}. ${month}`,
      times: (from: string, until: string) => `${from} bis ${until}`,
    };
    const tree = treeOf(
      "$WEEKDAY BETWEEN {1, 5} AND $TIME BETWEEN {41400000, 50400000} AND $DATE >= 1780272000000",
    );
    expect(predicateInWords(tree, { words })).toBe(
      "werktags 11:30 bis 14:00 ab 1. Juni",
    );
  });

  it("describes what is true exactly when the predicate is", () => {
    const about = Date.parse("2026-07-01T09:00Z");
    fc.assert(
      fc.property(
        sentenceNear(about),
        fc.array(fc.integer({ min: -2000, max: 2000 }), { minLength: 20 }),
        (sentence, minutes) => {
          const tree = treeOf(sentence.text);
          const phrase = phraseOf(tree);
          expect(predicateInWords(tree)).not.toBe("");
          for (const minute of minutes) {
            const at = wallClockOf("UTC").wallTimeAt(about + minute * 60_000);
            expect(isTrue(phrase, at)).toBe(
              parsePredicate(sentence.text).predicate?.holds(at),
            );
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

function isTrue(phrase: Phrase, at: WallTime): boolean {
  switch (phrase.kind) {
    case "always":
      return true;
    case "never":
      return false;
    case "ranges":
      return phrase.ranges.some(
        ({ from, until }) => at[phrase.axis] >= from && at[phrase.axis] < until,
      );
    case "all":
      return phrase.parts.every((part) => isTrue(part, at));
    case "any":
      return phrase.parts.some((part) => isTrue(part, at));
  }
}
