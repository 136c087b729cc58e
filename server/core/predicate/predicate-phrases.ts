// Normalizes a predicate, however it is written, to what it means: joined ranges of weekdays, times, days and instants.

import { limitsOf, type Axis, type PredicateNode } from "./predicate-tree.ts";
import { dayMs } from "../wall-clock.ts";

/** From the first to before the second value. */
export interface Range {
  readonly from: number;
  readonly until: number;
}

export type Phrase =
  | { readonly kind: "always" }
  | { readonly kind: "never" }
  /** One of these ranges: sorted, disjoint, neither empty nor everything. */
  | {
      readonly kind: "ranges";
      readonly axis: Axis;
      readonly ranges: readonly Range[];
    }
  /** Two or more, no two of the same kind or on the same axis. */
  | { readonly kind: "all" | "any"; readonly parts: readonly Phrase[] };

/** The moments that a Date can represent. */
export const maxMs = 8.64e15;
const maxDay = maxMs / dayMs;
const infinite: Range = { from: -Infinity, until: Infinity };
const everything: Readonly<Record<Axis, Range>> = {
  ...{ weekday: { from: 0, until: 7 }, timeMs: { from: 0, until: dayMs } },
  ...{ day: infinite, moment: infinite },
};

/** NOT is resolved, so that only the meaning remains. */
export function phraseOf(node: PredicateNode, isNegated = false): Phrase {
  switch (node.kind) {
    case "constant":
      return { kind: node.value === isNegated ? "never" : "always" };
    case "not":
      return phraseOf(node.part, !isNegated);
    case "and":
    case "or":
      return joined(
        (node.kind === "and") === isNegated ? "any" : "all",
        node.parts.map((part) => phraseOf(part, isNegated)),
      );
    case "compare":
    case "between":
    case "in": {
      const { join, limits } = limitsOf(node);
      const parts = limits.map(({ axis, ...range }) => {
        const ranges = clipped(axis, range);
        return rangesOn(axis, isNegated ? outside(axis, ranges) : ranges);
      });
      return joined((join === "all") === isNegated ? "any" : "all", parts);
    }
  }
}

function joined(kind: "all" | "any", given: readonly Phrase[]): Phrase {
  const [ends, passes] =
    kind === "all"
      ? (["never", "always"] as const)
      : (["always", "never"] as const);
  const flat = given.flatMap((part) =>
    part.kind === kind ? part.parts : [part],
  );
  const merged = [
    ...axes.flatMap((axis) => mergedOn(axis, kind, flat)),
    ...flat.filter((part) => part.kind !== "ranges"),
  ].filter((part) => part.kind !== passes);
  if (merged.some((part) => part.kind === ends)) return { kind: ends };
  const [only] = merged;
  if (!only) return { kind: passes };
  return merged.length === 1 ? only : { kind, parts: merged };
}

/** In the order they are worded. */
const axes: readonly Axis[] = ["weekday", "timeMs", "day", "moment"];

function mergedOn(
  axis: Axis,
  kind: "all" | "any",
  parts: readonly Phrase[],
): readonly Phrase[] {
  const sets = parts.flatMap((part) =>
    part.kind === "ranges" && part.axis === axis ? [part.ranges] : [],
  );
  if (sets.length === 0) return [];
  // The intersection is what none of them leaves out.
  const ranges =
    kind === "any"
      ? united(sets.flat())
      : outside(axis, united(sets.flatMap((set) => outside(axis, set))));
  return [rangesOn(axis, ranges)];
}

function rangesOn(axis: Axis, ranges: readonly Range[]): Phrase {
  const [first] = ranges;
  if (!first) return { kind: "never" };
  const { from, until } = everything[axis];
  const isAll = first.from <= from && first.until >= until;
  return isAll ? { kind: "always" } : { kind: "ranges", axis, ranges };
}

/** Values that no clock shows are left out. */
function clipped(axis: Axis, { from, until }: Range): readonly Range[] {
  const whole = everything[axis];
  const most = axis === "day" ? maxDay : maxMs;
  const low = from < -most ? -Infinity : Math.max(from, whole.from);
  const high = until > most ? Infinity : Math.min(until, whole.until);
  const [start, end] = [Math.max(low, whole.from), Math.min(high, whole.until)];
  return start < end && start <= most && end > -most
    ? [{ from: start, until: end }]
    : [];
}

function united(ranges: readonly Range[]): readonly Range[] {
  const whole: { from: number; until: number }[] = [];
  for (const range of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = whole.at(-1);
    if (last && range.from <= last.until)
      last.until = Math.max(last.until, range.until);
    else whole.push({ ...range });
  }
  return whole;
}

/** The complement of these ranges, sorted and disjoint. */
export function outside(
  axis: Axis,
  ranges: readonly Range[],
): readonly Range[] {
  const { from, until } = everything[axis];
  const starts = [from, ...ranges.map((range) => range.until)];
  const ends = [...ranges.map((range) => range.from), until];
  return starts
    .map((start, index) => ({ from: start, until: ends[index] ?? until }))
    .filter((range) => range.from < range.until);
}
