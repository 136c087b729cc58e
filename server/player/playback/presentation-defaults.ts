// What the director and the schedule take from the player's settings.

import type { Settings } from "../../contract/v2/v2-settings.ts";
import type { PresentationDefaults } from "../../core/showing.ts";

/** How slides look, sound and change where their asset or playlist says nothing (V2-120 to V2-123). */
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

/** The screen's zone: the setting, else the machine's own (V2-108). */
export function zoneOf(settings: Pick<Settings, "timezone">): string {
  return settings.timezone || zoneOfMachine();
}

/** Slow to tell, and asked for with every answer: what it was a moment ago, it still is. */
const zoneKeptMs = 1000;
let kept = { zone: "", until: -Infinity };

function zoneOfMachine(): string {
  const moment = performance.now();
  if (moment < kept.until) return kept.zone;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  kept = { zone, until: moment + zoneKeptMs };
  return zone;
}
