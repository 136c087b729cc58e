// Timeline of what is due over a period: computed once at its start, then carried from edge to edge.

import { canPlayAt, readyAt } from "./schedule-due.ts";
import type {
  LineupEntry,
  Part,
  Plan,
  PlannedPlaylist,
} from "./schedule-plan.ts";
import type { WallTime } from "../wall-clock.ts";

/** One playlist's entries in a span. */
export interface PlayingPlaylist {
  /** Null: the local playlist. */
  readonly playlistId: string | null;
  readonly name: string;
  /** In order. */
  readonly entries: readonly LineupEntry[];
}

/** From the first to before the second moment the same is due. */
export interface Span {
  readonly from: number;
  readonly until: number;
  /** In order; empty: nothing is due. */
  readonly playlists: readonly PlayingPlaylist[];
}

/** State of a playlist along the timeline. */
interface Course {
  readonly planned: PlannedPlaylist;
  readonly level: Level;
  isTrue: boolean;
  /** Number of its entries that can play. */
  ready: number;
  isEligible: boolean;
  /** Reused as long as the same entries can play. */
  playing: PlayingPlaylist | null;
}

/** The courses of one priority. */
interface Level {
  readonly courses: Course[];
  eligible: number;
}

export function timelineOf(
  plan: Plan,
  from: number,
  until: number,
): readonly Span[] {
  if (until <= from) return [];
  const state = begin(plan, from);
  const edges = plan.edges();
  const spans: Span[] = [];
  let playlists = playingOf(state);
  let since = from;
  let edge = edges.nextAfter(from);
  while (edge && edge.at < until) {
    if (carry(state, edge.touched, plan.clock.wallTimeAt(edge.at))) {
      const then = playingOf(state);
      if (!isSame(playlists, then)) {
        spans.push({ from: since, until: edge.at, playlists });
        playlists = then;
        since = edge.at;
      }
    }
    edge = edges.nextAfter(edge.at);
  }
  spans.push({ from: since, until, playlists });
  return spans;
}

interface State {
  /** Highest priority first. */
  readonly levels: readonly Level[];
  /** By the index of the playlists in the plan. */
  readonly courses: readonly (Course | undefined)[];
  /** By the index of the parts in the plan: 1 for those that can play. */
  readonly ready: Uint8Array;
}

function begin(plan: Plan, moment: number): State {
  const at = plan.clock.wallTimeAt(moment);
  const ready = readyAt(plan.parts, at);
  const courses: Course[] = [];
  const levels = plan.levels.map((playlists) => {
    const level: Level = { courses: [], eligible: 0 };
    for (const planned of playlists) {
      const isTrue = planned.predicate.holds(at);
      const count = planned.plannedEntries.filter(
        ({ part }) => part && ready[part.index] === 1,
      );
      const course: Course = {
        ...{ planned, level, isTrue, ready: count.length },
        ...{ isEligible: isTrue && count.length > 0, playing: null },
      };
      courses[planned.index] = course;
      level.courses.push(course);
      if (course.isEligible) level.eligible += 1;
    }
    return level;
  });
  return { levels, courses, ready };
}

/** Moves past an edge; returns whether anything eligible has changed. */
function carry(
  { courses, ready }: State,
  touched: readonly (readonly (PlannedPlaylist | Part)[])[],
  at: WallTime,
): boolean {
  const met = new Set<Course>();
  let isOther = false;
  for (const things of touched)
    for (const thing of things) {
      if (thing.kind === "playlist") {
        const course = courses[thing.index];
        if (!course) continue;
        course.isTrue = thing.predicate.holds(at);
        met.add(course);
        continue;
      }
      const canPlay = canPlayAt(thing, at);
      if (canPlay === (ready[thing.index] === 1)) continue;
      ready[thing.index] = canPlay ? 1 : 0;
      for (const { index } of thing.playlists) {
        const course = courses[index];
        if (!course) continue;
        course.ready += canPlay ? 1 : -1;
        course.playing = null;
        met.add(course);
        if (course.isEligible) isOther = true;
      }
    }
  for (const course of met) {
    const isEligible = course.isTrue && course.ready > 0;
    if (isEligible === course.isEligible) continue;
    course.isEligible = isEligible;
    course.level.eligible += isEligible ? 1 : -1;
    isOther = true;
  }
  return isOther;
}

function playingOf({ levels, ready }: State): readonly PlayingPlaylist[] {
  const level = levels.find(({ eligible }) => eligible > 0);
  if (!level) return [];
  return level.courses
    .filter(({ isEligible }) => isEligible)
    .map(
      (course) => (course.playing ??= playingPlaylistOf(course.planned, ready)),
    );
}

function playingPlaylistOf(
  { playlistId, name, plannedEntries }: PlannedPlaylist,
  ready: Uint8Array,
): PlayingPlaylist {
  const entries: LineupEntry[] = [];
  for (const { part, entry } of plannedEntries)
    if (part && entry && ready[part.index] === 1) entries.push(entry);
  return { playlistId, name, entries };
}

/** Unchanged playlists are the identical object. */
function isSame(
  before: readonly PlayingPlaylist[],
  after: readonly PlayingPlaylist[],
): boolean {
  return (
    before.length === after.length &&
    before.every((playlist, index) => playlist === after[index])
  );
}
