// What happened as lines of a list: a heading for each day, and under it its events.

import type { ActivityV2 } from "../../../server/contract/v2-history.ts";

export type Line =
  | { readonly kind: "day"; readonly key: string; readonly moment: number }
  | {
      readonly kind: "event";
      readonly key: number;
      readonly event: ActivityV2;
    };

/** Days as this desk's clock has them. */
export function linesOf(events: readonly ActivityV2[]): readonly Line[] {
  const lines: Line[] = [];
  let day = "";
  for (const event of events) {
    const moment = Date.parse(event.time);
    const own = new Date(moment).toDateString();
    if (own !== day) lines.push({ kind: "day", key: own, moment });
    day = own;
    lines.push({ kind: "event", key: event.activity_id, event });
  }
  return lines;
}
