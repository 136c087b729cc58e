// What is due at one moment: the eligible playlists of the highest priority, and their entries that can play.

import { isInHours } from "../play-hours.ts";
import type {
  FlatPlan,
  LineupEntry,
  Part,
  Plan,
  PlannedPlaylist,
} from "./schedule-plan.ts";
import type { WallTime } from "../wall-clock.ts";

export interface Due {
  /** In order; all of one priority. */
  readonly playing: readonly PlannedPlaylist[];
  readonly entries: readonly LineupEntry[];
}

/** Ignores the playlist: whether the asset itself can play (V2-94). */
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
  { predicate, plannedEntries }: PlannedPlaylist,
  at: WallTime,
): boolean {
  if (!predicate.holds(at)) return false;
  for (const { part } of plannedEntries)
    if (part && canPlayAt(part, at)) return true;
  return false;
}

/** By the index of the parts in the plan: 1 for those that can play. */
export function readyAt(parts: readonly Part[], at: WallTime): Uint8Array {
  const ready = new Uint8Array(parts.length);
  for (const part of parts) if (canPlayAt(part, at)) ready[part.index] = 1;
  return ready;
}

export function dueAt({ levels, parts, flat }: Plan, at: WallTime): Due {
  const ready = readyAt(parts, at);
  const isTrueAt = flat.predicates.evaluateAt(at);
  let first = 0;
  for (const level of levels) {
    const end = first + level.length;
    const truths = isTrueAt(first, end);
    const due = dueOfLevel(flat, { first, level, truths, ready });
    if (due.entries.length > 0) return due;
    first = end;
  }
  return { playing: [], entries: [] };
}

interface LevelNow {
  /** Index of its first playlist. */
  readonly first: number;
  readonly level: readonly PlannedPlaylist[];
  /** For each of its playlists: 1 if its predicate is true. */
  readonly truths: Uint8Array;
  readonly ready: Uint8Array;
}

function dueOfLevel(
  { entryStarts, parts, entries }: FlatPlan,
  { first, level, truths, ready }: LevelNow,
): Due {
  let most = 0;
  for (let index = 0; index < level.length; index += 1)
    if (truths[index] === 1)
      most +=
        (entryStarts[first + index + 1] as number) -
        (entryStarts[first + index] as number);
  // One more, so that the last one can be written, too; with its length fixed from the start, filling it takes half the time.
  const due = new Array<LineupEntry>(most + 1);
  const playing: PlannedPlaylist[] = [];
  let count = 0;
  for (let index = 0; index < level.length; index += 1) {
    if (truths[index] === 0) continue;
    const before = count;
    const stop = entryStarts[first + index + 1] as number;
    for (
      let entryIndex = entryStarts[first + index] as number;
      entryIndex < stop;
      entryIndex += 1
    ) {
      // Always written, and kept by incrementing the count: there is no branch to mispredict.
      due[count] = entries[entryIndex] as LineupEntry;
      count += ready[parts[entryIndex] as number] as number;
    }
    if (count > before) playing.push(level[index] as PlannedPlaylist);
  }
  due.length = count;
  return { playing, entries: due };
}
