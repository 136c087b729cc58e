// Screens beyond the specification of version 3: their states, and commands with results, and live pictures (V3-81 to V3-83,
// V3-130 to V3-132).

import * as z from "zod";
import { fieldSentences } from "../sentences/field-sentences.ts";
import { composeSentence } from "../sentence-templates.ts";
import { got } from "../field-error.ts";
import { commandKinds, commandStates } from "../link/link.ts";
import { screenReport, screenStates } from "../link/screen-report.ts";
import { reader, type Reader } from "../reader.ts";
import { adoptedV3 } from "./v3-adopted.ts";
import {
  anyJson,
  filledText,
  flag,
  integer,
  jsonOf,
  listSchema,
  oneOf,
  read,
  repeated,
  required,
  text,
} from "./v3-values.ts";

/** Of screens and of groups in one body (V3-18). */
const maxScreens = 10_000;
const maxGroups = 1000;
/** Of one parameter in a query. */
const maxRepeated = 500;
/** An older command would take people by surprise (L-11). */
const maxSeconds = 600;

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
  /** Of an adopted player (V3-112); left out for all others. */
  adopted: adoptedV3.optional(),
});
export type ScreenStateV3 = Readonly<z.infer<typeof screenStateV3>>;

/** 200 of `GET /screens/states/?since=REVISION` (V3-120). */
export const screenChangesV3 = z.object({
  /** Of the next request. */
  revision: z.string(),
  /** The first part of the whole list: what isn't in its parts no longer exists. */
  is_whole: z.boolean(),
  /** Otherwise, the next request returns the next part. */
  is_complete: z.boolean(),
  screens: z.array(screenStateV3),
  /** Identifiers of deleted screens. */
  removed: z.array(z.string()),
});

/** A command with its result (V3-82, V3-83). */
export const screenCommandStateV3 = z.object({
  id: z.string(),
  /** Commands that were sent together have the same action. */
  action_id: z.string(),
  screen_id: z.string(),
  kind: z.string(),
  arguments: z.record(z.string(), anyJson),
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

const commandCount = z.int().nonnegative();

/** 200 of `GET /screens/commands/totals/` (V3-122). */
export const screenCommandTotalsV3 = z.object({
  waiting: commandCount,
  received: commandCount,
  done: commandCount,
  failed: commandCount,
  expired: commandCount,
});
export type ScreenCommandTotalsV3 = Readonly<
  z.infer<typeof screenCommandTotalsV3>
>;

/** 201 of `POST /screens/commands/` (V3-82). */
export const screenActionV3 = z.object({
  id: z.string(),
  commands: z.array(screenCommandStateV3),
});

/** 200 of `POST /screens/{id}/watch/` (V3-130). */
export const screenLiveV3 = z.object({
  /** The player has confirmed within the last seconds that the screen shows this picture. */
  is_live: z.boolean(),
  /** When the picture was taken; null while none has arrived. */
  taken_at: moment.nullable(),
  /** Of the picture; null while none has arrived. */
  hash: z.string().nullable(),
  /** As a `data:` address; null while it is the one whose hash was sent. */
  picture: z.string().nullable(),
});
export type ScreenLiveV3 = Readonly<z.infer<typeof screenLiveV3>>;

/** The body of `POST /screens/{id}/watch/`: the hash of the picture that the client has (V3-130). */
export const screenWatchV3 = z.object({
  hash: read(filledText(100)).optional(),
});

const identifierSchema = {
  anyOf: [
    { type: "string" },
    {
      type: "object",
      properties: { id: { type: "string" } },
      required: ["id"],
    },
  ],
};

/** By identifier, as text or as an object with an `id`. */
const idsUpTo = (most: number): Reader<readonly string[]> =>
  reader(listSchema(most, identifierSchema), (raw) => {
    const json = jsonOf(raw);
    if (!Array.isArray(json))
      return { sentence: `must be an array of identifiers${got(json)}` };
    if (json.length > most)
      return {
        sentence: composeSentence(fieldSentences.elements, { limit: most }),
      };
    const ids: string[] = [];
    for (const [at, each] of (json as unknown[]).entries()) {
      const id: unknown =
        typeof each === "object" && each && "id" in each ? each.id : each;
      if (typeof id !== "string" || id === "" || id.length > 100)
        return { sentence: `[${at}] must be an identifier` };
      ids.push(id);
    }
    return { value: ids };
  });

/** The body of `POST /screens/{id}/commands/` (V3-46, V3-82). */
export const screenCommandV3 = z.object({
  kind: required(oneOf(commandKinds)),
  /** Their validation depends on the kind (`commandArguments`). */
  arguments: read(
    reader<Readonly<Record<string, unknown>>>(
      { type: "object", additionalProperties: true },
      (raw) => {
        const json = jsonOf(raw) ?? {};
        return typeof json === "object" && !Array.isArray(json)
          ? { value: json as Readonly<Record<string, unknown>> }
          : { sentence: `must be an object${got(json)}` };
      },
    ),
  ).default({}),
  /** Seconds. */
  expires_in: read(integer(10, maxSeconds)).default(maxSeconds),
});
export type ScreenCommandV3 = Readonly<z.infer<typeof screenCommandV3>>;

/** The body of `POST /screens/commands/` (V3-82). */
export const screenCommandsV3 = screenCommandV3.extend({
  screens: read(idsUpTo(maxScreens)).default([]),
  groups: read(idsUpTo(maxGroups)).default([]),
});

/** In one request (V3-124). */
const maxAssigned = 20;
/** More than these are better given a label. */
const maxScreensOfPlaylist = 200;

/** The body of `POST /screens/assignments/` (V3-124). */
export const screenAssignmentsV3 = z
  .object({
    screens: required(idsUpTo(maxScreens)),
    add_groups: read(idsUpTo(maxAssigned)).default([]),
    remove_groups: read(idsUpTo(maxAssigned)).default([]),
    /** By the screens' own labels. */
    add_playlists: read(idsUpTo(maxAssigned)).default([]),
    remove_playlists: read(idsUpTo(maxAssigned)).default([]),
  })
  .refine(
    ({ screens, add_playlists: added }) =>
      added.length === 0 || screens.length <= maxScreensOfPlaylist,
    {
      path: ["screens"],
      error: `must have at most ${maxScreensOfPlaylist} elements for playlists: give more screens a label`,
    },
  );
export type ScreenAssignmentsV3 = Readonly<z.infer<typeof screenAssignmentsV3>>;

/** The body of `POST /screens/{id}/replace/` (V3-121). */
export const screenReplaceV3 = z.object({
  pin: required(filledText(100)),
  /** The player that it has responds, and is replaced all the same. */
  replace_online: read(flag).default(false),
});

const ids = read(repeated(maxRepeated, filledText(100))).optional();

/** Of a part of the list (V3-120). */
const maxPart = 2000;

/** The query of `GET /screens/states/` (V3-81, V3-120). */
export const screenStatesQueryV3 = z.object({
  state: read(repeated(maxRepeated, oneOf(screenStates))).optional(),
  screen: ids,
  /** Empty for the whole list. */
  since: read(text(500)).optional(),
  limit: read(integer(1, maxPart)).default(1000),
});

/** The query of `GET /screens/commands/` and its totals (V3-83, V3-122). */
export const screenCommandsQueryV3 = z.object({
  action: ids,
  screen: ids,
  id: ids,
  state: read(repeated(maxRepeated, oneOf(commandStates))).optional(),
});
