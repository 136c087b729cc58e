// Section and order of each setting; unassigned settings go to "more".

import { settingFields } from "../../../server/contract/v2/v2-settings.ts";
import type { JsonSchema } from "../../../server/contract/reader.ts";
import { can } from "../place/abilities.ts";
import { messageFor } from "../../locales/messages.ts";

export const sectionIds = [
  ...(["screen", "display", "audio", "playback", "takeover"] as const),
  ...(["kiosk", "access", "backup", "manager", "more", "about"] as const),
] as const;

export type SectionId = (typeof sectionIds)[number];

/** Sections that this place has. */
export const sectionsHere: readonly SectionId[] = sectionIds.filter(
  (id) => id !== "about" || can("about"),
);

interface SettingWords {
  readonly name: string;
  /** Visible effect, in a sentence or two. */
  readonly effect: string;
  /** Names of the choices, by value. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Placeholder of the empty field, where the interface's own example is in another language. */
  readonly example?: string | undefined;
  /** More words by which the search finds it. */
  readonly synonyms?: string | undefined;
}

/** One setting as the manager shows it. */
export interface SettingView {
  /** Its name in the interface. */
  readonly wireName: string;
  readonly byDefault: unknown;
  readonly schema: JsonSchema;
  /** Shown behind the number. */
  readonly unit: string | undefined;
  readonly words: SettingWords;
}

const placed: Readonly<Partial<Record<SectionId, readonly string[]>>> = {
  screen: ["player_name", "location", "coordinates", "timezone", "groups"],
  display: [
    ...["screen_rotation", "image_fit", "transition", "prefer_dark_mode"],
    ...["show_splash", "date_format", "use_24_hour_clock"],
  ],
  audio: ["volume", "muted", "audio_output"],
  playback: [
    ...["default_duration", "default_streaming_duration", "shuffle_playlist"],
  ],
  takeover: ["takeover_hotkey", "takeover_asset"],
  kiosk: ["profile", "exit_hotkey", "start_with_machine"],
  access: [
    ...["api_token_required", "allow_phones", "cors_origins", "verify_ssl"],
    ...["share_files", "power_allowed"],
    ...["debug_logging", "is_active_as", "default_assets"],
  ],
  backup: ["backups_kept"],
};

/** Settings that other pages show in their own way. */
const elsewhere = new Set(["takeover_messages"]);

const units: Readonly<Record<string, string>> = {
  volume: "%",
  default_duration: "s",
  default_streaming_duration: "s",
};

const fields = new Map<string, SettingView>(
  Object.values(settingFields).map(({ wireName, byDefault, read }) => [
    wireName,
    {
      ...{ wireName, byDefault, schema: read.schema },
      unit: units[wireName],
      words: wordsFor(wireName, read.schema),
    },
  ]),
);

/** A setting without texts is named as in the interface. */
function wordsFor(wireName: string, schema: JsonSchema): SettingWords {
  const text = (key: string) => messageFor(`settings.fields.${wireName}`, key);
  const values = (schema.enum ?? []) as readonly (string | number)[];
  const choices = values.flatMap((value) => {
    const name = text(`choices.${value}`);
    return name === undefined ? [] : [[String(value), name] as const];
  });
  return {
    name: text("name") ?? wireName.replaceAll("_", " "),
    effect: text("effect") ?? "",
    ...(choices.length > 0 && { choices: Object.fromEntries(choices) }),
    example: text("example"),
    synonyms: text("synonyms"),
  };
}

export function settingNamed(wireName: string): SettingView | undefined {
  return fields.get(wireName);
}

const known = new Set(Object.values(placed).flat());

export function settingsIn(section: SectionId): readonly SettingView[] {
  if (section === "more")
    return [...fields.values()].filter(
      ({ wireName }) => !known.has(wireName) && !elsewhere.has(wireName),
    );
  return (placed[section] ?? []).flatMap((name) => fields.get(name) ?? []);
}

/** The section of a setting. */
export function sectionOf(wireName: string): SectionId {
  return (
    sectionIds.find((id) => placed[id]?.includes(wireName) ?? false) ?? "more"
  );
}
