// Requests of the manager about what happened on the screens of a content service: their outages, and what they played.

import * as z from "zod";
import {
  outageGroupings,
  type OutageTotalV3,
  type ScreenOutageV3,
} from "../v3/v3-outages.ts";
import {
  playbackGroupings,
  type PlaybackTotalV3,
} from "../v3/v3-playback-report.ts";
import type { ScreenScheduleV3 } from "../v3/v3-screen-schedule.ts";

const moment = z.iso.datetime({ offset: true });

const day = z.iso.date();

const serviceId = z.string().min(1).max(100);
const id = z.string().min(1).max(200);

const screens = {
  serviceId,
  /** Null for every label. */
  labelId: id.nullable(),
  /** Left out: all screens. */
  screenId: id.optional(),
};

/** Outages that were under way since then. */
const outages = { ...screens, since: moment };

export const screenHistoryQuestions = {
  /** Ongoing ones first, then newest first (V3-84). */
  listScreenOutages: z.object({
    ...outages,
    limit: z.int().min(1).max(10_000),
    offset: z.int().nonnegative().optional(),
  }),
  /** V3-86 */
  readOutageTotals: z.object({
    ...outages,
    by: z.enum(outageGroupings),
    /** IANA name. */
    timezone: z.string().min(1).max(100),
  }),
  /** What is due on a screen at a moment, and why (V3-123). */
  readScreenSchedule: z.object({ serviceId, screenId: id, at: moment }),
  /** V3-87; both days are included. */
  readPlaybackReport: z.object({
    ...{ ...screens, from: day, to: day },
    by: z.array(z.enum(playbackGroupings)).min(1).max(playbackGroupings.length),
  }),
} as const;

export interface ScreenHistoryAnswers {
  listScreenOutages: readonly ScreenOutageV3[];
  readOutageTotals: readonly OutageTotalV3[];
  readPlaybackReport: readonly PlaybackTotalV3[];
  readScreenSchedule: ScreenScheduleV3;
}
