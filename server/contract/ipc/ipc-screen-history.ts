// Requests of the manager about what happened on the screens of a content service: their outages.

import * as z from "zod";
import {
  outageGroupings,
  type OutageTotalV3,
  type ScreenOutageV3,
} from "../v3/v3-outages.ts";

const moment = z.iso.datetime({ offset: true });

/** Outages that were under way since then. */
const outages = {
  serviceId: z.string().min(1).max(100),
  since: moment,
  /** Null for every label. */
  labelId: z.string().min(1).max(200).nullable(),
};

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
} as const;

export interface ScreenHistoryAnswers {
  listScreenOutages: readonly ScreenOutageV3[];
  readOutageTotals: readonly OutageTotalV3[];
}
