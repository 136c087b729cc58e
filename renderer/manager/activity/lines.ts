// What happened as lines of a list: a heading for each day, and under it its events.

import type { ActivityV2 } from "../../../server/contract/v2-history.ts";

export type Line =
  | { readonly kind: "day"; readonly key: string; readonly moment: number }
  | {
      readonly kind: "event";
      readonly key: number;
      readonly event: ActivityV2;
      /** A takeover that was only tried, from its beginning to its end. */
      readonly isDrill: boolean;
    };

/** Days as this desk's clock has them. */
export function linesOf(events: readonly ActivityV2[]): readonly Line[] {
  const lines: Line[] = [];
  const drills = drillsAmong(events);
  let day = "";
  for (const event of events) {
    const moment = Date.parse(event.time);
    const own = new Date(moment).toDateString();
    if (own !== day) lines.push({ kind: "day", key: own, moment });
    day = own;
    const isDrill = drills.has(event.activity_id);
    lines.push({ kind: "event", key: event.activity_id, event, isDrill });
  }
  return lines;
}

/** The end says nothing of it itself; it belongs to the beginning before it. */
function drillsAmong(events: readonly ActivityV2[]): ReadonlySet<number> {
  const found = new Set<number>();
  let isDrill = false;
  for (const { kind, what, activity_id: id } of events.toReversed()) {
    if (kind !== "takeover") continue;
    if (what !== "ended") isDrill = what === "drill";
    if (isDrill) found.add(id);
    if (what === "ended") isDrill = false;
  }
  return found;
}
