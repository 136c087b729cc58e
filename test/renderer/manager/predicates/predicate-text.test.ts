// Predicates and their errors in plain words, in every language of the manager.

import { describe, expect, it, onTestFinished, vi } from "vitest";
import { parsePredicate } from "../../../../server/core/predicate/predicate.ts";

async function textsIn(language: string) {
  vi.resetModules();
  vi.stubGlobal("navigator", { language });
  vi.stubGlobal("window", { localStorage: { getItem: () => null } });
  // Dates of the same year are without it.
  vi.setSystemTime(Date.UTC(2026, 5, 1));
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
  return import("../../../../renderer/manager/predicates/predicate-text.ts");
}

async function wordsIn(
  language: string,
  texts: readonly string[],
): Promise<readonly string[]> {
  const { inWords } = await textsIn(language);
  return texts.map((text) => inWords(text, "Asia/Tokyo"));
}

// prettier-ignore
const inBritishEnglish = [
  ["TRUE", "at any time"],
  ["NOT (TRUE OR $TIME = 1)", "at no time"],
  ["$TIME >= 86400000", "at no time"],
  ["$WEEKDAY >= 0", "at any time"],
  ["TRUE AND ($DATE >= 1780272000000) AND NOT $WEEKDAY IN {0, 6} AND $TIME BETWEEN {41400000, 50400000}", "weekdays 11:30–14:00 from 1 June"],
  ["$TIME BETWEEN {41400000, 50399999} AND $WEEKDAY BETWEEN {1, 5}", "weekdays 11:30–14:00"],
  ["$TIME >= 64800000 OR $TIME < 28800000", "18:00–08:00"],
  ["NOT ($TIME >= 28800000 AND $TIME < 64800000)", "18:00–08:00"],
  ["$TIME >= 28800000", "from 08:00"],
  ["$TIME < 28800500", "until 08:00:00.500"],
  ["$TIME <= 28805000", "until 08:00:05"],
  ["$TIME = 0", "at 00:00"],
  ["$TIME BETWEEN {28800000, 32400000} OR $TIME BETWEEN {46800000, 50400000}", "08:00–09:00 and 13:00–14:00"],
  ["$WEEKDAY IN {6, 0}", "weekends"],
  ["$WEEKDAY IN {3, 1, 3}", "Mondays and Wednesdays"],
  ["$WEEKDAY = 6 OR $WEEKDAY = 2 OR $WEEKDAY = 4", "Tuesdays, Thursdays and Saturdays"],
  ["NOT $WEEKDAY BETWEEN {1, 4}", "Fridays to Sundays"],
  ["$DATE = 1783123200000", "on 4 July"],
  ["$DATE = 1814659200000", "on 4 July 2027"],
  ["NOT $DATE = 1783123200000", "except on 4 July"],
  ["$DATE BETWEEN {1782864000000, 1783987200000}", "from 1 July to 14 July"],
  ["$DATE < 1783123200000", "through 3 July"],
  ["$DATE <= 1783123200000 AND $TIME < 28800000", "until 08:00 through 4 July"],
  ["$DATE IN {1767225600000, 1783987200000}", "on 1 January and on 14 July"],
  ["$DATE >= 1783156500001", "from 4 July at 18:15"],
  ["$DATE >= 1783156500001 AND $DATE < 1783160100001", "from 4 July at 18:15 to 4 July at 19:15"],
  ["$WEEKDAY = 1 OR $TIME < 3600000", "Mondays or until 01:00"],
  ["($WEEKDAY = 1 OR $TIME < 3600000) AND $DATE < 1783123200000", "through 3 July (Mondays or until 01:00)"],
  ["$DATE >= 9223372036854775807", "at no time"],
  ["$DATE > -9223372036854775808", "at any time"],
  ["$TIME", ""],
] as const;

// prettier-ignore
const inAmericanEnglish = [
  ["$TIME BETWEEN {41400000, 50399999} AND $DATE >= 1780272000000", "11:30 AM–2:00 PM from June 1"],
  ["$DATE = 1814659200000", "on July 4, 2027"],
  ["$WEEKDAY IN {2, 4, 6}", "Tuesdays, Thursdays, and Saturdays"],
] as const;

// prettier-ignore
const inGerman = [
  ["TRUE", "immer"],
  ["FALSE", "nie"],
  ["$DATE >= 1780272000000 AND $WEEKDAY BETWEEN {1, 5} AND $TIME BETWEEN {41400000, 50399999}", "montags bis freitags 11:30–14:00 ab 1. Juni"],
  ["$TIME >= 64800000 OR $TIME < 28800000", "18:00–08:00"],
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
] as const;

describe("a predicate in words", () => {
  it.each([
    ["British English", "en-GB", inBritishEnglish],
    ["American English", "en-US", inAmericanEnglish],
    ["German", "de", inGerman],
  ])("is written in %s", async (_, language, cases) => {
    // Intl separates a time from AM by a narrow space.
    const texts = await wordsIn(
      language,
      cases.map(([text]) => text),
    );
    expect(texts.map((text) => text.replaceAll("\u202f", " "))).toEqual(
      cases.map(([, words]) => words),
    );
  });

  it("names the last day that a Date can represent instead of an instant beyond it", async () => {
    const { inWords } = await textsIn("en-GB");
    expect(inWords("$DATE >= -8639999999999999", "America/New_York")).toMatch(
      /^from 20 April/,
    );
  });
});

// prettier-ignore
const problems = [
  ["", "Enter a rule. It starts with TRUE, FALSE, NOT, a parenthesis, $DATE, $TIME or $WEEKDAY.", "Geben Sie eine Bedingung ein. Möglicher Anfang: TRUE, FALSE, NOT, eine Klammer, $DATE, $TIME oder $WEEKDAY."],
  ["$TIME", "Incomplete: expected =, <=, >=, <, >, BETWEEN or IN.", "Unvollständig: Erwartet wird =, <=, >=, <, >, BETWEEN oder IN."],
  ["TRUE FALSE", "Expected AND, OR or the end of the rule, found FALSE.", "Erwartet wird AND, OR oder das Ende der Bedingung, gefunden wurde FALSE."],
  ["$TIME BETWEEN 5", "Expected {1, 2}, found 5.", "Erwartet wird {1, 2}, gefunden wurde 5."],
  ["$TIME IN {1", "Incomplete: expected , or }.", "Unvollständig: Erwartet wird , oder }."],
  ["$TIME != 5", "Use NOT with = instead of !=.", "Verwenden Sie NOT mit = statt !=."],
  ["$TIME <> 5", "Use NOT with = instead of <>.", "Verwenden Sie NOT mit = statt <>."],
  ["$TIME NOT IN {1}", "Put NOT before the variable.", "Setzen Sie NOT vor die Variable."],
  ["TRUE # FALSE", "# isn’t recognized.", "# ist in einer Bedingung nicht zulässig."],
  ["$TIME < 5h", "h can’t directly follow 5.", "h kann nicht direkt auf 5 folgen."],
  ["$TIME < 99999999999999999999", "99999999999999999999 is too large.", "99999999999999999999 ist zu groß."],
  ["(".repeat(101), "Parentheses and NOT can be nested up to 100 levels deep.", "Klammern und NOT lassen sich höchstens 100-mal schachteln."],
  [" ".repeat(4097), "A rule can have up to 4,096 characters.", "Eine Bedingung hat höchstens 4.096 Zeichen."],
] as const;

describe("an error in a predicate", () => {
  it.each([
    ["English", "en-GB", 1],
    ["German", "de", 2],
  ] as const)("is described in %s", async (_, language, column) => {
    const { sentenceOf } = await textsIn(language);
    const sentences = problems.map(([text]) => {
      const { problem } = parsePredicate(text);
      return problem && sentenceOf(problem);
    });
    expect(sentences).toEqual(problems.map((row) => row[column]));
  });
});
