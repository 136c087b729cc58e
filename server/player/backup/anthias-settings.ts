// Converts the settings file (ini) of Anthias to settings of this player; everything else in it stays unread, above all its secrets.

import {
  settingsFromV2,
  type Settings,
} from "../../contract/v2/v2-settings.ts";

/** Settings of the peer that come along; the player has them under the same names. */
const taken = new Set([
  "player_name",
  "audio_output",
  "default_duration",
  "default_streaming_duration",
  "date_format",
  "use_24_hour_clock",
  "timezone",
  "show_splash",
  "shuffle_playlist",
  "default_assets",
  "debug_logging",
  "verify_ssl",
  "screen_rotation",
  "prefer_dark_mode",
]);

/** A value that this player would reject counts as missing. */
export function settingsOfPeer(text: string): Partial<Settings> {
  const body: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const [, name = "", value = ""] =
      /^(\w+)\s*[=:](.*)$/.exec(line.trim()) ?? [];
    // The peer's own parser treats a single % as the start of a reference.
    if (taken.has(name)) body[name] = value.trim().replaceAll("%%", "%");
  }
  return settingsFromV2(body).change;
}
