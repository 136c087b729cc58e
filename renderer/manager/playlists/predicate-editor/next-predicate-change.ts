// Next change of a predicate: whether it is true at a moment, and until when that holds.

import { createEdgeTable } from "../../../../server/core/edges.ts";
import type { Predicate } from "../../../../server/core/predicate/predicate.ts";
import { wallClockOf } from "../../../../server/core/wall-clock.ts";

export interface PredicateChange {
  readonly holds: boolean;
  /** Null: not within two years. */
  readonly at: number | null;
}

/** Finds every date meant for this year or the next. */
const farthestMs = 2 * 366 * 86_400_000;

export function nextPredicateChange(
  predicate: Predicate,
  zone: string,
  moment: number,
): PredicateChange {
  const clock = wallClockOf(zone);
  const table = createEdgeTable([[predicate, predicate.edges]], clock);
  const holds = predicate.holds(clock.wallTimeAt(moment));
  let edge = table.nextAfter(moment);
  while (edge && edge.at < moment + farthestMs) {
    if (predicate.holds(clock.wallTimeAt(edge.at)) !== holds)
      return { holds, at: edge.at };
    edge = table.nextAfter(edge.at);
  }
  return { holds, at: null };
}
