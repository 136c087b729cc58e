// Estimates how far the player's clock is from the service's, from the Date header of its responses.

import type { IncomingHttpHeaders } from "node:http";

export interface ServiceClock {
  /** A response to a request that was sent and received at these moments of the player's clock. */
  note(headers: IncomingHttpHeaders, sentAt: number, receivedAt: number): void;
  /** The player's clock minus the service's, in milliseconds; null while not measured. */
  skewMs(): number | null;
  /** The skew to calculate with: 0 while the clocks agree as far as can be measured. */
  correctionMs(): number;
}

/** The header has no fractions of a second. */
const resolutionMs = 1000;
/** Reported in these steps, so that a drift of milliseconds is not a change. */
const stepMs = 500;

export function createServiceClock(): ServiceClock {
  /** The skew lies between these. */
  let range: { readonly min: number; readonly max: number } | null = null;
  return {
    note: ({ date }, sentAt, receivedAt) => {
      const at = Date.parse(date ?? "");
      if (Number.isNaN(at) || receivedAt < sentAt) return;
      const measured = {
        min: sentAt - at - resolutionMs,
        max: receivedAt - at,
      };
      const both = range && {
        min: Math.max(range.min, measured.min),
        max: Math.min(range.max, measured.max),
      };
      // One of the clocks was set, or has drifted: only the last measurement counts.
      range = both && both.min <= both.max ? both : measured;
    },
    skewMs: () => {
      if (!range) return null;
      if (isZeroIn(range)) return 0;
      // Never negative zero.
      return Math.round(middleOf(range) / stepMs) * stepMs + 0;
    },
    correctionMs: () =>
      !range || isZeroIn(range) ? 0 : Math.round(middleOf(range)),
  };
}

interface Range {
  readonly min: number;
  readonly max: number;
}

function isZeroIn({ min, max }: Range): boolean {
  return min <= 0 && max >= 0;
}

function middleOf({ min, max }: Range): number {
  return (min + max) / 2;
}
