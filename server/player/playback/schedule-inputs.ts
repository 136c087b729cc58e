// Inputs of the schedule besides the assets, and how its items are shown: playlists, and the settings of this screen.

import { groupNames } from "../../contract/v2/v2-settings.ts";
import type { ScheduleInputs } from "./lineup-watch.ts";
import { presentationDefaultsOf } from "./presentation-defaults.ts";
import { zoneOf } from "../time-zone.ts";
import type { Playlists } from "../playlists/playlists.ts";
import type { SettingsStore } from "../settings.ts";

export function createScheduleInputs(
  playlists: Playlists,
  settings: SettingsStore,
): ScheduleInputs {
  return {
    playlists: playlists.all,
    screen: () => ({
      zone: zoneOf(settings.all()),
      groups: groupNames(settings.all().groups),
    }),
    isShuffled: () => settings.all().shufflePlaylist,
    presentationDefaults: () => presentationDefaultsOf(settings.all()),
    onChanged: (listener) => {
      const endings = [
        playlists.onChanged(listener),
        settings.onChanged(() => listener()),
      ];
      return () => endings.forEach((end) => end());
    },
  };
}
