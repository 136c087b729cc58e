// The schedule: what is due on the screen at a moment, until when, and why.

import { changeAfter } from "./schedule-change.ts";
import { dueAt } from "./schedule-due.ts";
import {
  planOf,
  type LineupEntry,
  type ScheduleInput,
} from "./schedule-plan.ts";
import type { Candidate } from "./schedule-reason.ts";
import { timelineOf, type Span } from "./schedule-timeline.ts";
import { candidatesOf } from "./schedule-why.ts";

export type { LineupEntry, ScheduleInput } from "./schedule-plan.ts";
export {
  reasonCodes,
  type Candidate,
  type Reason,
  type ReasonCode,
} from "./schedule-reason.ts";
export type { Span } from "./schedule-timeline.ts";

export interface Lineup {
  /** In order. */
  readonly entries: readonly LineupEntry[];
  /** The lineup stays the same until this moment; null if no further change is planned. */
  readonly changesAt: number | null;
}

/** A prepared schedule for frequent queries about any moment, past or future. */
export interface Schedule {
  lineupAt(moment: number): Lineup;
  /** Every playlist and its entries in lineup order, with the reason why each plays or not. */
  candidatesAt(moment: number): readonly Candidate[];
  /** What is due between two moments, without gaps; each span ends where something changes. */
  timeline(from: number, until: number): readonly Span[];
}

export function compileSchedule(input: ScheduleInput): Schedule {
  const plan = planOf(input);
  return {
    lineupAt: (moment) => {
      const at = plan.clock.wallTimeAt(moment);
      const { playing, entries } = dueAt(plan, at);
      return { entries, changesAt: changeAfter(plan, at, playing) };
    },
    candidatesAt: (moment) => candidatesOf(plan, moment),
    timeline: (from, until) => timelineOf(plan, from, until),
  };
}
