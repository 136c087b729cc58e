// Settings that an operator changes while the player runs: wire name, reader and default of each.

import { fieldSentences } from "../sentences/field-sentences.ts";
import {
  assetLimits,
  defaultDurationSeconds,
} from "../../core/asset-limits.ts";
import * as z from "zod";
import { got, sentenceFor } from "../field-error.ts";
import { reader, type Reader } from "../reader.ts";
import {
  jsonOf,
  readBoolean,
  readDuration,
  readOneOf,
  readText,
  readInteger,
} from "./v2-values.ts";

interface SettingField<T> {
  readonly wireName: string;
  readonly read: Reader<T>;
  /** Reader for stored values: a value that was valid when it was set stays valid. */
  readonly readKept: Reader<T>;
  readonly byDefault: T;
}

function setting<T>(
  wireName: string,
  byDefault: T,
  read: Reader<T>,
  readKept = read,
): SettingField<T> {
  return { wireName, read, readKept, byDefault };
}

/** Text that may be empty. */
function readTextOrNone(lengthLimit: number): Reader<string> {
  const read = readText(lengthLimit);
  return reader({ type: "string", maxLength: lengthLimit }, (raw) =>
    typeof raw === "string" && raw.trim() === "" ? { value: "" } : read(raw),
  );
}

const readName = readTextOrNone(200);

/** A time zone known to Intl; empty follows the system. */
const readZone = reader(
  { type: "string", examples: ["Europe/Berlin"] },
  (raw) => {
    const reading = readName(raw);
    if ("sentence" in reading || reading.value === "") return reading;
    try {
      new Intl.DateTimeFormat("en", { timeZone: reading.value });
      return reading;
    } catch {
      return {
        sentence: fieldSentences.zone + got(raw),
      };
    }
  },
);

const readOriginsText = readTextOrNone(4000);
const maxGroupLength = 4000;
const readGroupsText = readTextOrNone(maxGroupLength);

/** Of a page, or of a browser extension (V2-584). */
const origin = /^(?:https?|chrome-extension|moz-extension):\/\/[^/?#@*\s]+$/i;

/** Origins as a browser sends them, separated by commas or spaces; empty for none (V2-66). */
const readOrigins = reader(
  { type: "string", examples: ["https://manager.example.org"] },
  (raw) => {
    const reading = readOriginsText(raw);
    if ("sentence" in reading) return reading;
    const words = reading.value.split(/[\s,]+/).filter((word) => word !== "");
    const wrong = words.find((word) => !origin.test(word));
    return wrong === undefined
      ? {
          value: [...new Set(words.map((word) => word.toLowerCase()))].join(
            ", ",
          ),
        }
      : {
          sentence: fieldSentences.origins + got(wrong),
        };
  },
);

/** Names separated by commas, duplicates removed; playlists for any of them apply to this screen (V2-114). */
const readGroups = reader(
  { type: "string", maxLength: maxGroupLength, examples: ["lobby, stairs"] },
  (raw) => {
    const reading = readGroupsText(raw);
    return "value" in reading
      ? { value: groupNames(reading.value).join(", ") }
      : reading;
  },
);

/** Latitude and longitude in degrees; empty when unknown. */
const readCoordinates = reader(
  { type: "string", maxLength: 200, examples: ["52.52, 13.405"] },
  (raw) => {
    const reading = readName(raw);
    if ("sentence" in reading || reading.value === "") return reading;
    const parts = /^(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)$/.exec(
      reading.value,
    );
    const [latitude, longitude] = (parts?.slice(1) ?? []).map(Number);
    return latitude !== undefined &&
      longitude !== undefined &&
      Math.abs(latitude) <= 90 &&
      Math.abs(longitude) <= 180
      ? { value: `${latitude}, ${longitude}` }
      : {
          sentence: fieldSentences.coordinates + got(raw),
        };
  },
);

const functionKey = "F(?:[1-9]|1[0-9]|2[0-4])";
const anyHeld = "(?:Ctrl|Alt|Shift|Super)\\+";
/** Combinations with Shift alone are ordinary typing (V2-378). */
const typed = `(?:Shift\\+)?(?:Ctrl|Alt|Super)\\+(?:${anyHeld}){0,3}(?:[A-Z0-9]|Space)`;
const others = `(?:${anyHeld}){1,4}(?:${functionKey}|Insert|Delete|Home|End|PageUp|PageDown|Up|Down|Left|Right)`;
const anyKey = `(?:${functionKey}|${typed}|${others})$`;
const ctrlOrAlt = "(?:(?:Ctrl|Alt)\\+)*";
/** On Windows AltGr equals Ctrl+Alt, with which people type @ and €. */
const notAltGr = `(?!${ctrlOrAlt}(?:Ctrl\\+Alt|Alt\\+Ctrl)\\+${ctrlOrAlt}[A-Z0-9]$)`;

function readKeyLike(pattern: string): Reader<string> {
  return reader(
    { type: "string", pattern: `${pattern}|^$`, examples: ["Ctrl+Shift+F9"] },
    (raw) => {
      const reading = readName(raw);
      if ("sentence" in reading || reading.value === "") return reading;
      return new RegExp(pattern).test(reading.value)
        ? reading
        : { sentence: fieldSentences.hotkey + got(raw) };
    },
  );
}

/** A global hotkey: never one that is used for typing (V2-156). */
const readKey = readKeyLike(`^${notAltGr}${anyKey}`);
const readKeptKey = readKeyLike(`^${anyKey}`);

const message = z
  .object({
    id: z.string().min(1).max(100),
    name: z.string().trim().min(1).max(200),
    text: z.string().trim().min(1).max(500).optional(),
    asset_id: z.string().min(1).max(100).optional(),
    url: z
      .string()
      .regex(/^https?:\/\/[^\s/?#]\S*$/i)
      .max(assetLimits.addressLetters)
      .optional(),
    /** Null: until it is stopped. */
    seconds: z.int().min(1).max(assetLimits.durationSeconds).nullable(),
  })
  .refine(
    ({ text, asset_id: assetId, url }) =>
      [text, assetId, url].filter((one) => one !== undefined).length === 1,
  );

/** A prepared takeover message. */
export type TakeoverMessage = Readonly<z.infer<typeof message>>;

const messages = z.array(message).max(50);

const readMessages = reader<readonly TakeoverMessage[]>(
  z.toJSONSchema(messages, { io: "input", unrepresentable: "any" }),
  (raw) => {
    const parsed = messages.safeParse(jsonOf(raw));
    if (parsed.success) return { value: parsed.data };
    const at = parsed.error.issues[0]?.path[0];
    return {
      sentence:
        typeof at === "number"
          ? `[${at}] must have an id, a name, seconds, and exactly one of text, asset_id and url`
          : fieldSentences.messages,
    };
  },
);

/** Under the peer's names where it has them (V2-30); ours come last. */
export const settingFields = {
  /** Empty takes the machine's name. */
  playerName: setting("player_name", "", readName),
  audioOutput: setting("audio_output", "hdmi", readOneOf("hdmi", "local")),
  /** Default duration of an image or a page, in seconds. */
  defaultDuration: setting(
    "default_duration",
    defaultDurationSeconds,
    readDuration,
  ),
  /** A stream has no end of its own: five minutes, as in the peer. */
  defaultStreamingDuration: setting(
    "default_streaming_duration",
    300,
    readDuration,
  ),
  /** Ours: `long`, which is in words (V2-863). */
  dateFormat: setting(
    "date_format",
    "long",
    readOneOf(
      "long",
      "mm/dd/yyyy",
      "dd/mm/yyyy",
      "yyyy/mm/dd",
      "mm-dd-yyyy",
      "dd-mm-yyyy",
      "yyyy-mm-dd",
      "mm.dd.yyyy",
      "dd.mm.yyyy",
      "yyyy.mm.dd",
    ),
  ),
  use24HourClock: setting("use_24_hour_clock", false, readBoolean),
  timezone: setting("timezone", "", readZone),
  showSplash: setting("show_splash", true, readBoolean),
  shufflePlaylist: setting("shuffle_playlist", false, readBoolean),
  /** Kept for the peer's clients; this player ships no assets of its own (V2-125). */
  defaultAssets: setting("default_assets", false, readBoolean),
  /** Also logs reads, from the next request on (V2-124). */
  debugLogging: setting("debug_logging", false, readBoolean),
  /**
   * Off accepts any certificate when addresses are checked or downloaded; at the operator's own risk, so it is on by
   * default.
   */
  verifySsl: setting("verify_ssl", true, readBoolean),
  /** Of the whole stage, clockwise (V2-126). */
  screenOrientation: setting("screen_rotation", 0, readOneOf(0, 90, 180, 270)),
  preferDarkMode: setting("prefer_dark_mode", false, readBoolean),
  /** Format of `is_active`: the specification's text, or the boolean the peer really sends (V2-9). */
  isActiveAs: setting("is_active_as", "string", readOneOf("string", "boolean")),
  /** Whether reboot and shutdown are allowed at all (V2-29). */
  powerAllowed: setting("power_allowed", true, readBoolean),
  /** Whether programs on this machine need an access token, too, once there is one (V2-60). */
  apiTokenRequired: setting("api_token_required", false, readBoolean),
  /** Whether the QR code of the idle screen signs a phone in (V2-784). */
  allowPhones: setting("allow_phones", false, readBoolean),
  /** Whether files are shared with the other players of the team in this network (V2-820). */
  shareFiles: setting("share_files", false, readBoolean),
  /** Pages of these origins may call the interface from a browser (V2-66). */
  corsOrigins: setting("cors_origins", "", readOrigins),
  /** A new backup deletes the oldest beyond this; ten nightly ones outlast a bad week. */
  backupsKept: setting("backups_kept", 10, readInteger(1, 1000)),
  /** How an image or video fills the screen, unless its asset overrides it (V2-120). */
  imageFit: setting("image_fit", "fit", readOneOf("fit", "fill", "natural")),
  /** Transition between showings, unless the playlist overrides it (V2-121). */
  transition: setting("transition", "cut", readOneOf("cut", "cross-fade")),
  /** Of the player; an asset's own volume is a percentage of it (V2-122). */
  volume: setting("volume", 100, readInteger(0, 100)),
  muted: setting("muted", false, readBoolean),
  /** The groups of this screen (V2-114). */
  groups: setting("groups", "", readGroups),
  /** Global hotkey that starts the takeover, and stops it when pressed again (V2-156). */
  takeoverHotkey: setting("takeover_hotkey", "", readKey, readKeptKey),
  /** The asset that the hotkey shows, by its identifier. */
  takeoverAsset: setting("takeover_asset", "", readName),
  /** Presets for takeover messages (V2-292). */
  takeoverMessages: setting("takeover_messages", [], readMessages),
  /** Whether the machine is attended (V2-250). */
  profile: setting("profile", "desk", readOneOf("desk", "unattended")),
  /** On an unattended screen it opens the PIN pad (V2-252). */
  exitHotkey: setting("exit_hotkey", "Ctrl+Alt+Shift+E", readKey, readKeptKey),
  /** The player starts when the machine's user logs in (V2-254). */
  startWithMachine: setting("start_with_machine", false, readBoolean),
  /** Location of the screen, as sent to pages and apps (V2-172). */
  location: setting("location", "", readName),
  coordinates: setting("coordinates", "", readCoordinates),
} as const;

export type SettingName = keyof typeof settingFields;

export type Settings = {
  readonly [
    Name in SettingName
  ]: (typeof settingFields)[Name]["byDefault"] extends infer Value
    ? Value
    : never;
};

/** By their wire names. */
type WireSettings = Readonly<Record<string, unknown>>;

const wireFields = Object.fromEntries(
  Object.values(settingFields).map(({ wireName, read, byDefault }) => [
    wireName,
    z.unknown().meta({ ...read.schema, default: byDefault }),
  ]),
);

/** All settings, and whether a client must sign in (V2-404). */
export const settingsV2: z.ZodType<WireSettings> = z.object({
  ...wireFields,
  auth_backend: z.enum(["", "auth_basic"]),
});

export const changeSettingsV2: z.ZodType<WireSettings, WireSettings> = z
  .object(wireFields)
  .partial();

/** `" a, b,,a "` → `["a", "b"]` */
export function groupNames(text: string): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ""))];
}

/** Values by wire name, sentences for invalid ones; unknown names are dropped (V2-6). */
export function settingsFromV2(body: Readonly<Record<string, unknown>>): {
  readonly change: Partial<Settings>;
  readonly sentences: Readonly<Record<string, readonly string[]>>;
} {
  const change: Record<string, unknown> = {};
  const sentences: Record<string, readonly string[]> = {};
  for (const [name, { wireName, read }] of Object.entries(settingFields)) {
    if (!Object.hasOwn(body, wireName)) continue;
    const reading = read(body[wireName]);
    if ("value" in reading) change[name] = reading.value;
    else sentences[wireName] = [sentenceFor(wireName, reading.sentence)];
  }
  return { change, sentences };
}

export function settingsToV2(settings: Settings): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settingFields).map(([name, { wireName }]) => [
      wireName,
      settings[name as SettingName],
    ]),
  );
}
