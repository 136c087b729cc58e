// What is due at one moment: the eligible playlists of the highest priority, and their turns that can play.

import { isInHours } from "./asset.ts";
import { runFrom } from "./predicate-program.ts";
import type {
  LineupEntry,
  Part,
  Plan,
  PlannedPlaylist,
} from "./schedule-plan.ts";
import type { WallTime } from "./wall-clock.ts";

export interface Due {
  /** In order; all of one priority. */
  readonly playing: readonly PlannedPlaylist[];
  readonly entries: readonly LineupEntry[];
}

/** Everything but the playlist: whether the asset itself can play (V2-94). */
export function canPlayAt(
  { opensAt, endsAt, asset }: Part,
  at: WallTime,
): boolean {
  return (
    at.moment >= opensAt &&
    at.moment < endsAt &&
    (asset.hours === null || isInHours(asset.hours, at))
  );
}

/** True at this moment, and with something to play (V2-96). */
export function isEligibleAt(
  { predicate, turns }: PlannedPlaylist,
  at: WallTime,
): boolean {
  if (!predicate.holds(at)) return false;
  for (const { part } of turns) if (part && canPlayAt(part, at)) return true;
  return false;
}

/** By the parts' places in the plan: 1 for what can play. */
export function readyAt(parts: readonly Part[], at: WallTime): Uint8Array {
  const ready = new Uint8Array(parts.length);
  for (const part of parts) if (canPlayAt(part, at)) ready[part.index] = 1;
  return ready;
}

export function dueAt({ levels, parts, flat }: Plan, at: WallTime): Due {
  const { predicates, turnsFrom, entries } = flat;
  const ready = readyAt(parts, at);
  let first = 0;
  for (const level of levels) {
    const end = first + level.length;
    const most = (turnsFrom[end] as number) - (turnsFrom[first] as number);
    const due = new Int32Array(most + 1);
    const playing: PlannedPlaylist[] = [];
    let count = 0;
    for (let index = first; index < end; index += 1) {
      const start = predicates.firsts[index] as number;
      if (!runFrom(predicates, start, at)) continue;
      const before = count;
      const stop = turnsFrom[index + 1] as number;
      for (let turn = turnsFrom[index] as number; turn < stop; turn += 1) {
        // Written down in any case, and kept by counting on: no guess of what comes next can be wrong.
        due[count] = turn;
        count += ready[flat.parts[turn] as number] as number;
      }
      if (count > before) playing.push(level[index - first] as PlannedPlaylist);
    }
    if (count > 0) return { playing, entries: picked(entries, due, count) };
    first = end;
  }
  return { playing: [], entries: [] };
}

/** Filled in a plain loop: a lineup of thousands is made in half the time. */
function picked(
  entries: readonly LineupEntry[],
  places: Int32Array,
  count: number,
): readonly LineupEntry[] {
  const chosen = new Array<LineupEntry>(count);
  for (let index = 0; index < count; index += 1)
    chosen[index] = entries[places[index] as number] as LineupEntry;
  return chosen;
}
