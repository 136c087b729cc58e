// Parses a timestamp as PostgreSQL does: ISO 8601 with a few liberties, and special words.

import { dayMs, offsetReader, wallClockOf } from "../../../core/wall-clock.ts";
import { createMemory } from "../../lru-cache.ts";
import { refusedValue } from "../../http/v4-errors.ts";

const pattern =
  /^(\d{4,6})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?\s*(Z|UTC|GMT|[+ -]\d{2}(?::?\d{2})?)?$/i;

/** The reference for special words and for texts without a zone; null is UTC. */
export interface Clock {
  readonly now: () => number;
  readonly zone: string | null;
}

/**
 * Milliseconds since 1970, with fractions; a space stands for the plus that a query string lost (V4-30). The clock is
 * read for special words only.
 */
export function momentFrom(text: string, clock: Clock): number {
  const trimmed = text.trim();
  const word = words[trimmed.toLowerCase()];
  if (word) return word(clock);
  const match = pattern.exec(trimmed);
  if (!match)
    throw refusedValue(
      "22007",
      `invalid input syntax for type timestamp with time zone: "${text.slice(0, 200)}"`,
    );
  const [year, month, day, hours, minutes, seconds] = match
    .slice(1, 7)
    .map((digits) => Number(digits ?? 0)) as Six;
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, day);
  const isDay =
    at.getUTCFullYear() === year &&
    at.getUTCMonth() === month - 1 &&
    at.getUTCDate() === day;
  if (!isDay || hours > 24 || minutes > 59 || seconds > 60) throw outside(text);
  const fraction = Number(`0.${match[7] ?? 0}`) * 1000;
  const shown =
    at.getTime() +
    hours * hourMs +
    minutes * 60_000 +
    seconds * 1000 +
    Math.round(fraction * 1000) / 1000;
  const zone = match[8];
  if (zone === undefined) return momentShowing(clock.zone, shown);
  const offset = offsetMs(zone);
  if (Math.abs(offset) >= 16 * hourMs) throw outside(text);
  return shown - offset;
}

type Six = [number, number, number, number, number, number];

const hourMs = 3_600_000;

/** The midnight this many days from now. */
function midnight({ now, zone }: Clock, days: number): number {
  const { day } = wallClockOf(zone ?? "UTC").wallTimeAt(now());
  return momentShowing(zone, (day + days) * dayMs);
}

const words: Readonly<Record<string, (clock: Clock) => number>> = {
  __proto__: null as never,
  now: ({ now }) => now(),
  today: (clock) => midnight(clock, 0),
  yesterday: (clock) => midnight(clock, -1),
  tomorrow: (clock) => midnight(clock, 1),
  epoch: () => 0,
  infinity: () => Infinity,
  "-infinity": () => -Infinity,
};

/**
 * The moment when clocks of a zone show this, given in milliseconds as if it were UTC: skipped times as before the
 * change, repeated ones as after it.
 */
function momentShowing(zone: string | null, local: number): number {
  if (zone === null) return local;
  const offsetAt = offsetsIn(zone);
  const after = offsetAt(local + dayMs);
  const late = local - after;
  return offsetAt(late) === after ? late : local - offsetAt(local - dayMs);
}

/** A filter may name a thousand moments in as many years, each of which would need its own search for clock changes. */
const readers = createMemory<(moment: number) => number>(20);
/** Before the first zones and after four-digit years there are no changes. */
const firstChange = Date.UTC(1600, 0, 1);
const lastChange = Date.UTC(9999, 0, 1);

function offsetsIn(zone: string): (moment: number) => number {
  const cached = readers.get(zone);
  if (cached) return cached;
  const read = offsetReader(zone);
  const plannedMoment = (moment: number) =>
    read(Math.min(Math.max(moment, firstChange), lastChange));
  readers.set(zone, plannedMoment);
  return plannedMoment;
}

function offsetMs(zone: string): number {
  if (/^[zug]/i.test(zone)) return 0;
  const [hours = 0, minutes = 0] = [zone.slice(1, 3), zone.slice(-2)].map(
    Number,
  );
  const size = hours * hourMs + (zone.length > 3 ? minutes * 60_000 : 0);
  return zone.startsWith("-") ? -size : size;
}

function outside(text: string): Error {
  return refusedValue(
    "22008",
    `date/time field value out of range: "${text.slice(0, 200)}"`,
  );
}
