// Version 3 of the content interface: request and response shapes (V3-1 to V3-60).

import * as z from "zod";
import { fieldSentences } from "../sentences/field-sentences.ts";
import { composeSentence } from "../sentence-templates.ts";
import { got, sentenceFor } from "../field-error.ts";
import { assetLimits } from "../../core/asset-limits.ts";
import { parsePredicate } from "../../core/predicate/predicate.ts";
import { processingStatuses } from "../../core/processing-status.ts";
import {
  anyJson,
  elements,
  filledText,
  flag,
  headerTexts,
  instant,
  number,
  plainTexts,
  read,
  required,
  text,
  textOrNull,
  integer,
  jsonOf,
  tableFormat,
  zone,
} from "./v3-values.ts";
import { reader } from "../reader.ts";
import { assetTypes } from "../v4/v4.ts";

const nameLetters = assetLimits.titleLetters;
const urlLetters = assetLimits.addressLetters;
const scriptLetters = assetLimits.scriptLetters;
const maxSeconds = assetLimits.durationSeconds;
const mostItems = 10_000;
const maxGroups = 1000;
const maxScreens = 10_000;
const maxPlaybackRows = 10_000;

const textMap = z.record(z.string(), z.string());
const identifier = z.string().min(1);
const coords = z.tuple([z.number(), z.number()]);
const moment = z.iso.datetime({ offset: true });

/** An asset as every operation returns it (V3-10). */
export const assetV3 = z.strictObject({
  id: identifier,
  url: z.string().regex(/^\/api\/v3\/assets\/[^/]+\/$/),
  /** Null until known. */
  type: z.enum(assetTypes).nullable(),
  title: z.string(),
  duration: z.number().nonnegative(),
  asset_url: z.string(),
  md5: z.string(),
  source_md5: z.string().nullable(),
  source_size: z.int().nullable(),
  source_url: z.string(),
  finalized: z.boolean(),
  width: z.int(),
  height: z.int(),
  disable_verification: z.boolean(),
  folder_name: z.string(),
  headers: textMap,
  metadata: textMap,
  status: z.enum(processingStatuses),
  js_injection: z.string(),
});

const assetUpdateFields = {
  title: read(text(nameLetters)).optional(),
  disable_verification: read(flag).optional(),
  folder_name: read(textOrNull(nameLetters)).optional(),
  headers: read(headerTexts).optional(),
  metadata: read(plainTexts).optional(),
  js_injection: read(textOrNull(scriptLetters)).optional(),
};

/** The body of PUT and PATCH; other members are ignored (V3-8). */
export const assetUpdateV3 = z.object(assetUpdateFields);
export type AssetUpdateV3 = Readonly<z.infer<typeof assetUpdateV3>>;

const sourceMd5 = reader<string | null>(
  { type: ["string", "null"], pattern: "^([0-9A-Fa-f]{32})?$" },
  (raw) => {
    if (raw === null || raw === "") return { value: null };
    return typeof raw === "string" && /^[0-9a-f]{32}$/i.test(raw)
      ? { value: raw.toLowerCase() }
      : { sentence: `must be 32 hexadecimal digits${got(raw)}` };
  },
);

const readSize = integer(0, Number.MAX_SAFE_INTEGER);

const sourceSize = reader<number | null>(
  { type: ["integer", "null"], minimum: 0 },
  (raw) => (raw === null || raw === "" ? { value: null } : readSize(raw)),
);

const announced = {
  source_md5: read(sourceMd5).optional(),
  source_size: read(sourceSize).optional(),
};

const sourceUrl = reader<string>(
  { type: "string", format: "uri", maxLength: urlLetters },
  (raw) => {
    const reading = text(urlLetters)(raw);
    if ("sentence" in reading) return reading;
    return /^https?:\/\/[^\s/?#]\S*$/i.test(reading.value)
      ? reading
      : { sentence: fieldSentences["web-address"] + got(raw) };
  },
);

/** The body of POST (V3-11). */
export const assetCreateV3 = z.object({
  ...assetUpdateFields,
  ...announced,
  source_url: required(sourceUrl),
});

/** Sent with a file; an address is meaningless here (V3-13). */
export const assetUploadV3 = z.object({ ...assetUpdateFields, ...announced });

const groupLink = z.strictObject({
  id: identifier,
  url: z.string().regex(/^\/api\/v3\/groups\/[^/]+\/$/),
  name: z.string(),
});

export const groupV3 = z.strictObject({
  ...groupLink.shape,
  screens: z.array(
    z.strictObject({ id: identifier, name: z.string(), coords }),
  ),
});

const idsUpTo = (most: number) =>
  elements<string>(most, (_element, id) => ({ value: id }));

const screens = read(idsUpTo(maxScreens));

export const groupCreateV3 = z.object({
  name: required(filledText(nameLetters)),
  screens: screens.optional(),
});
export const groupUpdateV3 = z.object({
  name: read(filledText(nameLetters)).optional(),
  screens: screens.optional(),
});
export type GroupUpdateV3 = Readonly<z.infer<typeof groupUpdateV3>>;

const playlistListFields = {
  id: identifier,
  url: z.string().regex(/^\/api\/v3\/playlists\/[^/]+\/$/),
  title: z.string(),
  is_enabled: z.boolean(),
  priority: z.int(),
  predicate: z.string(),
  groups: z.array(groupLink),
  duration: z.number().nonnegative(),
};

export const playlistListV3 = z.strictObject(playlistListFields);

/** A single playlist includes its assets (V3-30). */
export const playlistV3 = z.strictObject({
  ...playlistListFields,
  assets: z.array(
    z.strictObject({ id: identifier, duration: z.number().nonnegative() }),
  ),
});

export interface PlaylistItemInput {
  readonly id: string;
  /** Null: the asset's own duration. */
  readonly duration: number | null;
}

const readSeconds = number(0, maxSeconds);

const items = elements<PlaylistItemInput>(
  mostItems,
  ({ duration }, id) => {
    if (duration === undefined || duration === null)
      return { value: { id, duration: null } };
    const reading = readSeconds(duration);
    return "value" in reading
      ? { value: { id, duration: reading.value } }
      : { sentence: sentenceFor(".duration", reading.sentence) };
  },
  { duration: { ...readSeconds.schema, type: ["number", "null"] } },
);

/** A valid predicate is stored character by character; otherwise the position and the error (V3-33). */
export const predicate = reader<string>(
  { type: "string", examples: ["TRUE"] },
  (raw) => {
    if (typeof raw !== "string")
      return { sentence: fieldSentences.text + got(raw) };
    const { problem } = parsePredicate(raw);
    return problem === null
      ? { value: raw }
      : {
          sentence: composeSentence(fieldSentences.predicate, {
            position: problem.position,
            what: problem.message,
          }),
        };
  },
);

const playlistFields = {
  assets: read(items).optional(),
  groups: read(idsUpTo(maxGroups)).optional(),
  predicate: read(predicate).optional(),
  is_enabled: read(flag).optional(),
  priority: read(integer(-2_147_483_648, 2_147_483_647)).optional(),
};

export const playlistCreateV3 = z.object({
  ...playlistFields,
  title: required(filledText(nameLetters)),
});
export const playlistUpdateV3 = z.object({
  ...playlistFields,
  title: read(filledText(nameLetters)).optional(),
});
export type PlaylistUpdateV3 = Readonly<z.infer<typeof playlistUpdateV3>>;

const screenListFields = {
  id: identifier,
  in_sync: z.boolean(),
  status: z.enum(["Offline", "In Sync", "Syncing", "Out Of Sync"]),
  type: z.enum(["hardware", "virtual"]),
  coords,
  is_enabled: z.boolean(),
  last_ping: moment.nullable(),
  groups: z.array(groupLink),
  name: z.string(),
  last_screenshot: z.string(),
};

export const screenListV3 = z.strictObject(screenListFields);

/** The detailed format, followed by what clients and writers need beyond the specification (V3-41, V3-80). */
export const screenV3 = z.strictObject({
  ...screenListFields,
  hostname: z.string(),
  last_ip: z.string(),
  local_ip: z.string(),
  mac: z.string(),
  last_screenshot_time: moment.nullable(),
  location: z.string(),
  timezone: z.string(),
  uptime: z.string(),
  hardware_version: z.string(),
  software_version: z.string(),
  load_avg: z.string(),
  ws_open: z.boolean(),
  team: identifier,
  team_id: identifier,
  created_at: moment,
  debug: z.boolean(),
  interface: z.string(),
  signal_strength: z.int().nullable(),
  config: z.record(z.string(), anyJson),
  item_counts: z
    .strictObject({
      wanted: z.int().nonnegative(),
      here: z.int().nonnegative(),
      failed: z.int().nonnegative(),
    })
    .nullable(),
});

export const screenCreateV3 = z.object({
  pin: required(filledText(100)),
  name: read(textOrNull(nameLetters)).optional(),
});

const place = reader<readonly [number, number]>(
  { type: "array", items: { type: "number" }, minItems: 2, maxItems: 2 },
  (raw) => {
    const json = jsonOf(raw);
    const wrong = {
      sentence: `must be an array of latitude and longitude${got(json)}`,
    };
    if (!Array.isArray(json) || json.length !== 2) return wrong;
    const [latitude, longitude] = json as unknown[];
    if (typeof latitude !== "number" || typeof longitude !== "number")
      return wrong;
    return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
      ? { value: [latitude, longitude] }
      : wrong;
  },
);

const zoneOrNone = reader<string>(zone.schema, (raw) =>
  raw === "" ? { value: raw } : zone(raw),
);

const settings = reader<Readonly<Record<string, unknown>>>(
  { type: "object", additionalProperties: true },
  (raw) => {
    const json = jsonOf(raw);
    return typeof json === "object" && json !== null && !Array.isArray(json)
      ? { value: json as Readonly<Record<string, unknown>> }
      : { sentence: `must be an object${got(json)}` };
  },
);

export const screenUpdateV3 = z.object({
  name: read(filledText(nameLetters)).optional(),
  is_enabled: read(flag).optional(),
  groups: read(idsUpTo(maxGroups)).optional(),
  coords: read(place).optional(),
  location: read(textOrNull(nameLetters)).optional(),
  timezone: read(zoneOrNone).optional(),
  config: read(settings).optional(),
});
export type ScreenUpdateV3 = Readonly<z.infer<typeof screenUpdateV3>>;

const latitude = z.number().min(-90).max(90);
const longitude = z.number().min(-180).max(180);

/** The query of GET screens/geocode (V3-47): an address, or a position. */
export const geocodeQueryV3 = z.object({
  address: z.string().optional(),
  q: z.string().optional(),
  lat: z.string().optional(),
  lng: z.string().optional(),
});

export const placesV3 = z.array(
  z.strictObject({
    location: z.string(),
    coords: z.tuple([latitude, longitude]),
    /** Null where it is unknown. */
    timezone: z.string().nullable(),
  }),
);
export type PlacesV3 = Readonly<z.infer<typeof placesV3>>;

export const validationV3 = z.strictObject({
  valid: z.boolean(),
  errors: z.array(
    z.strictObject({ message: z.string(), position: z.int().nonnegative() }),
  ),
});

/** Any text: its errors are the answer (V3-50). */
export const validatePredicateV3 = z.object({
  predicate: required(
    reader<string>({ type: "string" }, (raw) =>
      typeof raw === "string"
        ? { value: raw }
        : { sentence: fieldSentences.text + got(raw) },
    ),
  ),
});

export const evaluatePredicateV3 = z.object({
  predicate: required(predicate),
  at: read(instant).optional(),
  timezone: read(zone).optional(),
});

export const evaluationV3 = z.strictObject({ result: z.boolean() });

export const playbackV3 = z.strictObject({
  id: identifier,
  screen_id: identifier,
  asset_id: identifier,
  playlist_id: identifier.nullable(),
  started_at: moment,
  ended_at: moment,
  /** Seconds. */
  duration: z.number().nonnegative(),
});
export type PlaybackV3 = Readonly<z.infer<typeof playbackV3>>;

const idFilter = read(filledText(100)).optional();

/** The query of GET playbacks (V3-54). */
export const playbackQueryV3 = z.object({
  screen_id: idFilter,
  asset_id: idFilter,
  playlist_id: idFilter,
  start: read(instant).optional(),
  end: read(instant).optional(),
  limit: read(integer(1, maxPlaybackRows)).default(1000),
  offset: read(integer(0, Number.MAX_SAFE_INTEGER)).default(0),
  format: read(tableFormat).optional(),
});
export type PlaybackQueryV3 = Readonly<z.infer<typeof playbackQueryV3>>;

export const meV3 = z.strictObject({
  workspace: z.strictObject({
    id: identifier,
    name: z.string(),
    url: z.string(),
  }),
  user: z.strictObject({
    id: identifier,
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
  }),
});
