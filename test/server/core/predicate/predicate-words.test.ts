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
  predicateInWords,
  type PredicateWords,
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

/** A language that shows which phrase was taken. */
const symbols: PredicateWords = {
  ...{ always: "always", never: "never" },
  weekdays: ["su", "mo", "tu", "we", "th", "fr", "sa"],
  ...{ workdays: "workdays", weekend: "weekend" },
  date: (midnight, hasYear) =>
    new Date(midnight).toISOString().slice(hasYear ? 0 : 5, 10),
  dateAndTime: (date, time) => `${date} ${time}`,
  days: (first, last) => `${first}-${last}`,
  at: (time) => `at ${time}`,
  times: (from, until) => `${from}-${until}`,
  on: (date) => `on ${date}`,
  from: (start) => `from ${start}`,
  until: (end) => `until ${end}`,
  upTo: (date) => `up to ${date}`,
  span: (from, until) => `span ${from}, ${until}`,
  except: (what) => `except ${what}`,
  and: (parts) => parts.join(" & "),
  or: (parts) => parts.join(" | "),
  narrowed: (parts) => parts.join(" "),
  grouped: (what) => `(${what})`,
};

describe("a predicate in words", () => {
  // prettier-ignore
  it.each([
    ["TRUE", "always"],
    ["$TIME >= 86400000", "never"],
    ["$WEEKDAY BETWEEN {1, 5} AND $TIME BETWEEN {41400000, 50399999} AND $DATE >= 1780272000000", "workdays 11:30-14:00 from 06-01"],
    ["$TIME >= 64800000 OR $TIME < 28800000", "18:00-08:00"],
    ["$TIME < 28800500", "until 08:00:00.500"],
    ["$TIME <= 28805000", "until 08:00:05"],
    ["$TIME = 0", "at 00:00"],
    ["$WEEKDAY IN {6, 0}", "weekend"],
    ["$WEEKDAY IN {3, 1, 3}", "mo & we"],
    ["NOT $WEEKDAY BETWEEN {1, 4}", "fr-su"],
    ["$DATE = 1814659200000", "on 2027-07-04"],
    ["NOT $DATE = 1783123200000", "except on 07-04"],
    ["$DATE BETWEEN {1782864000000, 1783987200000}", "span 07-01, 07-14"],
    ["$DATE < 1783123200000", "up to 07-03"],
    ["$DATE >= 1783156500001", "from 07-04 18:15"],
    ["($WEEKDAY = 1 OR $TIME < 3600000) AND $DATE < 1783123200000", "up to 07-03 (mo | until 01:00)"],
  ])("%s is %s", (text, words) => {
    const reported = predicateInWords(treeOf(text), { words: symbols, zone: "Asia/Tokyo", year: 2026 });
    expect(reported).toBe(words);
  });

  it("includes the year if there is no default year", () => {
    expect(
      predicateInWords(treeOf("$DATE = 1783123200000"), { words: symbols }),
    ).toBe("on 2026-07-04");
  });

  it("formats whole minutes as the language does", () => {
    const words = { ...symbols, clock: (timeMs: number) => `${timeMs} ms` };
    expect(
      predicateInWords(treeOf("$TIME BETWEEN {60000, 90000}"), { words }),
    ).toBe("60000 ms-00:01:30");
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
          expect(predicateInWords(tree, { words: symbols })).not.toBe("");
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
