// Conversion between moments and the local date and time of the screen, for input fields. Pure.

import { dayMs, wallClockOf } from "../../../server/core/wall-clock.ts";
import { isEmptyInFields } from "../components/no-end-date.ts";
import { momentOf } from "../components/screen-time/week.ts";

/** `2026-01-31T09:30`, or empty for no end. */
export function wallTextOf(moment: string | null, zone: string): string {
  if (moment === null) return "";
  const at = Date.parse(moment);
  if (isEmptyInFields(at)) return "";
  const { offsetMs } = wallClockOf(zone).spanAt(at);
  return new Date(at + offsetMs).toISOString().slice(0, 16);
}

/** The first moment at which the screen's clock shows this; for a skipped hour, the moment at which it is skipped. */
export function momentOfWall(text: string, zone: string): string | null {
  const wall = Date.parse(`${text}Z`);
  if (Number.isNaN(wall)) return null;
  const day = Math.floor(wall / dayMs);
  return new Date(momentOf(day, wall - day * dayMs, zone)).toISOString();
}

/** For a sentence: as the field shows it, without the letter between date and time. */
export function formatWallTime(text: string): string {
  return text.replace("T", " ");
}
