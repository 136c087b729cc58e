// When an assertion applies: hours of the day as the form has them, and any other predicate in words.

import { inWords } from "../../predicates/predicate-text.ts";

export interface DailyHours {
  /** `08:00`; empty: from midnight. */
  readonly from: string;
  /** Empty: until midnight. */
  readonly until: string;
}

const minuteMs = 60_000;
/** At most two limits, in this order. */
const limits =
  /^(?:\$TIME >= (\d{1,8}))?(?: (AND|OR) )?(?:\$TIME < (\d{1,8}))?$/;

/** Null for a predicate that is about anything else than hours of the day. */
export function hoursOf(predicate: string): DailyHours | null {
  const text = predicate.trim();
  if (text === "TRUE") return { from: "", until: "" };
  const [, from, , until] = limits.exec(text) ?? [];
  const hours = { from: timeOf(from), until: timeOf(until) };
  // It may have anything that the form has no field for.
  return predicateOfHours(hours) === text ? hours : null;
}

/** From later than until: over midnight. */
export function predicateOfHours({ from, until }: DailyHours): string {
  const parts = [
    ...(from === "" ? [] : [`$TIME >= ${msOf(from)}`]),
    ...(until === "" ? [] : [`$TIME < ${msOf(until)}`]),
  ];
  if (parts.length === 0) return "TRUE";
  const isOverMidnight = parts.length === 2 && msOf(from) >= msOf(until);
  return parts.join(isOverMidnight ? " OR " : " AND ");
}

export function whenInWords(predicate: string): string {
  return inWords(predicate, "UTC");
}

function timeOf(ms: string | undefined): string {
  return ms === undefined
    ? ""
    : new Date(Number(ms)).toISOString().slice(11, 16);
}

function msOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return (hour * 60 + minute) * minuteMs;
}
