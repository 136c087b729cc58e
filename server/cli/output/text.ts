// Text for people on a terminal: tables, details, moments and durations.

import { stripVTControlCharacters } from "node:util";

/** Names come from others: without control characters, which a terminal would carry out. */
export function plain(text: string): string {
  return stripVTControlCharacters(text).replace(
    /[\p{Cc}\p{Bidi_Control}]/gu,
    " ",
  );
}

/** Columns that are as wide as their widest cell, below a heading; `empty` stands for no rows. */
export function tableText(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  empty: string,
): string {
  if (rows.length === 0) return empty;
  const lines = [headings, ...rows].map((row) => row.map(plain));
  const widths = headings.map((_heading, at) =>
    Math.max(...lines.map((line) => widthOf(line[at] ?? ""))),
  );
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell + " ".repeat((widths[at] ?? 0) - widthOf(cell)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** In characters; those that are twice as wide are rare enough. */
function widthOf(text: string): number {
  return [...text].length;
}

/** `Name: value` lines; a null value is left out. */
export function detailsText(
  pairs: readonly (readonly [string, string | null])[],
): string {
  const shown = pairs.filter(([, value]) => value !== null && value !== "");
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown
    .map(
      ([name, value]) => `${`${name}:`.padEnd(width + 2)}${plain(value ?? "")}`,
    )
    .join("\n");
}

/** `2026-05-01 10:00` in the time zone of this PC; empty for null. */
export function momentText(moment: string | null | undefined): string {
  if (moment === null || moment === undefined) return "";
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return moment;
  const two = (part: number): string => String(part).padStart(2, "0");
  const day = [date.getMonth() + 1, date.getDate()].map(two);
  const time = [date.getHours(), date.getMinutes()].map(two).join(":");
  return `${[date.getFullYear(), ...day].join("-")} ${time}`;
}

/** `1:05:00`, or `0:10` */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60)];
  const two = (part: number): string => String(part % 60).padStart(2, "0");
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(whole)}`
    : `${minutes}:${two(whole)}`;
}

export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
