// Section and order of each setting; unassigned settings go to "more".

import { settingFields } from "../../../server/contract/v2/v2-settings.ts";
import type { JsonSchema } from "../../../server/contract/v2/v2-values.ts";
import { texts } from "../texts/texts.ts";
import type { SettingWords } from "../texts/english/setting-words.ts";

export const sectionIds = [
  ...(["screen", "display", "audio", "playback", "takeover"] as const),
  ...(["kiosk", "access", "backup", "manager", "more", "about"] as const),
] as const;

export type SectionId = (typeof sectionIds)[number];

/** One setting as the manager shows it. */
export interface SettingView {
  /** Its name in the interface. */
  readonly wireName: string;
  readonly byDefault: unknown;
  readonly schema: JsonSchema;
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
    ...["api_token_required", "cors_origins", "verify_ssl", "power_allowed"],
    ...["debug_logging", "is_active_as", "default_assets"],
  ],
  backup: ["backups_kept"],
};

/** Settings that other pages show in their own way. */
const elsewhere = new Set(["takeover_messages"]);

const fields = new Map<string, SettingView>(
  Object.values(settingFields).map(({ wireName, byDefault, read }) => [
    wireName,
    {
      ...{ wireName, byDefault, schema: read.schema },
      words: wordsFor(wireName),
    },
  ]),
);

/** A setting without texts is named as in the interface. */
function wordsFor(wireName: string): SettingWords {
  return (
    texts.settings.fields[wireName] ?? {
      name: wireName.replaceAll("_", " "),
      effect: "",
    }
  );
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
