// Outages of screens beyond the specification of version 3: the ledger and its totals (V3-84 to V3-86).

import * as z from "zod";
import { outageCauses, outageStates } from "../link/screen-report.ts";
import {
  filledText,
  instant,
  integer,
  oneOf,
  read,
  repeated,
  tableFormat,
  zone,
} from "./v3-values.ts";

/** Of one parameter in a query. */
const maxRepeated = 500;
/** Of outages in one response. */
const maxListed = 10_000;

const moment = z.iso.datetime({ offset: true });

/** An outage of a screen (V3-84). */
export const screenOutageV3 = z.object({
  id: z.string(),
  screen_id: z.string(),
  screen_name: z.string(),
  state: z.enum(outageStates),
  reason: z.string(),
  /** `unknown` of a screen that does not respond, until it is back (L-50). */
  cause: z.enum(outageCauses),
  started_at: moment,
  /** Null while it lasts. */
  ended_at: moment.nullable(),
  /** Null while it lasts. */
  duration_seconds: z.number().nonnegative().nullable(),
});
export type ScreenOutageV3 = Readonly<z.infer<typeof screenOutageV3>>;

const figures = {
  outages: z.int().nonnegative(),
  duration_seconds: z.number().nonnegative(),
};

/** Outages of a screen, of a group or of a month (V3-86). */
export const outageTotalV3 = z.object({
  /** Of the screen or the group; `2026-05` for a month. Null for screens that are in no group. */
  id: z.string().nullable(),
  name: z.string().nullable(),
  ...figures,
  /** Of those that occurred. */
  causes: z.partialRecord(z.enum(outageCauses), z.object(figures)),
});
export type OutageTotalV3 = Readonly<z.infer<typeof outageTotalV3>>;

export const outageGroupings = ["screen", "group", "month"] as const;
export type OutageGrouping = (typeof outageGroupings)[number];

const ids = read(repeated(maxRepeated, filledText(100))).optional();

/** Those that were under way in this time (V3-85). */
const filters = {
  screen: ids,
  group: ids,
  state: read(repeated(maxRepeated, oneOf(outageStates))).optional(),
  cause: read(repeated(maxRepeated, oneOf(outageCauses))).optional(),
  since: read(instant).optional(),
  until: read(instant).optional(),
  format: read(tableFormat).optional(),
};

/** The query of `GET /screens/outages/` (V3-84). */
export const screenOutagesQueryV3 = z.object({
  ...filters,
  limit: read(integer(1, maxListed)).default(1000),
  offset: read(integer(0, Number.MAX_SAFE_INTEGER)).default(0),
});

export type OutageFiltersV3 = Omit<
  Readonly<z.infer<typeof screenOutagesQueryV3>>,
  "limit" | "offset"
>;

/** The query of `GET /screens/outages/totals/` (V3-86). */
export const outageTotalsQueryV3 = z.object({
  ...filters,
  by: read(oneOf(outageGroupings)).default("screen"),
  /** In which months begin. */
  timezone: read(zone).default("UTC"),
});
