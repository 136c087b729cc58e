// What the house card is told: who this player is, where it answers, and how its clock reads.

import os from "node:os";
import type { Settings } from "../contract/v2-settings.ts";
import type { HouseCard } from "../core/slide.ts";
import { zoneOf } from "./manner.ts";

/** How the card looks, by settings (V2-126). */
export interface CardManner {
  /** False keeps the address and its code to itself. */
  readonly isAddressShown: boolean;
  /** As in `dd.mm.yyyy`. */
  readonly dateFormat: string;
  readonly is24Hour: boolean;
  readonly isDark: boolean;
  /** An IANA name. */
  readonly zone: string;
}

export function houseCardOf(
  settings: Settings,
  apiAddress: string,
): HouseCard & CardManner {
  return {
    playerName: playerNameOf(settings),
    apiAddress,
    isAddressShown: settings.showSplash,
    dateFormat: settings.dateFormat,
    is24Hour: settings.use24HourClock,
    isDark: settings.preferDarkMode,
    zone: zoneOf(settings),
  };
}

/** The setting, else the machine's own. */
export function playerNameOf(settings: Pick<Settings, "playerName">): string {
  return settings.playerName || os.hostname();
}
