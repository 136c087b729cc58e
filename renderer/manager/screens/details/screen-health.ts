// The outages of a screen as parts of a period: for a strip of time. Pure.

import type { ScreenOutageV3 } from "../../../../server/contract/v3/v3-outages.ts";

export interface HealthPart {
  readonly outage: ScreenOutageV3;
  /** Shares of the period, from 0 to 1. */
  readonly start: number;
  readonly length: number;
}

/** Those that were under way in the period, in order; an ongoing one lasts until its end. */
export function healthOf(
  outages: readonly ScreenOutageV3[],
  since: number,
  until: number,
): { readonly parts: readonly HealthPart[]; readonly failedSeconds: number } {
  const whole = until - since;
  const parts = outages.flatMap((outage): readonly HealthPart[] => {
    const { started_at, ended_at } = outage;
    const from = Math.max(since, Date.parse(started_at));
    const to = Math.min(
      until,
      ended_at === null ? until : Date.parse(ended_at),
    );
    if (to <= from) return [];
    return [
      { outage, start: (from - since) / whole, length: (to - from) / whole },
    ];
  });
  const failed = parts.reduce((sum, { length }) => sum + length, 0);
  return {
    parts: parts.toSorted((a, b) => a.start - b.start),
    failedSeconds: Math.round((failed * whole) / 1000),
  };
}
