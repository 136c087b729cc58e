// The peer's settings file (ini) → ours of the same name; everything else in it stays unread, its secrets first.

import { settingsFromV2, type Settings } from "../../contract/v2-settings.ts";

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

/** A value that we would refuse is as if it were not there. */
export function settingsOfPeer(text: string): Partial<Settings> {
  const body: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const [, name = "", value = ""] =
      /^(\w+)\s*[=:](.*)$/.exec(line.trim()) ?? [];
    // Its own reader takes one % for the beginning of a reference.
    if (taken.has(name)) body[name] = value.trim().replaceAll("%%", "%");
  }
  return settingsFromV2(body).change;
}
