// Playbacks of all screens added up, beyond the specification of version 3 (V3-87).

import * as z from "zod";
import {
  calendarDay,
  filledText,
  oneOf,
  read,
  repeated,
  tableFormat,
} from "./v3-values.ts";

export const playbackGroupings = [
  ...(["day", "screen", "group", "asset", "playlist"] as const),
] as const;
export type PlaybackGrouping = (typeof playbackGroupings)[number];

/** Of one parameter in a query. */
const maxRepeated = 500;

const id = z.string().nullable();
/** Null of what was deleted. */
const name = z.string().nullable();

/** It has the fields of what it is grouped by. */
export const playbackTotalV3 = z.object({
  /** `2026-05-01`, in the time zone of the screen (L-52). */
  day: z.string().optional(),
  ...{ screen_id: z.string().optional(), screen_name: name.optional() },
  /** Null of screens that are in no group. */
  ...{ group_id: id.optional(), group_name: name.optional() },
  ...{ asset_id: z.string().optional(), asset_title: name.optional() },
  /** Null of what was in no playlist. */
  ...{ playlist_id: id.optional(), playlist_title: name.optional() },
  playbacks: z.int().nonnegative(),
  duration_seconds: z.number().nonnegative(),
});
export type PlaybackTotalV3 = Readonly<z.infer<typeof playbackTotalV3>>;

const ids = read(repeated(maxRepeated, filledText(100))).optional();

/** The query of `GET /playbacks/report` (V3-87). */
export const playbackReportQueryV3 = z.object({
  by: read(
    repeated(playbackGroupings.length, oneOf(playbackGroupings)),
  ).default(["asset"]),
  /** Both inclusive. */
  ...{ from: read(calendarDay).optional(), to: read(calendarDay).optional() },
  ...{ screen: ids, group: ids, asset: ids, playlist: ids },
  format: read(tableFormat).optional(),
});
export type PlaybackReportQueryV3 = Readonly<
  z.infer<typeof playbackReportQueryV3>
>;
