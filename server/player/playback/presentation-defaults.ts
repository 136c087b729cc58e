// Presentation defaults that the director and the schedule take from the player's settings: fit, sound, transition, length of streams.

import type { Settings } from "../../contract/v2/v2-settings.ts";
import type { PresentationDefaults } from "../../core/showing.ts";

/** For showings where neither the asset nor the playlist specifies them (V2-120 to V2-123). */
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
