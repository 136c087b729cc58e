// The visually editable part of a predicate: weekly windows and dates. Everything else stays as it is written.

import { parsePredicate } from "../../../server/core/predicate/predicate.ts";
import {
  phraseOf,
  type Phrase,
  type Range,
} from "../../../server/core/predicate/predicate-phrases.ts";
import { printPredicate } from "../../../server/core/predicate/predicate-print.ts";
import type { PredicateNode } from "../../../server/core/predicate/predicate-tree.ts";
import { dayMs } from "../../../server/core/wall-clock.ts";

export interface WeeklyWindow {
  /** The days it starts on, 0 Sunday to 6 Saturday, from Monday on. */
  readonly days: readonly number[];
  /** In milliseconds since midnight. */
  readonly fromMs: number;
  /** If not after `fromMs`, the window extends past midnight into the next day. */
  readonly untilMs: number;
}

/** Calendar days counted from 1970, inclusive. Null is open. */
export interface DateRange {
  readonly first: number | null;
  readonly last: number | null;
}

export interface When {
  /** Any of them; none: all week. */
  readonly windows: readonly WeeklyWindow[];
  /** Any of them; none: on every date. */
  readonly dates: readonly DateRange[];
  /** Further conditions that are not visually editable; null where there are none. */
  readonly written: string | null;
}

/** Order of the week for people here and in ISO 8601. */
export const weekFromMonday: readonly number[] = [1, 2, 3, 4, 5, 6, 0];
const always: When = { windows: [], dates: [], written: null };

export function isOverMidnight({ fromMs, untilMs }: WeeklyWindow): boolean {
  return untilMs <= fromMs;
}

export function isAllDay({ fromMs, untilMs }: WeeklyWindow): boolean {
  return fromMs === 0 && untilMs === dayMs;
}

/** The text means the same as the tree, in canonical form. */
export function whenOf(tree: PredicateNode): When {
  const parts = conjunctionOf(tree);
  const phrases = parts.map((part) => ({ part, phrase: phraseOf(part) }));
  const plain = phrases.filter(({ phrase }) => isPlain(phrase));
  const wholePhrase = phraseOf(conjoined(plain.map(({ part }) => part)));
  // Never true, such as a Monday that is a Tuesday: nothing to edit visually.
  if (wholePhrase.kind === "never") return onlyWritten(parts);
  const ranges = rangesByAxis(wholePhrase);
  const isWeekly = ranges.has("weekday") || ranges.has("timeMs");
  let windows = isWeekly ? productOf(ranges) : null;
  const written: PredicateNode[] = [];
  for (const { part, phrase } of phrases) {
    if (isPlain(phrase) || phrase.kind === "always") continue;
    const chosen = windows === null ? windowsOf(phrase) : null;
    if (chosen) windows = chosen;
    else written.push(part);
  }
  return {
    windows: windows ?? [],
    dates: (ranges.get("day") ?? []).map(datesOf),
    written: textOf(written),
  };
}

/** The predicate in its canonical form. */
export function predicateOf({ windows, dates, written }: When): string {
  const clauses = [
    ...windowsClauses(windows),
    ...anyOf(dates.map((range) => conjunction([dateClause(range)]))),
    ...(written === null ? [] : [parenthesised(written)]),
  ].filter((clause) => clause !== "");
  const text = clauses.length === 0 ? "TRUE" : clauses.join(" AND ");
  const { predicate } = parsePredicate(text);
  // A text written by hand may have become too long as part of a whole; the error appears when it is stored.
  return predicate ? printPredicate(predicate.tree) : text;
}

function conjunctionOf(node: PredicateNode): readonly PredicateNode[] {
  return node.kind === "and" ? node.parts.flatMap(conjunctionOf) : [node];
}

function conjoined(parts: readonly PredicateNode[]): PredicateNode {
  const place = { from: 0, to: 0 };
  const [only] = parts;
  if (!only) return { kind: "constant", value: true, ...place };
  return parts.length === 1 ? only : { kind: "and", parts, ...place };
}

function onlyWritten(parts: readonly PredicateNode[]): When {
  return { ...always, written: textOf(parts) };
}

function textOf(parts: readonly PredicateNode[]): string | null {
  return parts.length === 0 ? null : printPredicate(conjoined(parts));
}

/** Only on the axes that are visually editable, and all of them at once. */
function isPlain(phrase: Phrase): boolean {
  if (phrase.kind === "ranges") return phrase.axis !== "moment";
  return phrase.kind === "all" && phrase.parts.every(isPlain);
}

function rangesByAxis(phrase: Phrase): Map<string, readonly Range[]> {
  const rangesByDays = new Map<string, readonly Range[]>();
  for (const part of phrase.kind === "all" ? phrase.parts : [phrase])
    if (part.kind === "ranges") rangesByDays.set(part.axis, part.ranges);
  return rangesByDays;
}

interface Atom {
  readonly days: readonly number[];
  readonly from: number;
  readonly until: number;
}

function productOf(
  ranges: ReadonlyMap<string, readonly Range[]>,
): readonly WeeklyWindow[] {
  return overMidnight(atomsOf(ranges));
}

function atomsOf(
  ranges: ReadonlyMap<string, readonly Range[]>,
): readonly Atom[] {
  const weekdays = ranges.get("weekday");
  const days = weekFromMonday.filter(
    (day) =>
      weekdays?.some(({ from, until }) => from <= day && day < until) ?? true,
  );
  const times = ranges.get("timeMs") ?? [{ from: 0, until: dayMs }];
  return times.map(({ from, until }) => ({ days, from, until }));
}

/** A choice between weekdays and times only; null where it contains anything else. */
function windowsOf(phrase: Phrase): readonly WeeklyWindow[] | null {
  if (phrase.kind !== "any") return null;
  const atoms: Atom[] = [];
  for (const choice of phrase.parts) {
    const parts = choice.kind === "all" ? choice.parts : [choice];
    const isWeekly = parts.every(
      (part) =>
        part.kind === "ranges" &&
        (part.axis === "weekday" || part.axis === "timeMs"),
    );
    if (!isWeekly) return null;
    atoms.push(...atomsOf(rangesByAxis(choice)));
  }
  return overMidnight(atoms);
}

/** Windows that end at midnight and continue on the next day, on all of their days, become one window. */
function overMidnight(atoms: readonly Atom[]): readonly WeeklyWindow[] {
  const mornings = new Map<Atom, Atom>();
  const taken = new Set<Atom>();
  for (const evening of atoms) {
    const morning = atoms.find(
      (other) => !taken.has(other) && continuesWith(evening, other),
    );
    if (!morning) continue;
    mornings.set(evening, morning);
    taken.add(morning);
  }
  return atoms
    .filter((atom) => !taken.has(atom))
    .map((atom) => ({
      days: atom.days,
      fromMs: atom.from,
      untilMs: (mornings.get(atom) ?? atom).until,
    }));
}

function continuesWith(evening: Atom, morning: Atom): boolean {
  return (
    evening.from > 0 &&
    evening.until === dayMs &&
    morning.from === 0 &&
    morning.until <= evening.from &&
    sameDays(evening.days.map(dayAfter), morning.days)
  );
}

function dayAfter(day: number): number {
  return (day + 1) % 7;
}

export function sameDays(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((day) => b.includes(day));
}

function datesOf({ from, until }: Range): DateRange {
  return {
    first: Number.isFinite(from) ? from : null,
    last: Number.isFinite(until) ? until - 1 : null,
  };
}

/** Clauses that must all be true: for one window its days and times, for several a choice between them. */
function windowsClauses(windows: readonly WeeklyWindow[]): readonly string[] {
  const [first] = windows;
  if (!first) return [];
  const choices = windows.flatMap(choicesOf);
  if (choices.some((choice) => choice.days === "" && choice.time === ""))
    return [];
  const { days } = choices[0] ?? { days: "" };
  // Shared days read better when they are named once.
  if (choices.every((choice) => choice.days === days))
    return [days, ...anyOf(choices.map(({ time }) => time))].filter(
      (clause) => clause !== "",
    );
  return anyOf(choices.map(({ days: on, time }) => conjunction([on, time])));
}

interface Choice {
  /** Empty where any day matches. */
  readonly days: string;
  readonly time: string;
}

function choicesOf({ days, fromMs, untilMs }: WeeklyWindow): readonly Choice[] {
  const on = daysClause(days);
  if (fromMs < untilMs)
    return [{ days: on, time: timeClause(fromMs, untilMs) }];
  const evening = { days: on, time: timeClause(fromMs, dayMs) };
  if (untilMs === 0) return [evening];
  const morningOn = daysClause(days.map(dayAfter));
  return [evening, { days: morningOn, time: timeClause(0, untilMs) }];
}

function daysClause(days: readonly number[]): string {
  if (days.length === 7) return "";
  const sorted = weekFromMonday.filter((day) => days.includes(day));
  return sorted.length === 1
    ? `$WEEKDAY = ${sorted[0]}`
    : `$WEEKDAY IN {${sorted.join(", ")}}`;
}

function timeClause(from: number, until: number): string {
  if (from === 0 && until === dayMs) return "";
  if (from === 0) return `$TIME < ${until}`;
  if (until === dayMs) return `$TIME >= ${from}`;
  return `$TIME BETWEEN {${from}, ${until - 1}}`;
}

function dateClause({ first, last }: DateRange): string {
  if (first === null && last === null) return "";
  if (first === null) return `$DATE <= ${(last ?? 0) * dayMs}`;
  if (last === null) return `$DATE >= ${first * dayMs}`;
  if (first === last) return `$DATE = ${first * dayMs}`;
  return `$DATE BETWEEN {${first * dayMs}, ${last * dayMs}}`;
}

function conjunction(clauses: readonly string[]): string {
  const sentences = clauses.filter((clause) => clause !== "");
  return sentences.length > 1
    ? parenthesised(sentences.join(" AND "))
    : sentences.join("");
}

/** One clause for a choice; none where any of them is always true. */
function anyOf(choices: readonly string[]): readonly string[] {
  if (choices.length === 0 || choices.includes("")) return [];
  return [
    choices.length === 1
      ? (choices[0] ?? "")
      : parenthesised(choices.join(" OR ")),
  ];
}

function parenthesised(text: string): string {
  return `(${text})`;
}
