// Predicates: what can be written, what is wrong with invalid ones, and when they are true.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../support/fuzz/any-character.ts";
import {
  falsePartAt,
  parsePredicate,
  type Predicate,
} from "../../../../server/core/predicate/predicate.ts";
import { printPredicate } from "../../../../server/core/predicate/predicate-print.ts";
import { wallClockOf } from "../../../../server/core/wall-clock.ts";
import {
  sentenceNear,
  truthOf,
} from "../../../support/schedule/predicate-oracle.ts";
import {
  oddZones,
  shownBy,
} from "../../../support/schedule/wall-clock-oracle.ts";

function parsed(text: string): Predicate {
  const { predicate, problem } = parsePredicate(text);
  if (!predicate) throw new Error(`${problem.message} (${problem.position})`);
  return predicate;
}

function holdsAt(text: string, moment: number, zone = "UTC"): boolean {
  return parsed(text).holds(wallClockOf(zone).wallTimeAt(moment));
}

describe("a predicate", () => {
  // prettier-ignore
  it.each([
    [1, "TRUE", "2026-07-01T09:00:00Z", "UTC", true],
    [2, "FALSE OR NOT FALSE", "2026-07-01T09:00:00Z", "UTC", true],
    [3, "FALSE AND TRUE OR TRUE", "2026-07-01T09:00:00Z", "UTC", true],
    [4, "FALSE AND (TRUE OR TRUE)", "2026-07-01T09:00:00Z", "UTC", false],
    [5, "NOT TRUE AND FALSE", "2026-07-01T09:00:00Z", "UTC", false],
    [6, "NOT (TRUE AND FALSE)", "2026-07-01T09:00:00Z", "UTC", true],
    [7, "$TIME BETWEEN {28800000, 64800000}", "2026-07-01T06:00:00Z", "Europe/Berlin", true],
    [8, "$TIME BETWEEN {28800000, 64800000}", "2026-07-01T16:00:00.001Z", "Europe/Berlin", false],
    [9, "$TIME BETWEEN {28800000, 64800000}", "2026-01-12T07:00:00Z", "Europe/Berlin", true],
    [10, "$TIME BETWEEN {28800000, 64800000}", "2026-07-01T02:30:00Z", "Asia/Kolkata", true],
    [11, "$TIME BETWEEN {64800000, 28800000}", "2026-07-01T20:00:00Z", "UTC", false],
    [12, "$TIME >= 64800000 OR $TIME < 28800000", "2026-07-01T20:00:00Z", "UTC", true],
    [13, "$TIME = 0", "2026-07-01T04:00:00Z", "America/New_York", true],
    [14, "$TIME < 3600000 AND $TIME > 0", "2026-07-01T00:00:00.000Z", "UTC", false],
    [15, "$TIME >= 86400000", "2026-07-01T23:59:59.999Z", "UTC", false],
    [16, "$TIME BETWEEN {7200000, 10799999}", "2026-03-29T01:30:00Z", "Europe/Berlin", false],
    [17, "$TIME BETWEEN {7200000, 10799999}", "2026-10-25T00:30:00Z", "Europe/Berlin", true],
    [18, "$TIME BETWEEN {7200000, 10799999}", "2026-10-25T01:30:00Z", "Europe/Berlin", true],
    [19, "$WEEKDAY = 0", "2026-07-05T12:00:00Z", "UTC", true],
    [20, "$WEEKDAY IN {6, 0}", "2026-07-03T22:30:00Z", "Europe/Berlin", true],
    [21, "$WEEKDAY IN {6, 0}", "2026-07-03T21:30:00Z", "Europe/Berlin", false],
    [22, "NOT $WEEKDAY IN {6, 0}", "2026-07-06T01:00:00Z", "America/Chicago", false],
    [23, "$WEEKDAY BETWEEN {1, 5} AND $TIME BETWEEN {32400000, 61200000}", "2026-07-06T15:00:00Z", "America/Chicago", true],
    [24, "2 = $WEEKDAY", "2026-07-07T12:00:00Z", "UTC", "invalid"],
    [25, "$DATE = 1783123200000", "2026-07-04T05:00:00Z", "America/Chicago", true],
    [26, "$DATE = 1783123200000", "2026-07-04T04:59:59Z", "America/Chicago", false],
    [27, "$DATE >= 1783123200000", "2026-07-03T12:00:00Z", "Pacific/Auckland", true],
    [28, "$DATE <= 1783123200000", "2026-07-05T04:59:59Z", "America/Chicago", true],
    [29, "$DATE <= 1783123200000", "2026-07-05T05:00:00Z", "America/Chicago", false],
    [30, "$DATE > 1783123200000", "2026-07-04T23:00:00Z", "UTC", false],
    [31, "$DATE BETWEEN {1782864000000, 1783987200000}", "2026-07-14T23:59:59Z", "UTC", true],
    [32, "$DATE IN {1767225600000, 1783987200000}", "2026-07-14T21:59:59Z", "Europe/Paris", true],
    [33, "$DATE >= 1783156500001", "2026-07-04T09:15:00.001Z", "Asia/Tokyo", true],
    [34, "$DATE >= 1783156500001", "2026-07-04T09:15:00.000Z", "Asia/Tokyo", false],
    [35, "$DATE = 1783156500001", "2026-07-04T10:00:00Z", "UTC", false],
    [36, "$DATE BETWEEN 1 AND 2", "2026-07-01T09:00:00Z", "UTC", "invalid"],
    [37, "$WEEKDAY IN {}", "2026-07-01T09:00:00Z", "UTC", "invalid"],
    [38, "$TIME != 5", "2026-07-01T09:00:00Z", "UTC", "invalid"],
    [39, "TRUE AND OR FALSE", "2026-07-01T09:00:00Z", "UTC", "invalid"],
    [40, "$DATE >= $TIME", "2026-07-01T09:00:00Z", "UTC", "invalid"],
  ] as const)("example %i: %s at %s in %s is %s", (_, text, at, zone, result) => {
    if (result === "invalid") expect(parsePredicate(text).predicate).toBeNull();
    else expect(holdsAt(text, Date.parse(at), zone)).toBe(result);
  });

  it("is true exactly when its intended meaning is true", () => {
    const moments = fc.constantFrom(...oddZones).chain(({ zone, near }) => {
      const about = Date.parse(near[0] ?? "");
      const minute = fc.integer({ min: -1500, max: 1500 });
      return fc.tuple(
        fc.constant(zone),
        sentenceNear(about),
        fc
          .tuple(minute, fc.constantFrom(-1, 0, 1))
          .map(([by, offset]) => about + by * 60_000 + offset),
      );
    });
    fc.assert(
      fc.property(moments, ([zone, sentence, moment]) => {
        expect(holdsAt(sentence.text, moment, zone)).toBe(
          truthOf(sentence, shownBy(zone, moment)),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it("[V2-99] binds AND tighter than OR, or reads from left to right if requested", () => {
    const chain = fc.array(
      fc.tuple(fc.boolean(), fc.constantFrom("AND", "OR")),
      { minLength: 1, maxLength: 8 },
    );
    const at = wallClockOf("UTC").wallTimeAt(0);
    fc.assert(
      fc.property(fc.boolean(), chain, (first, rest) => {
        const name = (value: boolean): string => (value ? "TRUE" : "FALSE");
        const text = `${name(first)} ${rest.map(([value, join]) => `${join} ${name(value)}`).join(" ")}`;
        const groups = text
          .split(" OR ")
          .map((group) => !group.includes("FALSE"));
        expect(parsePredicate(text).predicate?.holds(at)).toBe(
          groups.includes(true),
        );
        const oneByOne = rest.reduce(
          (so, [value, join]) => (join === "AND" ? so && value : so || value),
          first,
        );
        const other = parsePredicate(text, "left-to-right").predicate;
        expect(other?.holds(at)).toBe(oneByOne);
      }),
    );
  });

  it.each([
    { text: "TRUE OR FALSE AND TRUE", mixedAt: 14 },
    { text: "TRUE AND FALSE OR TRUE", mixedAt: 15 },
    { text: "TRUE OR (FALSE AND TRUE)", mixedAt: null },
    { text: "TRUE AND (TRUE OR FALSE AND TRUE)", mixedAt: 24 },
    { text: "TRUE AND TRUE AND NOT FALSE", mixedAt: null },
  ])(
    "reports that AND and OR meet in $text at $mixedAt",
    ({ text, mixedAt }) => {
      expect(parsed(text).mixedAt).toBe(mixedAt);
    },
  );

  it.each([
    { text: "true and $time>5", canonical: "TRUE AND $TIME > 5" },
    { text: "(((TRUE)))", canonical: "TRUE" },
    {
      text: "$Weekday\tin{6,0}\r\nor $DATE<-0007 and not(false)",
      canonical: "$WEEKDAY IN {6, 0} OR ($DATE < -7 AND NOT FALSE)",
    },
    { text: "NOT NOT(TRUE OR FALSE)", canonical: "NOT NOT (TRUE OR FALSE)" },
    {
      text: "$TIME BETWEEN{-0,+1}".replace("+", ""),
      canonical: "$TIME BETWEEN {0, 1}",
    },
    {
      text: "$DATE>=-9223372036854775808 AND $DATE<=9223372036854775807",
      canonical:
        "$DATE >= -9223372036854775808 AND $DATE <= 9223372036854775807",
    },
  ])("$text is printed as $canonical", ({ text, canonical }) => {
    expect(printPredicate(parsed(text).tree)).toBe(canonical);
  });

  it("keeps its meaning when printed, and prints the same again", () => {
    const about = Date.parse("2026-03-29T01:00Z");
    fc.assert(
      fc.property(
        sentenceNear(about),
        fc.integer({ min: -3000, max: 3000 }),
        (sentence, minute) => {
          const predicate = parsed(sentence.text);
          const printed = printPredicate(predicate.tree);
          const again = parsed(printed);
          expect(printPredicate(again.tree)).toBe(printed);
          const at = wallClockOf("Europe/Berlin").wallTimeAt(
            about + minute * 60_000,
          );
          expect(again.holds(at)).toBe(predicate.holds(at));
        },
      ),
    );
  });
});

describe("an invalid predicate", () => {
  it.each([
    { text: "", position: 0, expected: "The predicate is empty" },
    { text: " \t\r\n", position: 4, expected: "The predicate is empty" },
    {
      text: "2 = $WEEKDAY",
      position: 0,
      expected: "Unexpected 2; expected TRUE",
    },
    {
      text: "$DATE BETWEEN 1 AND 2",
      position: 14,
      expected: "expected {1, 2}",
    },
    {
      text: "$WEEKDAY IN {}",
      position: 13,
      expected: "expected a whole number",
    },
    {
      text: "$WEEKDAY IN {1,}",
      position: 15,
      expected: "expected a whole number",
    },
    {
      text: "$WEEKDAY IN {1 2}",
      position: 15,
      expected: "expected a comma or }",
    },
    { text: "$TIME BETWEEN {1}", position: 16, expected: "a second number" },
    {
      text: "$TIME BETWEEN {1, 2, 3}",
      position: 19,
      expected: "expected }",
    },
    { text: "$TIME != 5", position: 6, expected: "use NOT and =" },
    { text: "$TIME <> 5", position: 6, expected: "use NOT and =" },
    { text: "$TIME == 5", position: 6, expected: "a single =" },
    { text: "TRUE && TRUE", position: 5, expected: "Use AND" },
    { text: "TRUE || TRUE", position: 5, expected: "Use OR" },
    {
      text: "$WEEKDAY NOT IN {1}",
      position: 9,
      expected: "before the variable",
    },
    { text: "TRUE AND OR FALSE", position: 9, expected: "Unexpected OR" },
    {
      text: "$DATE >= $TIME",
      position: 9,
      expected: "Unexpected $TIME; expected a whole number",
    },
    { text: "1 < $TIME < 2", position: 0, expected: "Unexpected 1" },
    { text: "$TIME < 2 < 3", position: 10, expected: "AND, OR or the end" },
    { text: "(TRUE", position: 5, expected: "Unexpected end" },
    { text: "TRUE)", position: 4, expected: "AND, OR or the end" },
    { text: "TRUE AND", position: 8, expected: "Unexpected end" },
    {
      text: "$TIME >",
      position: 7,
      expected: "Unexpected end; expected a whole number",
    },
    {
      text: "$TIM > 4",
      position: 0,
      expected: "Unexpected $TIM; expected $DATE",
    },
    {
      text: "$ TIME = 1",
      position: 0,
      expected: "Unexpected $; expected $DATE",
    },
    {
      text: "$TIME = 5.5",
      position: 9,
      expected: ". cannot follow 5",
    },
    {
      text: "$TIME = 1e3",
      position: 9,
      expected: "e cannot follow 1",
    },
    { text: "$TIME = 5AND TRUE", position: 9, expected: "A cannot follow" },
    {
      text: "NOT$TIME = 5",
      position: 3,
      expected: "$ cannot follow NOT",
    },
    {
      text: "TRUEé",
      position: 4,
      expected: "é cannot follow TRUE",
    },
    { text: "$TIME = +5", position: 8, expected: "+ is not recognized" },
    { text: "$TIME = - 5", position: 8, expected: "- is not recognized" },
    {
      text: "$WEEKDAY = Monday",
      position: 11,
      expected: "Unexpected Monday",
    },
    { text: "$TIME = '5'", position: 8, expected: "' is not recognized" },
    { text: "TRUE -- always", position: 5, expected: "is not recognized" },
    { text: "TRUE\u00a0AND TRUE", position: 4, expected: "is not recognized" },
    { text: "TRUE AND 🙂", position: 9, expected: "🙂 is not recognized" },
    { text: "ſ", position: 0, expected: "is not recognized" },
    {
      text: "$DATE > 9223372036854775808",
      position: 8,
      expected: "does not fit into 64 bits",
    },
    {
      text: "$DATE > -9223372036854775809",
      position: 8,
      expected: "does not fit into 64 bits",
    },
    {
      text: `${"(".repeat(101)}TRUE${")".repeat(101)}`,
      position: 100,
      expected: "100 levels",
    },
    {
      text: `${"NOT ".repeat(101)}TRUE`,
      position: 400,
      expected: "100 levels",
    },
    {
      text: `TRUE${" ".repeat(4093)}`,
      position: 4096,
      expected: "4096 characters",
    },
  ])(
    "$text is wrong at $position: $expected",
    ({ text, position, expected }) => {
      const { problem } = parsePredicate(text);
      expect(problem?.message).toContain(expected);
      expect(problem?.position).toBe(position);
    },
  );

  it("[V2-99] is parsed up to the limits", () => {
    expect(holdsAt(`${"NOT (".repeat(50)}TRUE${")".repeat(50)}`, 0)).toBe(true);
    expect(holdsAt(`TRUE${" ".repeat(4092)}`, 0)).toBe(true);
    const members = Array.from({ length: 900 }, (_, index) => 2 * index);
    const text = `$TIME IN {${members.join()}}`;
    expect(text.length).toBeLessThan(4096);
    for (const moment of [0, 1, 900, 901, 1798, 1799, 1800])
      expect(holdsAt(text, moment)).toBe(members.includes(moment));
  });

  it("is reported with a position inside the text, whatever was typed", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...[
          "TRUE",
          "NOT",
          "AND",
          "OR",
          "(",
          ")",
          "{",
          "}",
          ",",
          "<=",
          "=",
          " ",
        ],
        ...["$DATE", "$TIME", "$WEEKDAY", "BETWEEN", "IN", "5", "-1", "!="],
      ),
      fc.string({ maxLength: 3, unit: anyCharacter }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        const { predicate, problem } = parsePredicate(text);
        if (predicate) {
          expect(parsePredicate(printPredicate(predicate.tree)).problem).toBe(
            null,
          );
          return;
        }
        expect(problem.position).toBeGreaterThanOrEqual(0);
        expect(problem.position).toBeLessThanOrEqual(text.length);
        expect(problem.message).toMatch(/\.$/);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("why a predicate is false", () => {
  const at = wallClockOf("UTC").wallTimeAt(Date.parse("2026-07-01T09:00Z"));

  it.each([
    { text: "TRUE", part: null },
    { text: "FALSE", part: "FALSE" },
    { text: "TRUE AND ($TIME < 5) AND $WEEKDAY = 9", part: "$TIME < 5" },
    { text: "TRUE AND ( NOT  TRUE )", part: "NOT  TRUE" },
    { text: "TRUE AND (FALSE OR $TIME = 1)", part: "FALSE OR $TIME = 1" },
    {
      text: "(TRUE AND (TRUE AND $WEEKDAY IN {6, 0}))",
      part: "$WEEKDAY IN {6, 0}",
    },
  ])("$text is false at $part", ({ text, part }) => {
    const found = falsePartAt(parsed(text), at);
    expect(found?.part ?? null).toBe(part);
    if (found) expect(text.slice(found.from, found.to)).toBe(part);
  });
});
