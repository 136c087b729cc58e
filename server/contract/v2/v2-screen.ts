// What is on the screen and why, and takeovers: now, why and takeover of version 2 (V2-140 to V2-169).

import { fieldSentences } from "../sentences/field-sentences.ts";
import { assetLimits } from "../../core/asset-limits.ts";
import * as z from "zod";
import { reasonCodes } from "../../core/schedule/schedule.ts";
import { showingKinds } from "../../core/showing.ts";
import { got } from "../field-error.ts";
import { reader } from "../reader.ts";
import {
  readBoolean,
  readMatching,
  readMoment,
  readMomentOfQuery,
  readText,
  readInteger,
} from "./v2-values.ts";
import { inQuery, moment, optional, type Wire } from "./v2.ts";

const playlist = z.object({ playlist_id: z.string(), name: z.string() });

/** The result of the last verification of the screen (V2-148). */
const verdict = z.enum(["verified", "blank", "frozen", "wrong"]);

/** Why the screen shows what it shows (V2-72). */
const reasons = [
  ...(["schedule", "command", "takeover"] as const),
  ...(["nothing-due", "not-ready"] as const),
] as const;

const showing = z.object({
  /** Null for the idle screen and for a message. */
  asset_id: z.string().nullable(),
  name: z.string(),
  kind: z.enum(showingKinds),
  reason: z.enum(reasons),
  /** The same in a sentence. */
  explanation: z.string(),
  /** Null for anything outside a playlist, including local assets. */
  playlist: playlist.nullable(),
  since: moment,
  /** Null: until its own end, or until something else is due. */
  until: moment.nullable(),
  verdict: verdict.nullable(),
  /** When the first verification of the current run of equal results took place (V2-380). */
  verdict_since: moment.nullable(),
  checked: moment.nullable(),
});

/** What is on the screen (V2-72). */
export const nowV2 = z.object({
  time: moment,
  player_name: z.string(),
  /** Null while the schedule is running (V2-291). */
  paused_until: moment.nullable(),
  /** Null until the first showing of this run is visible. */
  showing: showing.nullable(),
  next: z.object({ asset_id: z.string(), name: z.string() }).nullable(),
});
export type NowV2 = Wire<typeof nowV2>;

/** A takeover in answers (V2-150). */
export const takeoverV2 = z.object({
  takeover_id: z.string(),
  /** One of these three is not null, unless it is blank. */
  asset_id: z.string().nullable(),
  text: z.string().nullable(),
  url: z.string().nullable(),
  /** The screen shows an empty dark background. */
  blank: z.boolean(),
  is_drill: z.boolean(),
  reason: z.string().nullable(),
  started: moment,
  until: moment.nullable(),
  is_showing: z.boolean(),
  /** Why it cannot be shown. */
  error_message: z.string().nullable(),
});
export type TakeoverV2 = Wire<typeof takeoverV2>;

export const pausedV2 = z.object({ paused_until: moment.nullable() });
export type PauseV2 = Wire<typeof pausedV2>;

/** One hour by default: a forgotten pause ends by itself (V2-291). */
export const pauseV2 = z.object({ seconds: optional(readInteger(1, 86_400)) });

export const whyQueryV2 = z.object({
  at: inQuery(
    optional(readMomentOfQuery),
    "The date and time to check. Default: now.",
    "2026-01-31T09:30:00Z",
  ),
});

/** What is due at a moment, and why (V2-145). */
export const whyV2 = z.object({
  time: moment,
  timezone: z.string(),
  /** The takeover active at this moment. */
  takeover: takeoverV2.nullable(),
  /** In order. */
  due: z.array(
    z.object({
      entry_id: z.string(),
      asset_id: z.string(),
      name: z.string(),
      playlist: playlist.nullable(),
      /** In seconds; 0 is its own length. */
      duration: z.number().nonnegative(),
    }),
  ),
  until: moment.nullable(),
  candidates: z.array(
    z.object({
      kind: z.enum(["playlist", "asset"]),
      id: z.string(),
      name: z.string(),
      asset_id: z.string().nullable(),
      playlist: playlist.nullable(),
      /** Why it does or does not play (V2-146). */
      reason: z.enum(reasonCodes),
      explanation: z.string(),
    }),
  ),
});
export type WhyV2 = Wire<typeof whyV2>;

/** The longest text that is still readable from across a room. */
const maxTextLength = 500;
const maxReasonLength = 500;
const maxIdLength = 100;
const maxUrlLength = assetLimits.addressLetters;
const maxSeconds = assetLimits.durationSeconds;

export const notAPage = fieldSentences["web-address"];

const readPage = readMatching(
  { type: "string", format: "uri", pattern: "^https?://[^\\s/?#]" },
  maxUrlLength,
  /^https?:\/\/[^\s/?#]/i,
  notAPage,
);

/** true, or omitted. */
const readTrue = reader<boolean>({ type: "boolean", const: true }, (raw) => {
  const reading = readBoolean(raw);
  if ("sentence" in reading || reading.value) return reading;
  return { sentence: `must be true or left out${got(raw)}` };
});

const contents = ["asset_id", "text", "url", "blank"] as const;

/** Exactly one of the four contents, and at most one of the two ends (V2-150). */
export const createTakeoverV2 = z
  .object({
    asset_id: optional(readText(maxIdLength)),
    text: optional(readText(maxTextLength)),
    url: optional(readPage),
    blank: optional(readTrue),
    is_drill: optional(readBoolean),
    until: optional(readMoment),
    seconds: optional(readInteger(1, maxSeconds)),
    reason: optional(readText(maxReasonLength)),
  })
  .superRefine((body, context) => {
    const sent = contents.filter((field) => body[field] !== undefined);
    if (sent.length !== 1)
      context.addIssue({
        ...{ code: "custom", path: [sent[1] ?? "asset_id"] },
        message: sent[1]
          ? `must not be combined with ${sent[0]}`
          : "is required, unless text, url or blank is sent",
      });
    if (body.until !== undefined && body.seconds !== undefined)
      context.addIssue({
        ...{ code: "custom", path: ["seconds"] },
        message: "must not be combined with until",
      });
  })
  .meta({ oneOf: contents.map(withField) });

function withField(field: (typeof contents)[number]) {
  const type = field === "blank" ? "boolean" : "string";
  const properties = { [field]: { type } };
  const open = { type: "object", additionalProperties: true };
  return { ...open, properties, required: [field] };
}
