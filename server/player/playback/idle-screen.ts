// Contents of the idle screen: the player's name, its address, and its time format.

import os from "node:os";
import type { Settings } from "../../contract/v2/v2-settings.ts";
import type { IdleScreen } from "../../core/showing.ts";
import { zoneOf } from "./presentation-defaults.ts";

/** What the idle screen needs to know (V2-126). */
export function idleScreenOf(
  settings: Settings,
  apiAddress: string,
  pairing: IdleScreen["pairing"] = null,
): IdleScreen {
  return {
    playerName: playerNameOf(settings),
    apiAddress,
    isAddressShown: settings.showSplash,
    dateFormat: settings.dateFormat,
    is24Hour: settings.use24HourClock,
    zone: zoneOf(settings),
    pairing,
  };
}

/** The setting, else the name of the machine. */
export function playerNameOf(settings: Pick<Settings, "playerName">): string {
  return settings.playerName || os.hostname();
}
