// The requested window of a list: limit and offset, the Range header, and both combined.

import { badRange } from "../../http/v4-errors.ts";

export interface Window {
  readonly offset: number;
  /** Null: to the end. */
  readonly limit: number | null;
}

export const everything: Window = { offset: 0, limit: null };

/** Larger numbers have the same effect as this one. */
const farthest = 2 ** 52;

/** Anything but a number is ignored; a limit below 0 is rejected (V4-26). */
export function windowFrom(
  limitText: string | undefined,
  offsetText: string | undefined,
): Window {
  const limit = numberFrom(limitText);
  if (limit !== null && limit < 0)
    throw badRange("Limit should be greater than or equal to zero.", null);
  const offset = numberFrom(offsetText);
  return { limit, offset: Math.max(offset ?? 0, 0) };
}

function numberFrom(text: string | undefined): number | null {
  if (text === undefined || !/^\s*-?\d+\s*$/.test(text)) return null;
  return Math.max(-farthest, Math.min(Number(text), farthest));
}

/** The intersection of both (V4-6). */
export function withinRange(
  window: Window,
  header: string | undefined,
): Window {
  const match = /^\s*(\d+)-(\d*)\s*$/.exec(header ?? "");
  if (!match) return window;
  const first = Math.min(Number(match[1]), farthest);
  const last =
    match[2] === "" ? Infinity : Math.min(Number(match[2]), farthest);
  if (last < first)
    throw badRange(
      "The lower boundary must be lower than or equal to the upper boundary in the Range header.",
      null,
    );
  const offset = Math.max(window.offset, first);
  const end = Math.min(
    last + 1,
    window.limit === null ? Infinity : window.offset + window.limit,
  );
  if (window.limit === 0) return { offset, limit: 0 };
  if (end <= offset)
    throw badRange("The range is outside of limit and offset.", null);
  return { offset, limit: end === Infinity ? null : end - offset };
}
