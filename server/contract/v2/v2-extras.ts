// Asset fields beyond the specification: each with its wire name, its reader and its default.

import { fieldSentences } from "../sentences/field-sentences.ts";
import { composeSentence } from "../sentence-templates.ts";
import { assetLimits } from "../../core/asset-limits.ts";
import { readHeaders } from "./v2-headers.ts";
import { got } from "../field-error.ts";
import {
  reader,
  type JsonSchema,
  type Reader,
  type Reading,
} from "../reader.ts";
import {
  jsonOf,
  readBoolean,
  readDuration,
  readNumbers,
  readOr,
  readMatching,
  readOneOf,
  readText,
  readInteger,
  schemaOrNull,
} from "./v2-values.ts";

interface ExtraField<Wire extends string, Value> {
  readonly wireName: Wire;
  /** Null and empty text stand for the default (V2-109). */
  readonly read: Reader<Value>;
  readonly byDefault: Value;
  /** Its schema in answers. */
  readonly answer: JsonSchema;
}

function extra<const Wire extends string, Value>(
  wireName: Wire,
  read: Reader<Value>,
  byDefault: NoInfer<Value>,
): ExtraField<Wire, Value> {
  return {
    ...{ wireName, byDefault },
    read: readOr(read, byDefault),
    answer: byDefault === null ? schemaOrNull(read.schema) : read.schema,
  };
}

/** A field that is null until it is set. */
function open<const Wire extends string, Value>(
  wireName: Wire,
  read: Reader<Value>,
): ExtraField<Wire, Value | null> {
  return extra<Wire, Value | null>(wireName, read, null);
}

const readFolderText = readText(500);

/** Names separated by slashes, as in `Menus/Lunch`; empty is the top level (V2-290). */
const readFolder = reader<string>(
  { type: "string", maxLength: 500, examples: ["Menus/Lunch"] },
  (raw) => {
    const reading = readFolderText(raw);
    if ("sentence" in reading) return reading;
    const names = reading.value.split("/").map((name) => name.trim());
    return { value: names.filter((name) => name !== "").join("/") };
  },
);

/** `HH:MM` or `HH:MM:SS`, returned with seconds (V2-103). */
const readTimeOfDay = reader<string>(
  { type: "string", pattern: "^([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d)?$" },
  (raw) => {
    const parts =
      typeof raw === "string"
        ? /^((?:[01]\d|2[0-3]):[0-5]\d)(:[0-5]\d)?(?:\.0{1,6})?$/.exec(
            raw.trim(),
          )
        : null;
    return parts
      ? { value: `${parts[1]}${parts[2] ?? ":00"}` }
      : {
          sentence: fieldSentences["time-seconds"] + got(raw),
        };
  },
);

const maxMetadataLength = assetLimits.metadataLetters;
const maxDepth = assetLimits.metadataDepth;

/** Data that may be stored with an asset, here and at a content service (V2-105, V2-548). */
export function withinLimits<Data extends object>(data: Data): Reading<Data> {
  if (!isWithin(data, maxDepth))
    return { sentence: `must be nested at most ${maxDepth} levels deep` };
  return JSON.stringify(data).length > maxMetadataLength
    ? {
        sentence: composeSentence(fieldSentences["characters-json"], {
          limit: maxMetadataLength,
        }),
      }
    : { value: data };
}

/** Data that clients store with an asset; why it cannot be shown is set by the player only (V2-105). */
const readMetadata = reader<Readonly<Record<string, unknown>>>(
  { type: "object" },
  (raw) => {
    const given = jsonOf(raw);
    if (typeof given !== "object" || given === null || Array.isArray(given))
      return { sentence: `must be an object${got(given)}` };
    const {
      error_message: _problem,
      remark: _remark,
      ...kept
    } = given as Record<string, unknown>;
    return withinLimits(kept);
  },
);

function isWithin(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depth === 0) return false;
  return Object.values(value).every((inner) => isWithin(inner, depth - 1));
}

const secondsPerDay = 86_400;
const everyDay: readonly number[] = [1, 2, 3, 4, 5, 6, 7];

/** A user agent is a single line. */
const readAgent = readMatching(
  {
    ...{ type: "string", maxLength: assetLimits.userAgentLetters },
    pattern: "^[ -~]*$",
  },
  assetLimits.userAgentLetters,
  /^[ -~]*$/,
  fieldSentences["ascii-line"],
);

/** Larger than any document that is put on a screen. */
const maxPages = 10_000;

/** How often a page that stays is reloaded; 0 on the wire means never (V2-101). */
const readRefresh = reader<number | null>(
  { type: "integer", minimum: 0, maximum: secondsPerDay },
  (raw) => {
    const reading = readInteger(0, secondsPerDay)(raw);
    return "value" in reading && reading.value === 0
      ? { value: null }
      : reading;
  },
);

/** Under the peer's names where it has them (V2-100 to V2-105); ours come last. */
export const extraFields = {
  headers: extra("custom_headers", readHeaders, {}),
  refreshSeconds: {
    ...extra("refresh_interval_s", readRefresh, null),
    answer: readRefresh.schema,
  },
  days: extra("play_days", readNumbers(1, 7), everyDay),
  playsFrom: open("play_time_from", readTimeOfDay),
  playsUntil: open("play_time_to", readTimeOfDay),
  isCertificateSkipped: extra("skip_ssl_verify", readBoolean, false),
  metadata: extra("metadata", readMetadata, {}),
  fit: open("fit", readOneOf("fit", "fill", "natural")),
  volume: open("volume", readInteger(0, 100)),
  isMuted: extra("muted", readBoolean, false),
  pages: open("pages", readNumbers(1, maxPages)),
  rotation: extra("rotation", readOneOf(0, 90, 180, 270), 0),
  userAgent: open("user_agent", readAgent),
  zoomPercent: open("zoom_level", readInteger(25, 500)),
  script: open("js_injection", readText(assetLimits.scriptLetters)),
  isMetadataSent: extra("send_metadata", readBoolean, false),
  isRenderedHere: extra("player_side_render", readBoolean, true),
  screenshotCacheSeconds: open("screenshot_cache_seconds", readDuration),
  isPlaylistOnly: extra("playlist_only", readBoolean, false),
  folder: extra("folder", readFolder, ""),
} as const;

type Fields = typeof extraFields;
export type ExtraName = keyof Fields;

/** Values in their wire format, by domain name. */
export type Extras = {
  readonly [Name in ExtraName]: Fields[Name]["byDefault"];
};

/** By their wire names. */
export type ExtrasV2 = {
  readonly [
    Name in ExtraName as Fields[Name]["wireName"]
  ]: Fields[Name]["byDefault"];
};

export const plainExtras = Object.fromEntries(
  Object.entries(extraFields).map(([name, { byDefault }]) => [name, byDefault]),
) as Extras;

/** Only the fields that the body contains. */
export function extrasFromV2(
  body: Readonly<Record<string, unknown>>,
): Partial<Extras> {
  const extras: Partial<Extras> = Object.fromEntries(
    Object.entries(extraFields)
      .filter(([, { wireName }]) => body[wireName] !== undefined)
      .map(([name, { wireName }]) => [name, body[wireName]]),
  );
  return extras.metadata === undefined
    ? extras
    : { ...extras, metadata: withoutMirrored(extras.metadata) };
}

type Metadata = Extras["metadata"];

/** Fields that the peer keeps within `metadata`, where its clients look for them (V2-581). */
export function withMirrored(
  metadata: Metadata,
  { headers, refreshSeconds }: Pick<Extras, "headers" | "refreshSeconds">,
): Metadata {
  const hasHeaders = Object.keys(headers).length > 0;
  if (!hasHeaders && refreshSeconds === null) return metadata;
  return {
    ...metadata,
    ...(hasHeaders && { headers }),
    ...(refreshSeconds !== null && { refresh_interval_s: refreshSeconds }),
  };
}

/** Clients that write back everything they read send these, too; the fields themselves take precedence. */
function withoutMirrored(metadata: Metadata): Metadata {
  const { headers: _h, refresh_interval_s: _r, ...kept } = metadata;
  return kept;
}

/** The other half of `play_time_from` and `play_time_to`, when only one of them is given (V2-103). */
export function missingTimeOf({
  playsFrom,
  playsUntil,
}: Pick<Extras, "playsFrom" | "playsUntil">):
  | "play_time_from"
  | "play_time_to"
  | null {
  if ((playsFrom === null) === (playsUntil === null)) return null;
  return playsFrom === null ? "play_time_from" : "play_time_to";
}
