// Describes a predicate in plain words: "weekdays 11:30 to 14:00 from 1 June".

import {
  maxMs,
  outside,
  phraseOf,
  type Phrase,
  type Range,
} from "./predicate-phrases.ts";
import type { PredicateNode } from "./predicate-tree.ts";
import { dayMs, wallClockOf, type WallClock } from "../wall-clock.ts";

/** A language: all phrases, and their order. */
export interface PredicateWords {
  readonly always: string;
  readonly never: string;
  /** From Sunday, as recurring days. */
  readonly weekdays: readonly string[];
  /** Monday to Friday, and the weekend. */
  readonly workdays: string;
  readonly weekend: string;
  /** A day by its midnight in UTC; without its year if that is the default one. */
  date(midnight: number, hasYear: boolean): string;
  dateAndTime(date: string, time: string): string;
  /** From one weekday to the other. */
  days(first: string, last: string): string;
  /** Format of a whole minute of the day; 14:30 if missing. */
  readonly clock?: (timeMs: number) => string;
  at(time: string): string;
  times(from: string, until: string): string;
  on(date: string): string;
  from(what: string): string;
  /** A time or an instant at which it ends. */
  until(what: string): string;
  /** The last day, inclusive. */
  upTo(date: string): string;
  /** From the first to the last day, or instant. */
  span(from: string, until: string): string;
  except(what: string): string;
  and(parts: readonly string[]): string;
  or(parts: readonly string[]): string;
  /** All of these at once, each narrowing the one before. */
  narrowed(parts: readonly string[]): string;
  grouped(what: string): string;
}

export interface InWords {
  readonly words: PredicateWords;
  /** The zone in which instants are described; UTC if missing. */
  readonly zone?: string;
  /** The year that is left out; none if missing. */
  readonly year?: number | null;
}

export function predicateInWords(
  tree: PredicateNode,
  { words, zone = "UTC", year = null }: InWords,
): string {
  const context: WordingContext = { words, clock: wallClockOf(zone), year };
  return phraseText(phraseOf(tree), context);
}

interface WordingContext {
  readonly words: PredicateWords;
  readonly clock: WallClock;
  readonly year: number | null;
}

function phraseText(phrase: Phrase, context: WordingContext): string {
  const { words } = context;
  switch (phrase.kind) {
    case "always":
      return words.always;
    case "never":
      return words.never;
    case "ranges":
      return rangesText(phrase, context);
    case "any":
      return words.or(phrase.parts.map((part) => phraseText(part, context)));
    case "all":
      return words.narrowed(
        phrase.parts.map((part) => {
          const text = phraseText(part, context);
          return part.kind === "any" ? words.grouped(text) : text;
        }),
      );
  }
}

function rangesText(
  { axis, ranges }: Extract<Phrase, { kind: "ranges" }>,
  context: WordingContext,
): string {
  const { words } = context;
  if (axis === "weekday") return weekdaysText(ranges, words);
  if (axis === "timeMs")
    return words.and(overMidnight(ranges).map((one) => timeText(one, words)));
  const isOne = (range: Range): boolean => range.until - range.from === 1;
  const gaps = outside(axis, ranges);
  // A range that is open at both ends is described by what it leaves out.
  if (gaps.every(({ from, until }) => Number.isFinite(until - from))) {
    const text = gaps.map((gap) => datesText(gap, axis, isOne(gap), context));
    return words.except(words.and(text));
  }
  return words.and(
    ranges.map((range) => datesText(range, axis, isOne(range), context)),
  );
}

function weekdaysText(ranges: readonly Range[], words: PredicateWords): string {
  // The week begins on Monday.
  const days = [1, 2, 3, 4, 5, 6, 0].filter((day) =>
    ranges.some(({ from, until }) => day >= from && day < until),
  );
  const names = days.map((day) => words.weekdays[day] ?? "");
  const written = days.join("");
  if (written === "12345") return words.workdays;
  if (written === "60") return words.weekend;
  const isRun = "1234560".includes(written) && days.length > 2;
  return isRun
    ? words.days(names[0] ?? "", names.at(-1) ?? "")
    : words.and(names);
}

/** Joins a range that ends at midnight with one that continues from there. */
function overMidnight(ranges: readonly Range[]): readonly Range[] {
  const first = ranges[0];
  const last = ranges.at(-1);
  if (!first || !last || first === last) return ranges;
  if (first.from !== 0 || last.until !== dayMs) return ranges;
  return [...ranges.slice(1, -1), { from: last.from, until: first.until }];
}

function timeText({ from, until }: Range, words: PredicateWords): string {
  if (until - from === 1) return words.at(clockText(from, words));
  if (from === 0) return words.until(clockText(endOf(until), words));
  if (until === dayMs) return words.from(clockText(from, words));
  return words.times(clockText(from, words), clockText(endOf(until), words));
}

/** "To 14:00" may be written including that millisecond or excluding it. */
function endOf(until: number): number {
  return until % 1000 === 1 ? until - 1 : until;
}

/** Seconds and milliseconds only if there are any. */
function clockText(timeMs: number, words: PredicateWords): string {
  if (words.clock && timeMs % 60_000 === 0) return words.clock(timeMs);
  const text = new Date(timeMs).toISOString().slice(11, 23);
  if (timeMs % 1000 !== 0) return text;
  return timeMs % 60_000 === 0 ? text.slice(0, 5) : text.slice(0, 8);
}

function datesText(
  { from, until }: Range,
  axis: "day" | "moment",
  isOne: boolean,
  context: WordingContext,
): string {
  const { words } = context;
  const named = (value: number): string =>
    axis === "day" ? dateText(value, context) : instantText(value, context);
  if (isOne) return words.on(named(from));
  // For days it is the last one, for an instant the end itself.
  const end = axis === "day" ? until - 1 : endOf(until);
  if (until === Infinity) return words.from(named(from));
  if (from === -Infinity)
    return axis === "day" ? words.upTo(named(end)) : words.until(named(end));
  return words.span(named(from), named(end));
}

function dateText(day: number, { words, year }: WordingContext): string {
  // In some zones the first and the last instants are on a day beyond those that a Date can represent.
  const midnight = Math.min(maxMs, Math.max(-maxMs, day * dayMs));
  return words.date(midnight, new Date(midnight).getUTCFullYear() !== year);
}

function instantText(moment: number, context: WordingContext): string {
  const { day, timeMs } = context.clock.wallTimeAt(moment);
  const date = dateText(day, context);
  // Milliseconds of an instant written by a program carry no meaning.
  const flooredMs = Math.floor(timeMs / 1000) * 1000;
  return context.words.dateAndTime(date, clockText(flooredMs, context.words));
}
