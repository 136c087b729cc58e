// What happened here, what was shown, and what was thrown away: shapes of activity, plays and the bin (V2-280 to V2-289).

import * as z from "zod";
import { moment, idsV2, type Wire } from "./v2.ts";

/** What it happened to. */
export const activityKinds = [
  ...(["player", "asset", "playlist", "settings"] as const),
  ...(["takeover", "fault", "sync", "access"] as const),
] as const;
export type ActivityKind = (typeof activityKinds)[number];

export const activityV2 = z.object({
  /** Counts up; what comes later has a higher one. */
  activity_id: z.int(),
  time: moment,
  kind: z.enum(activityKinds),
  /** What happened to it, in one word: `added`, `changed`, `removed`, `started`, `ended`, `failed` … */
  action: z.string(),
  /** Of the asset, playlist or setting. */
  name: z.string(),
  asset_id: z.string().nullable(),
  /** The rest in a sentence; empty where there is none. */
  details: z.string(),
});
export type ActivityV2 = Wire<typeof activityV2>;

export const playbackV2 = z.object({
  /** Names this showing for ever, wherever it is told again. */
  playback_id: z.string(),
  /** Counts up; what was shown later has a higher one. */
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
  /** As it was called last on that day. */
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

/** What is put into the bin, or taken out of it. */
export const trashSelectionV2 = z.object({
  asset_ids: idsV2,
  playlist_ids: idsV2,
});
