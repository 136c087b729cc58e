// Finds when what is due next changes: edge by edge, evaluating only what an edge affects.

import { canPlayAt, isEligibleAt } from "./schedule-due.ts";
import type { Part, Plan, PlannedPlaylist } from "./schedule-plan.ts";
import { dayMs, type WallTime } from "../wall-clock.ts";

/** After this many evaluations, an edge that changes nothing may be returned: the caller evaluates again at that time. */
const maxQuestions = 200;
/** Search horizon: the changes of a zone are searched year by year. */
const farMs = 400 * dayMs;

/** The first later moment at which something else is due; null: never by itself. */
export function changeAfter(
  plan: Plan,
  at: WallTime,
  playing: readonly PlannedPlaylist[],
): number | null {
  const onScreen = new Uint8Array(plan.playlists.length);
  for (const { index } of playing) onScreen[index] = 1;
  const level = playing[0]?.priority ?? -Infinity;
  const edges = plan.edges();
  let questions = 0;

  function isChangedBy(thing: PlannedPlaylist | Part, then: WallTime): boolean {
    questions += 1;
    if (thing.kind === "asset")
      return thing.playlists.some((playlist) =>
        onScreen[playlist.index]
          ? canPlayAt(thing, at) !== canPlayAt(thing, then)
          : isChangedBy(playlist, then),
      );
    // Below the level that plays nothing matters, and whatever rises to it or above was not eligible before.
    if (thing.priority < level) return false;
    return (onScreen[thing.index] === 1) !== isEligibleAt(thing, then);
  }

  let edge = edges.nextAfter(at.moment);
  while (edge) {
    const then = plan.clock.wallTimeAt(edge.at);
    for (const things of edge.touched)
      for (const thing of things) if (isChangedBy(thing, then)) return edge.at;
    questions += 1;
    if (questions > maxQuestions || edge.at > at.moment + farMs) return edge.at;
    edge = edges.nextAfter(edge.at);
  }
  return null;
}
