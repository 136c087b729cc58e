// Activity of the content service beyond the specification of version 3: who changed what, when and from where (V3-200 to V3-202).

import * as z from "zod";
import {
  filledText,
  instant,
  integer,
  oneOf,
  read,
  tableFormat,
} from "./v3-values.ts";

export const activityKindsV3 = [
  ...(["asset", "folder", "playlist", "group", "screen"] as const),
  ...(["shared-playlist", "edge-app", "setting"] as const),
  ...(["alert-rule", "alert", "assertion"] as const),
  ...(["key", "person", "invitation"] as const),
] as const;
export type ActivityKindV3 = (typeof activityKindsV3)[number];

const events = [
  ...(["added", "changed", "removed", "commanded", "deployed"] as const),
  ...(["signed-in", "sign-in-failed", "signed-out"] as const),
] as const;

const authors = [
  "person",
  "key",
  "player",
  "command",
  "service",
  "unknown",
] as const;

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const activityChangeV3 = z.object({
  field: z.string(),
  before: value,
  after: value,
});
export type ActivityChangeV3 = Readonly<z.infer<typeof activityChangeV3>>;

/** An entry of the activity log (V3-200). */
export const activityV3 = z.object({
  id: z.string(),
  at: z.iso.datetime({ offset: true }),
  actor_kind: z.enum(authors),
  /** Of the person or the key. */
  actor_id: z.string().nullable(),
  actor_name: z.string(),
  /** From where; null where there was no request. */
  address: z.string().nullable(),
  kind: z.enum(activityKindsV3),
  what: z.enum(events),
  /** Null: several things. */
  resource_id: z.string().nullable(),
  name: z.string(),
  changes: z.array(activityChangeV3),
  /** How many things the entry stands for. */
  count: z.int().positive(),
});
export type ActivityV3 = Readonly<z.infer<typeof activityV3>>;

/** A page of entries, newest first. */
export const activityPageV3 = z.object({
  entries: z.array(activityV3),
  /** For the next page; null: there are no more. */
  next: z.string().nullable(),
});
export type ActivityPageV3 = Readonly<z.infer<typeof activityPageV3>>;

const maxListed = 1_000;

/** The query of `GET /activity/` (V3-201). */
export const activityQueryV3 = z.object({
  since: read(instant).optional(),
  until: read(instant).optional(),
  actor: read(filledText(100)).optional(),
  kind: read(oneOf(activityKindsV3)).optional(),
  resource: read(filledText(100)).optional(),
  text: read(filledText(200)).optional(),
  cursor: read(filledText(100)).optional(),
  limit: read(integer(1, maxListed)).default(100),
  format: read(tableFormat).optional(),
});
export type ActivityQueryV3 = Readonly<z.infer<typeof activityQueryV3>>;
