// What the director and the schedule take from the player's settings.

import type { Settings } from "../contract/v2-settings.ts";
import type { Manner } from "../core/slide.ts";

/** How slides look, sound and change where their asset or playlist says nothing (V2-120 to V2-123). */
export function mannerOf(settings: Settings): Manner {
  return {
    fit: settings.imageFit,
    transition: settings.transition,
    sound: { volume: settings.volume / 100, isMuted: settings.muted },
    streamSeconds: settings.defaultStreamingDuration,
  };
}

/** The screen's zone: the setting, else the machine's own (V2-108). */
export function zoneOf(settings: Pick<Settings, "timezone">): string {
  return settings.timezone || Intl.DateTimeFormat().resolvedOptions().timeZone;
}
