// Presentation defaults that the director and the schedule take from the player's settings.

import type { Settings } from "../../contract/v2/v2-settings.ts";
import type { PresentationDefaults } from "../../core/showing.ts";

/** Duration, sound and transition of showings where neither the asset nor the playlist specifies them (V2-120 to V2-123). */
export function presentationDefaultsOf(
  settings: Settings,
): PresentationDefaults {
  return {
    fit: settings.imageFit,
    transition: settings.transition,
    audio: {
      volume: settings.volume / 100,
      isMuted: settings.muted,
      output: settings.audioOutput,
    },
    streamSeconds: settings.defaultStreamingDuration,
  };
}

/** The screen's time zone: the setting, else the zone of the machine (V2-108). */
export function zoneOf(settings: Pick<Settings, "timezone">): string {
  return settings.timezone || zoneOfMachine();
}

/** Slow to determine, and needed for every response: cached for this long. */
const zoneKeptMs = 1000;
let cached = { zone: "", until: -Infinity };

function zoneOfMachine(): string {
  const moment = performance.now();
  if (moment < cached.until) return cached.zone;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  cached = { zone, until: moment + zoneKeptMs };
  return zone;
}
