// Predicates in plain German.

import { describe, expect, it } from "vitest";
import { germanPredicateWords } from "../../../../server/core/predicate/predicate-words-german.ts";
import { predicateInWords } from "../../../../server/core/predicate/predicate-words.ts";
import { parsePredicate } from "../../../../server/core/predicate/predicate.ts";

describe("a predicate in German words", () => {
  // prettier-ignore
  it.each([
    ["TRUE", "immer"],
    ["FALSE", "nie"],
    ["$DATE >= 1780272000000 AND $WEEKDAY BETWEEN {1, 5} AND $TIME BETWEEN {41400000, 50399999}", "montags bis freitags 11:30 bis 14:00 ab 1. Juni"],
    ["$TIME >= 64800000 OR $TIME < 28800000", "18:00 bis 08:00"],
    ["$TIME >= 28800000", "ab 08:00"],
    ["$TIME < 28800000", "bis 08:00"],
    ["$TIME = 0", "um 00:00"],
    ["$WEEKDAY IN {6, 0}", "am Wochenende"],
    ["$WEEKDAY IN {3, 1, 3}", "montags und mittwochs"],
    ["NOT $WEEKDAY BETWEEN {1, 4}", "freitags bis sonntags"],
    ["$DATE = 1783123200000", "am 4. Juli"],
    ["$DATE = 1814659200000", "am 4. Juli 2027"],
    ["NOT $DATE = 1783123200000", "außer am 4. Juli"],
    ["$DATE BETWEEN {1782864000000, 1783987200000}", "vom 1. Juli bis 14. Juli"],
    ["$DATE < 1783123200000", "bis einschließlich 3. Juli"],
    ["$DATE >= 1783156500001", "ab 4. Juli um 18:15"],
    ["($WEEKDAY = 1 OR $TIME < 3600000) AND $DATE < 1783123200000", "bis einschließlich 3. Juli (montags oder bis 01:00)"],
  ])("%s is %s", (text, words) => {
    const { predicate } = parsePredicate(text);
    if (!predicate) throw new Error(`Cannot read ${text}`);
    const reported = predicateInWords(predicate.tree, {
      ...{ words: germanPredicateWords, zone: "Asia/Tokyo", year: 2026 },
    });
    expect(reported).toBe(words);
  });
});
