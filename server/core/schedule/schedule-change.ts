// When what is due next changes: edge by edge, asking only what an edge touches.

import { canPlayAt, isEligibleAt } from "./schedule-due.ts";
import type { Part, Plan, PlannedPlaylist } from "./schedule-plan.ts";
import { dayMs, type WallTime } from "../wall-clock.ts";

/** So much is asked before an edge that changes nothing is named for once: whoever waits for it asks again then. */
const maxQuestions = 200;
/** And so far ahead: the changes of a zone are searched year by year. */
const farMs = 400 * dayMs;

/** The first moment after this one at which something else is due; null: never by itself. */
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
    // Below the level that plays nothing matters, and what rises to it or above was not eligible before.
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
