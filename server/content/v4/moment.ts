// A moment as PostgreSQL reads it from a text: ISO 8601 with few liberties, and its words.

import { refusedValue } from "./refusal.ts";

const pattern =
  /^(\d{4,6})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?\s*(Z|UTC|GMT|[+ -]\d{2}(?::?\d{2})?)?$/i;

/** Milliseconds since 1970, with fractions; a blank stands for the plus that a query string lost (V4-30). The clock is asked for words alone. */
export function momentFrom(text: string, now: () => number): number {
  const trimmed = text.trim();
  const word = words[trimmed.toLowerCase()];
  if (word) return word(now());
  const found = pattern.exec(trimmed);
  if (!found)
    throw refusedValue(
      "22007",
      `invalid input syntax for type timestamp with time zone: "${text.slice(0, 200)}"`,
    );
  const [year, month, day, hours, minutes, seconds] = found
    .slice(1, 7)
    .map((digits) => Number(digits ?? 0)) as Six;
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, day);
  const isDay =
    at.getUTCFullYear() === year &&
    at.getUTCMonth() === month - 1 &&
    at.getUTCDate() === day;
  if (!isDay || hours > 24 || minutes > 59 || seconds > 60) throw outside(text);
  const offset = offsetMs(found[8]);
  if (Math.abs(offset) >= 16 * hourMs) throw outside(text);
  const fraction = Number(`0.${found[7] ?? 0}`) * 1000;
  return (
    at.getTime() +
    hours * hourMs +
    minutes * 60_000 +
    seconds * 1000 +
    Math.round(fraction * 1000) / 1000 -
    offset
  );
}

type Six = [number, number, number, number, number, number];

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const startOfDay = (now: number): number => Math.floor(now / dayMs) * dayMs;

const words: Readonly<Record<string, (now: number) => number>> = {
  __proto__: null as never,
  now: (now) => now,
  today: startOfDay,
  yesterday: (now) => startOfDay(now) - dayMs,
  tomorrow: (now) => startOfDay(now) + dayMs,
  epoch: () => 0,
  infinity: () => Infinity,
  "-infinity": () => -Infinity,
};

function offsetMs(zone: string | undefined): number {
  if (zone === undefined || /^[zug]/i.test(zone)) return 0;
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
