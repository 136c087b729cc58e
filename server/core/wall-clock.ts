// Wall clock of a time zone: offsets are determined once and then only added.

export const dayMs = 86_400_000;

/** 1 January 1970 was a Thursday. */
const firstWeekday = 4;

/** What the wall clock shows. */
export interface WallTime {
  /** Milliseconds since 1970, UTC. */
  readonly moment: number;
  /** The local calendar day, counted from 1 January 1970. */
  readonly day: number;
  /** Since midnight, as a clock shows it: a skipped hour never occurs, a repeated one occurs twice. */
  readonly timeMs: number;
  /** 0 Sunday to 6 Saturday. */
  readonly weekday: number;
}

/** From the first moment to before the second, the zone keeps its offset from UTC. */
export interface OffsetSpan {
  readonly from: number;
  readonly until: number;
  readonly offsetMs: number;
}

export interface WallClock {
  /** The span with a constant offset around a moment; it may end without a change, but never later than one. */
  spanAt(moment: number): OffsetSpan;
  wallTimeAt(moment: number): WallTime;
}

function weekdayOf(day: number): number {
  return (((day + firstWeekday) % 7) + 7) % 7;
}

function wallTimeOf(moment: number, offsetMs: number): WallTime {
  const local = moment + offsetMs;
  const day = Math.floor(local / dayMs);
  return { moment, day, timeMs: local - day * dayMs, weekday: weekdayOf(day) };
}

const clocks = new Map<string, WallClock>();

/** The wall clock of an IANA zone; an unknown zone uses UTC. */
export function wallClockOf(zone: string): WallClock {
  const cached = clocks.get(zone);
  if (cached) return cached;
  const clock = createWallClock(zone);
  clocks.set(zone, clock);
  return clock;
}

/** Spans are looked up in blocks of about 400 days, each searched on first use. */
const blockMs = 2 ** 35;
/** Nothing changes before the first zones and after four-digit years. */
const firstBlock = Math.floor(Date.UTC(1600, 0, 1) / blockMs);
const lastBlock = Math.floor(Date.UTC(9999, 0, 1) / blockMs);
/** No zone ever changed its offset twice within a day. */
const searchMs = dayMs;
const utc: OffsetSpan = { from: -Infinity, until: Infinity, offsetMs: 0 };

function createWallClock(zone: string): WallClock {
  const offsetAt = offsetReader(zone);
  const blocks = new Map<number, readonly OffsetSpan[]>();
  // Most calls are about the same hours.
  let last: OffsetSpan | null = null;

  function spansOf(block: number): readonly OffsetSpan[] {
    const cached = blocks.get(block);
    if (cached) return cached;
    const spans = searchBlock(block, offsetAt);
    blocks.set(block, spans);
    return spans;
  }

  function spanAt(moment: number): OffsetSpan {
    if (last && last.from <= moment && moment < last.until) return last;
    const block = Math.floor(moment / blockMs);
    if (block < firstBlock) {
      const until = firstBlock * blockMs;
      return { from: -Infinity, until, offsetMs: offsetAt(until) };
    }
    if (block > lastBlock) {
      const from = (lastBlock + 1) * blockMs;
      return { from, until: Infinity, offsetMs: offsetAt(from - 1) };
    }
    last = spansOf(block).find(({ until }) => moment < until) ?? utc;
    return last;
  }

  return {
    spanAt,
    wallTimeAt: (moment) => wallTimeOf(moment, spanAt(moment).offsetMs),
  };
}

function searchBlock(
  block: number,
  offsetAt: (moment: number) => number,
): readonly OffsetSpan[] {
  const end = (block + 1) * blockMs;
  const spans: OffsetSpan[] = [];
  let from = block * blockMs;
  let offsetMs = offsetAt(from);
  for (let before = from; before < end; before += searchMs) {
    const after = Math.min(before + searchMs, end);
    const next = offsetAt(after);
    if (next === offsetMs) continue;
    const change = searchChange(before, after, next, offsetAt);
    if (change > from) spans.push({ from, until: change, offsetMs });
    from = change;
    offsetMs = next;
  }
  if (from < end) spans.push({ from, until: end, offsetMs });
  return spans;
}

/** The first moment with the later offset: zones change on whole seconds. */
function searchChange(
  before: number,
  after: number,
  offsetMs: number,
  offsetAt: (moment: number) => number,
): number {
  let low = Math.floor(before / 1000);
  let high = Math.floor(after / 1000);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle * 1000) === offsetMs) high = middle;
    else low = middle;
  }
  return high * 1000;
}

/** Reads the offset of one moment through Intl: correct, but a thousand times slower than adding. */
export function offsetReader(zone: string): (moment: number) => number {
  const format = fieldsFormat(zone);
  if (!format) return () => 0;
  return (moment) => {
    const flooredMs = Math.floor(moment / 1000) * 1000;
    // e.g. 07/01/2026, 11:00:00
    const [month, day, year, hour, minute, second] = format
      .format(flooredMs)
      .split(/\D+/)
      .map(Number) as [number, number, number, number, number, number];
    return Date.UTC(year, month - 1, day, hour, minute, second) - flooredMs;
  };
}

function fieldsFormat(zone: string): Intl.DateTimeFormat | null {
  const number = "numeric";
  try {
    return new Intl.DateTimeFormat("en-US", {
      ...{ timeZone: zone, hourCycle: "h23", calendar: "gregory" },
      ...{ year: number, month: number, day: number },
      ...{ hour: number, minute: number, second: number },
    });
  } catch {
    return null;
  }
}
