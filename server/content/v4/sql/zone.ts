// Timestamps in the time zone a client requests: marked by the database, and converted in the response (V4-50).

import { randomUUID } from "node:crypto";
import { wallClockOf } from "../../../core/wall-clock.ts";
import type { Cast } from "../plan/plan.ts";
import { literal, sql, type Sql } from "../../sql.ts";

/** It cannot be guessed, so no client's text contains it. */
const mark = randomUUID();

/** Replaces the text of a moment. */
export function markedMoment(moment: Sql, cast: Cast | null): Sql {
  const form = cast === null ? "T" : cast === "date" ? "d" : "t";
  return sql`${literal(mark + form)} || CAST(${moment} AS TEXT)`;
}

const marked = new RegExp(`${mark}([Ttd])(-?\\d+)`, "g");

/** A row's JSON with its moments in the local time of the zone. */
export function writtenIn(zone: string | null, row: string): string {
  if (zone === null) return row;
  return row.replace(marked, (_, form: string, moment: string) =>
    momentIn(zone, Number(moment), form),
  );
}

function momentIn(zone: string, moment: number, form: string): string {
  const { offsetMs } = wallClockOf(zone).spanAt(moment);
  const [day = "", time = ""] = new Date(moment + offsetMs)
    .toISOString()
    .split(/[TZ]/);
  if (form === "d") return day;
  const clock = time.replace(/\.?0{1,3}$/, (zeros) =>
    zeros.startsWith(".") ? "" : zeros,
  );
  return `${day}${form === "T" ? "T" : " "}${clock}${offsetText(offsetMs, form === "T")}`;
}

/** `+05:30`; without minutes where they are zero and the format is not ISO. */
function offsetText(offsetMs: number, isIso: boolean): string {
  const size = Math.round(Math.abs(offsetMs) / 60_000);
  const two = (number: number) => String(number).padStart(2, "0");
  const minutes = isIso || size % 60 > 0 ? `:${two(size % 60)}` : "";
  return `${offsetMs < 0 ? "-" : "+"}${two(Math.floor(size / 60))}${minutes}`;
}
