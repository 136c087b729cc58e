// Activity log, playback log and trash: shapes of version 2 (V2-280 to V2-289).

import * as z from "zod";
import { moment, idsV2, type Wire } from "./v2.ts";

/** The kinds of things an activity is about. */
export const activityKinds = [
  ...(["player", "asset", "playlist", "settings"] as const),
  ...(["takeover", "fault", "sync", "access"] as const),
] as const;
export type ActivityKind = (typeof activityKinds)[number];

export const activityV2 = z.object({
  /** Increasing: later activities have higher numbers. */
  activity_id: z.int(),
  time: moment,
  kind: z.enum(activityKinds),
  /** What happened to it, in one word: `added`, `changed`, `removed`, `started`, `ended`, `failed` … */
  action: z.string(),
  /** Of the asset, playlist or setting. */
  name: z.string(),
  asset_id: z.string().nullable(),
  /** Further details as a sentence; empty where there are none. */
  details: z.string(),
});
export type ActivityV2 = Wire<typeof activityV2>;

export const playbackV2 = z.object({
  /** Identifies this playback permanently, wherever it is reported again. */
  playback_id: z.string(),
  /** Increasing: later playbacks have higher numbers. */
  number: z.int(),
  asset_id: z.string(),
  name: z.string(),
  playlist: z.object({ playlist_id: z.string(), name: z.string() }).nullable(),
  reason: z.string(),
  started: moment,
  ended: moment,
});
export type PlaybackV2 = Wire<typeof playbackV2>;

export const playbackDayV2 = z.object({
  /** `2026-01-31`, in the screen's time zone. */
  day: z.string(),
  asset_id: z.string(),
  /** Its last name on that day. */
  name: z.string(),
  playbacks: z.int(),
  seconds: z.number(),
});
export type PlaybackDayV2 = Wire<typeof playbackDayV2>;

export const trashEntryV2 = z.object({
  kind: z.enum(["asset", "playlist"]),
  id: z.string(),
  name: z.string(),
  deleted: moment,
});
export type TrashEntryV2 = Wire<typeof trashEntryV2>;

/** What to move to the trash or restore from it. */
export const trashSelectionV2 = z.object({
  asset_ids: idsV2,
  playlist_ids: idsV2,
});
