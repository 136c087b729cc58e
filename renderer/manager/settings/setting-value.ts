// Which control a setting needs, and how its values are displayed.

import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import type { SettingView } from "./setting-sections.ts";

export type ControlKind =
  | "switch"
  | "choice"
  | "profile"
  | "number"
  | "text"
  | "zone"
  | "keys"
  | "asset";

const ownKinds: Readonly<Record<string, ControlKind>> = {
  timezone: "zone",
  takeover_hotkey: "keys",
  exit_hotkey: "keys",
  takeover_asset: "asset",
  profile: "profile",
};

export function kindOf({ wireName, schema }: SettingView): ControlKind {
  const specialKind = ownKinds[wireName];
  if (specialKind) return specialKind;
  if (schema.type === "boolean") return "switch";
  if (Array.isArray(schema.enum)) return "choice";
  if (schema.type === "integer" || schema.type === "number") return "number";
  return "text";
}

export interface Choice {
  readonly value: string | number;
  readonly label: string;
}

export function choicesOf({ schema, words }: SettingView): readonly Choice[] {
  const values = (schema.enum ?? []) as readonly (string | number)[];
  return values.map((value) => ({
    value,
    label: words.choices?.[String(value)] ?? String(value),
  }));
}

/** "70 %", "Fill (crop)", "On", "empty" */
export function spoken(setting: SettingView, value: unknown): string {
  if (typeof value === "boolean")
    return value ? t("settings.on") : t("settings.off");
  if (value === "" || value === null || value === undefined)
    return setting.wireName === "timezone"
      ? t("settings.followSystem")
      : t("settings.empty");
  if (typeof value === "number" && setting.words.choices === undefined)
    return withUnit(value, setting.unit);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (kindOf(setting) === "keys") return formats.keys(text);
  return setting.words.choices?.[text] ?? text;
}

function withUnit(value: number, unit: string | undefined): string {
  if (unit === "s") return formats.length(value);
  const number = formats.count(value);
  return unit === undefined ? number : `${number} ${unit}`;
}
