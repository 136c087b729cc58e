// What a screen shows at a moment and why, beyond the specification of version 3 (V3-123).

import * as z from "zod";
import { reasonCodes } from "../../core/schedule/schedule.ts";
import { got } from "../field-error.ts";
import { reader } from "../reader.ts";
import { instant, read } from "./v3-values.ts";

const moment = z.iso.datetime({ offset: true });
const playlist = z.object({ id: z.string(), title: z.string() });

/** 200 of `GET /screens/{id}/schedule/` (V3-123). */
export const screenScheduleV3 = z.object({
  time: moment,
  /** The screen's, an IANA name. */
  timezone: z.string(),
  /** False: the screen is dark, whatever is due. */
  is_enabled: z.boolean(),
  /** In order. */
  due: z.array(
    z.object({
      item_id: z.string(),
      asset_id: z.string(),
      name: z.string(),
      playlist: playlist.nullable(),
      /** In seconds. */
      duration: z.number().nonnegative(),
    }),
  ),
  /** When something else is due; null: never. */
  until: moment.nullable(),
  /** Each playlist, followed by its items. */
  candidates: z.array(
    z.object({
      kind: z.enum(["playlist", "asset"]),
      /** Of the playlist, or of the item. */
      id: z.string(),
      name: z.string(),
      /** Null for a playlist. */
      asset_id: z.string().nullable(),
      playlist: playlist.nullable(),
      /** Of its playlist. */
      predicate: z.string(),
      reason: z.object({
        code: z.enum(reasonCodes),
        /** Of `outranked`: the playlist with the higher priority. */
        name: z.string().optional(),
        priority: z.number().optional(),
        /** Of `predicate-false`: the part that decides. */
        part: z.string().optional(),
        /** Of `other-groups`: the labels that the playlist has. */
        labels: z.array(z.string()).optional(),
        /** Of `playlist-empty`: how many items it has, none of which can play. */
        items: z.number().optional(),
      }),
    }),
  ),
});
export type ScreenScheduleV3 = Readonly<z.infer<typeof screenScheduleV3>>;

const latest = Date.UTC(9998, 11, 31);

/** In the years in which schedules are made. */
const scheduledMoment = reader<number>(instant.schema, (raw) => {
  const reading = instant(raw);
  if (!("value" in reading)) return reading;
  return reading.value >= 0 && reading.value <= latest
    ? reading
    : { sentence: `must be from 1970 to 9998${got(raw)}` };
});

/** The query of `GET /screens/{id}/schedule/` (V3-123); now if left out. */
export const screenScheduleQueryV3 = z.object({
  at: read(scheduledMoment).optional(),
});
