// A predicate and its errors, in the operator's language.

import {
  predicateInWords,
  type PredicateWords,
} from "../../../server/core/predicate/predicate-words.ts";
import {
  predicateFaultText,
  type PredicateProblem,
  type ProblemWords,
} from "../../../server/core/predicate/predicate-problem.ts";
import { parsePredicate } from "../../../server/core/predicate/predicate.ts";
import { formats, language } from "../../locales/language.ts";
import { plainMessage } from "../../locales/messages.ts";
import { timeFromText, timeToText } from "./input-formats.ts";

const dayOptions = { day: "numeric", month: "long", timeZone: "UTC" } as const;
const dayAndMonth = new Intl.DateTimeFormat(language, dayOptions);
const fullDate = new Intl.DateTimeFormat(language, {
  ...dayOptions,
  year: "numeric",
});
const conjunction = new Intl.ListFormat(language, { type: "conjunction" });
const disjunction = new Intl.ListFormat(language, { type: "disjunction" });

const predicateWords: PredicateWords = {
  always: plainMessage("predicate.words.always"),
  never: plainMessage("predicate.words.never"),
  weekdays: [
    plainMessage("predicate.words.weekdays.sunday"),
    plainMessage("predicate.words.weekdays.monday"),
    plainMessage("predicate.words.weekdays.tuesday"),
    plainMessage("predicate.words.weekdays.wednesday"),
    plainMessage("predicate.words.weekdays.thursday"),
    plainMessage("predicate.words.weekdays.friday"),
    plainMessage("predicate.words.weekdays.saturday"),
  ],
  workdays: plainMessage("predicate.words.workdays"),
  weekend: plainMessage("predicate.words.weekend"),
  date: (midnight, hasYear) =>
    (hasYear ? fullDate : dayAndMonth).format(midnight),
  dateAndTime: (date, time) =>
    plainMessage("predicate.words.dateAndTime", { date, time }),
  days: (first, last) => plainMessage("predicate.words.days", { first, last }),
  clock: formats.timeOfDay,
  at: (time) => plainMessage("predicate.words.at", { time }),
  times: (from, until) =>
    plainMessage("predicate.words.times", { from, until }),
  on: (date) => plainMessage("predicate.words.on", { date }),
  from: (start) => plainMessage("predicate.words.from", { start }),
  until: (end) => plainMessage("predicate.words.until", { end }),
  upTo: (date) => plainMessage("predicate.words.upTo", { date }),
  span: (from, until) => plainMessage("predicate.words.span", { from, until }),
  except: (dates) => plainMessage("predicate.words.except", { dates }),
  and: (parts) => conjunction.format(parts),
  or: (parts) => disjunction.format(parts),
  narrowed: (parts) => parts.join(" "),
  grouped: (what) => `(${what})`,
};

const problemWords: ProblemWords = {
  empty: (start) => plainMessage("predicate.problems.empty", { start }),
  tooLong: (limit) => plainMessage("predicate.problems.tooLong", { limit }),
  tooDeep: (limit) => plainMessage("predicate.problems.tooDeep", { limit }),
  slip: (slip) => plainMessage(`predicate.problems.slips.${slip}`),
  meaningless: (found) =>
    plainMessage("predicate.problems.meaningless", { found }),
  runsOn: (found, previous) =>
    plainMessage("predicate.problems.runsOn", { found, previous }),
  notBehindVariable: plainMessage("predicate.problems.notBehindVariable"),
  tooLarge: (found) => plainMessage("predicate.problems.tooLarge", { found }),
  incomplete: (expected) =>
    plainMessage("predicate.problems.incomplete", { expected }),
  unexpected: (found, expected) =>
    plainMessage("predicate.problems.unexpected", { found, expected }),
  expected: (expected) =>
    plainMessage(`predicate.problems.expected.${expected}`),
};

/** A time of day in this language's clock format; with seconds where there are any. */
export function timeText(timeMs: number): string {
  const text = timeToText(timeMs);
  return text.length === 5
    ? formats.timeOfDay(timeFromText(text) ?? timeMs)
    : text;
}

/** The same sentences are rendered again and again: every lane, and every row of reasons. */
const cache = new Map<string, string>();
const maxCached = 2000;

/** Empty where it cannot be parsed. */
export function inWords(text: string, zone: string): string {
  const key = `${zone}\n${text}`;
  const before = cache.get(key);
  if (before !== undefined) return before;
  const words = predicateText(text, zone);
  if (cache.size >= maxCached) cache.clear();
  cache.set(key, words);
  return words;
}

function predicateText(text: string, zone: string): string {
  const { predicate } = parsePredicate(text);
  if (!predicate) return "";
  return predicateInWords(predicate.tree, {
    ...{ zone, year: new Date().getFullYear() },
    words: predicateWords,
  });
}

export function sentenceOf({ fault }: PredicateProblem): string {
  return predicateFaultText(fault, problemWords);
}
