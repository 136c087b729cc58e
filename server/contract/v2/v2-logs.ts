// Activity log, playback log and trash: shapes of version 2 (V2-280 to V2-289).

import * as z from "zod";
import { got } from "../field-error.ts";
import { reader, type Reader } from "../reader.ts";
import {
  readInteger,
  readMomentOfQuery,
  readOneOf,
  readText,
} from "./v2-values.ts";
import { inQuery, moment, idsV2, optional, type Wire } from "./v2.ts";

/** The kinds of things an activity is about. */
export const activityKinds = [
  ...(["player", "asset", "playlist", "settings"] as const),
  ...(["takeover", "fault", "sync", "access"] as const),
] as const;
export type ActivityKind = (typeof activityKinds)[number];

/** Who can make a change (V2-792). */
export const activityActorKinds = [
  ...(["manager", "browser", "phone", "token"] as const),
  ...(["local", "service", "command-line"] as const),
] as const;
export type ActivityActorKind = (typeof activityActorKinds)[number];

const activityActorV2 = z.object({
  kind: z.enum(activityActorKinds),
  /** Of the access token, the connection or the user of the operating system; empty without one. */
  name: z.string(),
  /** Of the client; null where no network is involved. */
  address: z.string().nullable(),
});
export type ActivityActor = Wire<typeof activityActorV2>;

const activityChangeV2 = z.object({
  /** As in the interface. */
  field: z.string(),
  /** Values as in the interface, long ones cut; null for none, and `(hidden)` for secrets. */
  before: z.union([z.string(), z.number(), z.boolean(), z.null()]),
  after: z.union([z.string(), z.number(), z.boolean(), z.null()]),
});
export type ActivityChange = Wire<typeof activityChangeV2>;

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
  /** Null for what the player does by itself. */
  actor: activityActorV2.nullable(),
  /** The fields of a change, with their values before and after. */
  changes: z.array(activityChangeV2),
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

/** A parameter that is empty, as in a form, is as one that is left out. */
function filter<T>(read: Reader<T>, description: string, example: string) {
  const readAny = reader<T | undefined>(read.schema, (raw) =>
    raw === "" ? { value: undefined } : read(raw),
  );
  return inQuery(optional(readAny), description, example);
}

/** Without `limit`. */
export const defaultEntries = 200;
const maxEntries = 10_000;

const period = {
  from: filter(
    readMomentOfQuery,
    "Only entries at or after this time.",
    "2026-01-31T00:00:00Z",
  ),
  to: filter(
    readMomentOfQuery,
    "Only entries before this time.",
    "2026-02-01T00:00:00Z",
  ),
};
const format = filter(
  readOneOf("json", "csv"),
  "`json`, or `csv` for a table.",
  "json",
);
const page = {
  before: filter(
    readInteger(0, Number.MAX_SAFE_INTEGER),
    "Only entries with a lower number: the page after the last one.",
    "4711",
  ),
  limit: filter(
    readInteger(1, maxEntries),
    `Maximum number of entries. Default: ${defaultEntries}.`,
    "200",
  ),
  format,
};

export const activityQueryV2 = z.object({
  kind: filter(
    readOneOf(...activityKinds),
    "Only entries of this kind.",
    "fault",
  ),
  ...period,
  actor: filter(
    readOneOf(...activityActorKinds),
    "Only entries of changes made by this kind of actor.",
    "token",
  ),
  search: filter(
    readText(200),
    "Only entries with this text in their name, details, changed values, or the name or address of who made the change.",
    "Lobby",
  ),
  ...page,
});

export const playbacksQueryV2 = z.object({
  asset_id: filter(
    readText(100),
    "Only playbacks of this asset.",
    "4b0c7b0e6f1d4f0f9a4b2c1d0e9f8a7b",
  ),
  ...period,
  ...page,
});

const readDay = reader<string>({ type: "string", format: "date" }, (raw) =>
  typeof raw === "string" &&
  /^\d{4}-\d\d-\d\d$/.test(raw) &&
  !Number.isNaN(Date.parse(raw))
    ? { value: raw }
    : { sentence: `must be a day such as 2026-01-31${got(raw)}` },
);

export const playbackDaysQueryV2 = z.object({
  from: filter(
    readDay,
    "The first day. Default: 31 days; at most 400 days.",
    "2026-01-01",
  ),
  to: filter(readDay, "The last day. Default: today.", "2026-01-31"),
  format,
});

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
