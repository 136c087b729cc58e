// What a player reports about its screen to its content service: what is shown, why, whether it was verified, what comes next (L-38).

import * as z from "zod";

const name = z.string().max(100);
const sentence = z.string().max(300);
const moment = z.iso.datetime({ offset: true });

const showing = z.object({
  /** The service's own identifier; null for anything that did not come from it. */
  asset_id: z.string().max(100).nullable(),
  name,
  /** One of `showingKinds`; a service accepts kinds of later players. */
  kind: z.string().max(40),
  /** Why it is shown, as in `now` (V2-72). */
  reason: z.string().max(40),
  /** The same in a sentence, in English. */
  explanation: sentence,
  playlist: name.nullable(),
  since: moment,
  /** Null: until its own end, or until something else is due. */
  until: moment.nullable(),
  /** Result of the last verification (V2-148); null while it was not verified yet. */
  verdict: z.enum(["verified", "blank", "frozen", "wrong"]).nullable(),
  verdict_since: moment.nullable(),
});

/** `GET /api/v2/now`, shortened. */
export const screenReport = z.object({
  /** Null until the first showing of this run is visible. */
  showing: showing.nullable(),
  next: name.nullable(),
  paused_until: moment.nullable(),
  /** The screen is meant to be dark now: an operator blanked it. */
  is_dark: z.boolean(),
  /** Why items that should be here are not, and while nothing that is due can be shown, why others fail to play; the first three. */
  missing: z.array(z.object({ name, reason: sentence })).max(3),
  displays: z
    .array(
      z.object({
        width: z.int().positive(),
        height: z.int().positive(),
        /** Degrees, clockwise. */
        rotation: z.int(),
        is_playback: z.boolean(),
      }),
    )
    .max(8),
  storage: z
    .object({
      free_bytes: z.int().nonnegative(),
      total_bytes: z.int().nonnegative(),
    })
    .nullable(),
  /** The player's clock minus the service's, in milliseconds; null while not measured. */
  clock_skew_ms: z.int().nullable(),
});
export type ScreenReport = Readonly<z.infer<typeof screenReport>>;

/** Of the report as JSON, in bytes; a player shortens its texts until it fits. */
export const maxReportBytes = 2048;

/** What an operator can act on (L-40). */
export const screenStates = [
  /** Shows what it should, verified on the screen, and has everything it should have. */
  "right",
  /** Plays, but nothing has verified it, or the player does not report it. */
  "unverified",
  /** Blank, frozen, something else than planned, or nothing although something is due. */
  "wrong",
  /** Plays, but items that it should have are not there. */
  "incomplete",
  "offline",
  /** Dark because an operator blanked or disabled it. */
  "dark",
  /** Added, but never heard of. */
  "never-seen",
] as const;
export type ScreenState = (typeof screenStates)[number];

/** States that are outages (L-43). */
export const outageStates = ["wrong", "incomplete", "offline"] as const;
export type OutageState = (typeof outageStates)[number];

/** Why a screen had an outage (L-50). */
export const outageCauses = [
  /** The player ran on without reaching its service. */
  "network",
  /** The PC lost power, or stopped by itself. */
  "power",
  /** The player stopped by itself, or does not play on. */
  "app",
  /** Items that should be there are not. */
  "content",
  /** No display is connected. */
  "display",
  /** An operator disabled, restarted or shut it down. */
  "planned",
  "unknown",
] as const;
export type OutageCause = (typeof outageCauses)[number];
