// Screens beyond the specification of version 3: their states, commands with results, outages (V3-81 to V3-84).

import * as z from "zod";
import { commandStates } from "../link/link.ts";
import { screenReport, screenStates } from "../link/screen-report.ts";

const moment = z.iso.datetime({ offset: true });

/** A screen in `GET /screens/states/` (V3-81). */
export const screenStateV3 = z.object({
  id: z.string(),
  name: z.string(),
  is_enabled: z.boolean(),
  /** IANA name. */
  timezone: z.string(),
  location: z.string(),
  /** Its manual labels. */
  groups: z.array(z.object({ id: z.string(), name: z.string() })),
  state: z.enum(screenStates),
  /** Null for a screen that was never heard of. */
  state_since: moment.nullable(),
  /** Why it is not right, in a sentence; null when it is. */
  reason: z.string().nullable(),
  /** Null where the player reports none. */
  report: screenReport.nullable(),
  reported_at: moment.nullable(),
  item_counts: z
    .object({
      wanted: z.int().nonnegative(),
      here: z.int().nonnegative(),
      failed: z.int().nonnegative(),
    })
    .nullable(),
  last_ping: moment.nullable(),
  software_version: z.string().nullable(),
  /** `url` is signed and expires. */
  screenshot: z.object({ url: z.string(), taken_at: moment }).nullable(),
});
export type ScreenStateV3 = Readonly<z.infer<typeof screenStateV3>>;

/** A command with its result (V3-82, V3-83). */
export const screenCommandStateV3 = z.object({
  id: z.string(),
  /** Commands that were sent together have the same action. */
  action_id: z.string(),
  screen_id: z.string(),
  kind: z.string(),
  arguments: z.record(z.string(), z.json()),
  /** Name of the API key that sent it. */
  issued_by: z.string(),
  created_at: moment,
  expires_at: moment,
  state: z.enum(commandStates),
  /** When it came into this state. */
  state_at: moment,
  /** Why it failed. */
  message: z.string().nullable(),
});
export type ScreenCommandStateV3 = Readonly<
  z.infer<typeof screenCommandStateV3>
>;

/** 201 of `POST /screens/commands/` (V3-82). */
export const screenActionV3 = z.object({
  id: z.string(),
  commands: z.array(screenCommandStateV3),
});

/** An outage of a screen (V3-84). */
export const screenOutageV3 = z.object({
  id: z.string(),
  screen_id: z.string(),
  screen_name: z.string(),
  state: z.enum(["wrong", "incomplete", "offline"]),
  reason: z.string(),
  started_at: moment,
  /** Null while it goes on. */
  ended_at: moment.nullable(),
});
export type ScreenOutageV3 = Readonly<z.infer<typeof screenOutageV3>>;
