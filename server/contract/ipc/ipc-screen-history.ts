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

const moment = z.iso.datetime({ offset: true });

const day = z.iso.date();

const screens = {
  serviceId: z.string().min(1).max(100),
  /** Null for every label. */
  labelId: z.string().min(1).max(200).nullable(),
};

/** Outages that were under way since then. */
const outages = { ...screens, since: moment };

export const screenHistoryQuestions = {
  /** Those that go on first, then newest first (V3-84). */
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
}
