// Lists of periods: in order, without overlaps, each from one moment to before another.

export interface Period {
  readonly from: number;
  readonly until: number;
}

/** The parts of the first list that lie within the second. */
export function intersection(
  some: readonly Period[],
  others: readonly Period[],
): readonly Period[] {
  const both: Period[] = [];
  let at = 0;
  for (const { from, until } of some) {
    while (at < others.length && (others[at]?.until ?? 0) <= from) at += 1;
    for (let next = at; next < others.length; next += 1) {
      const other = others[next];
      if (!other || other.from >= until) break;
      both.push({
        from: Math.max(from, other.from),
        until: Math.min(until, other.until),
      });
    }
  }
  return both;
}

/** The parts of the first list that lie outside the second. */
export function difference(
  some: readonly Period[],
  others: readonly Period[],
): readonly Period[] {
  const rest: Period[] = [];
  let at = 0;
  for (const { from, until } of some) {
    while (at < others.length && (others[at]?.until ?? 0) <= from) at += 1;
    let since = from;
    for (let next = at; next < others.length; next += 1) {
      const other = others[next];
      if (!other || other.from >= until) break;
      if (other.from > since) rest.push({ from: since, until: other.from });
      since = Math.max(since, other.until);
    }
    if (since < until) rest.push({ from: since, until });
  }
  return rest;
}

/** Adjacent periods as one. */
export function joinedPeriods(periods: Iterable<Period>): readonly Period[] {
  const joined: Period[] = [];
  for (const period of periods) {
    const last = joined.at(-1);
    if (last?.until === period.from)
      joined[joined.length - 1] = { from: last.from, until: period.until };
    else joined.push(period);
  }
  return joined;
}

export function lengthOf(periods: readonly Period[]): number {
  return periods.reduce((sum, { from, until }) => sum + until - from, 0);
}
