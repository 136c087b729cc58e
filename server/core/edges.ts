// Edges: times of day, days and moments at which something may change by itself, with a search for the next one.

import { dayMs, type WallClock } from "./wall-clock.ts";

/** Nothing changes between two of these edges and two offset changes of the zone. */
export interface Edges {
  /** Times of day, in wall milliseconds since midnight: includes midnight if every day may differ. */
  readonly timesMs: readonly number[];
  /** First moments of calendar days, in wall milliseconds since 1970. */
  readonly days: readonly number[];
  /** Milliseconds since 1970, UTC. */
  readonly moments: readonly number[];
}

/** The next moment at which these things may change; all others do not. */
export interface NextEdge<Thing> {
  readonly at: number;
  readonly touched: readonly (readonly Thing[])[];
}

export interface EdgeTable<Thing> {
  /** Null: nothing changes by itself any more. */
  nextAfter(moment: number): NextEdge<Thing> | null;
}

/** The moments that a Date can represent. */
const maxMs = 8.64e15;
/** No zone ever went back further: a day that is further in the past does not come again. */
const maxBackMs = 2 * dayMs;

export function createEdgeTable<Thing>(
  things: Iterable<readonly [Thing, Edges]>,
  clock: WallClock,
): EdgeTable<Thing> {
  const byTime = new Map<number, Thing[]>();
  const byDay = new Map<number, Thing[]>();
  const byMoment = new Map<number, Thing[]>();
  /** Follows the wall clock and is affected when that is set forward or back. */
  const local: Thing[] = [];
  for (const [thing, { timesMs, days, moments }] of things) {
    for (const edge of timesMs) add(byTime, edge, thing);
    for (const edge of days) add(byDay, edge, thing);
    for (const edge of moments)
      if (Math.abs(edge) <= maxMs) add(byMoment, edge, thing);
    if (timesMs.length > 0 || days.length > 0) local.push(thing);
  }
  const times = inOrder(byTime);
  const days = inOrder(byDay);
  const moments = inOrder(byMoment);
  const lastDay = days.edges.at(-1) ?? -Infinity;

  return {
    nextAfter: (moment) => {
      const { until, offsetMs } = clock.spanAt(moment);
      const wall = moment + offsetMs;
      const midnight = Math.floor(wall / dayMs) * dayMs;
      const time = firstAfter(times.edges, wall - midnight);
      const isToday = time < times.edges.length;
      const timeIndex = isToday ? time : 0;
      const timeAt =
        (times.edges[timeIndex] ?? Infinity) +
        (isToday ? midnight : midnight + dayMs) -
        offsetMs;
      const dayIndex = firstAfter(days.edges, wall);
      const dayAt = (days.edges[dayIndex] ?? Infinity) - offsetMs;
      const momentIndex = firstAfter(moments.edges, moment);
      const momentAt = moments.edges[momentIndex] ?? Infinity;
      const isLocalOpen = times.edges.length > 0 || wall < lastDay + maxBackMs;
      const zoneAt = isLocalOpen ? until : Infinity;

      const at = Math.min(timeAt, dayAt, momentAt, zoneAt);
      if (at > maxMs) return null;
      const touched: (readonly Thing[])[] = [];
      const touch = (things: readonly Thing[] | undefined): void => {
        if (things) touched.push(things);
      };
      if (momentAt === at) touch(moments.things[momentIndex]);
      if (zoneAt === at) touch(local);
      else {
        if (timeAt === at) touch(times.things[timeIndex]);
        if (dayAt === at) touch(days.things[dayIndex]);
      }
      return { at, touched };
    },
  };
}

function add<Thing>(
  table: Map<number, Thing[]>,
  edge: number,
  thing: Thing,
): void {
  const there = table.get(edge);
  if (there) there.push(thing);
  else table.set(edge, [thing]);
}

function inOrder<Thing>(table: ReadonlyMap<number, readonly Thing[]>) {
  const rows = [...table].sort(([a], [b]) => a - b);
  return {
    edges: Float64Array.from(rows, ([edge]) => edge),
    things: rows.map(([, things]) => things),
  };
}

/** The index of the first edge after a position; the number of edges if there is none. */
function firstAfter(edges: Float64Array, place: number): number {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((edges[middle] ?? 0) > place) high = middle;
    else low = middle + 1;
  }
  return low;
}
