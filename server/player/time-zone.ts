// The time zone of the screen: the setting, else that of the machine.

import type { Settings } from "../contract/v2/v2-settings.ts";
import { watchedZone } from "../platform/machine-zone.ts";

/** The screen's time zone: the setting, else the zone of the machine (V2-108). */
export function zoneOf(settings: Pick<Settings, "timezone">): string {
  return settings.timezone || zoneOfMachine();
}

/** Slow to determine, and needed for every response: cached for this long. */
const zoneKeptMs = 1000;
const machineZone = watchedZone();
let cached = { zone: "", until: -Infinity };

function zoneOfMachine(): string {
  const moment = performance.now();
  if (moment < cached.until) return cached.zone;
  const zone = machineZone();
  cached = { zone, until: moment + zoneKeptMs };
  return zone;
}
