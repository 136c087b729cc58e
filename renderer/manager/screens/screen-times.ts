// Times on the screens page: in the time zone of this computer, whatever zones the screens are in.

import { formatsFor } from "../../locales/formats.ts";
import { language } from "../../locales/language.ts";

/** Without the zone of this PC's own player, which the other pages go by. */
const formats = formatsFor(language);

/** "14:00", or with its day if that is not today. */
export function timeHere(moment: string): string {
  return formats.near(Date.parse(moment));
}

/** The present time of day at a screen; null where its zone is unknown or is the one of this computer. */
export function timeAtScreen(moment: number, zone: string): string | null {
  if (zone === "" || zone === localZone()) return null;
  try {
    return formats.clockIn(moment, zone);
  } catch {
    // A name that this computer does not know.
    return null;
  }
}

function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
