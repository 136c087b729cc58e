// Activity entries as lines of a list: a heading for each day, and its events below.

import type { ActivityV2 } from "../../../server/contract/v2/v2-logs.ts";
import { withDays, type DayLine } from "./activity-days.ts";

export interface EventLine {
  readonly kind: "event";
  readonly key: number;
  readonly event: ActivityV2;
  /** A takeover that was only a drill, from its start to its end. */
  readonly isDrill: boolean;
  /** Number of events on this line. */
  readonly count: number;
  /** All of them, where they have names. */
  readonly events: readonly ActivityV2[];
}

/** Days in the given time zone. */
export function linesOf(
  events: readonly ActivityV2[],
  zone: string,
): readonly (DayLine | EventLine)[] {
  const drills = drillsAmong(events);
  const lines = folded(events).map(
    ({ event, count, events: run }): EventLine => ({
      ...{ kind: "event", key: event.activity_id, event, count },
      ...{ isDrill: drills.has(event.activity_id), events: run },
    }),
  );
  return withDays(lines, ({ event }) => event.time, zone);
}

/** For very many changes at once the player logs their number and no name. */
export function isCount({ kind, name, details }: ActivityV2): boolean {
  const isThing = kind === "asset" || kind === "playlist";
  return isThing && name === "" && /^\d+$/.test(details);
}

/** Fewer are listed by name. */
const manyAtOnce = 5;

/** Changes to many of a kind in one operation, such as a new play order, become one line. */
function folded(
  events: readonly ActivityV2[],
): readonly Pick<EventLine, "event" | "count" | "events">[] {
  const runs: ActivityV2[][] = [];
  for (const event of events) {
    const run = runs.at(-1);
    if (run?.[0] && isSameAction(run[0], event)) run.push(event);
    else runs.push([event]);
  }
  return runs.flatMap((run) => {
    const [first] = run;
    if (first && run.length >= manyAtOnce)
      return [{ event: first, count: run.length, events: run }];
    return run.map((event) => ({
      ...{ event, count: isCount(event) ? Number(event.details) : 1 },
      events: [event],
    }));
  });
}

function isSameAction(one: ActivityV2, other: ActivityV2): boolean {
  return (
    (one.kind === "asset" || one.kind === "playlist") &&
    one.action === "changed" &&
    one.name !== "" &&
    one.kind === other.kind &&
    one.action === other.action &&
    one.details === other.details &&
    JSON.stringify(one.actor) === JSON.stringify(other.actor) &&
    one.time.slice(0, 19) === other.time.slice(0, 19)
  );
}

/** The end event does not say that it was a drill; it belongs to the start event before it. */
function drillsAmong(events: readonly ActivityV2[]): ReadonlySet<number> {
  const drillIds = new Set<number>();
  let isDrill = false;
  for (const { kind, action, activity_id: id } of events.toReversed()) {
    if (kind !== "takeover") continue;
    if (action !== "ended") isDrill = action === "drill";
    if (isDrill) drillIds.add(id);
    if (action === "ended") isDrill = false;
  }
  return drillIds;
}
