// Formats moments in the screen's time zone and the operator's language.

import { hoursAndMinutes } from "../../../locales/formats.ts";
import { language } from "../../../locales/language.ts";

export interface ZoneFormats {
  /** "Sat, 21 Nov, 14:00" */
  readonly dayAndTime: (moment: number) => string;
  /** "Saturday, 21 November 2026 at 14:00" */
  readonly fullDate: (moment: number) => string;
  /** "14:00" */
  readonly clock: (moment: number) => string;
  /** The zone's own name at that moment: "GMT+1". */
  readonly zoneName: (moment: number) => string;
}

const cache = new Map<string, ZoneFormats>();

export function formatIn(zone: string): ZoneFormats {
  const before = cache.get(zone);
  if (before) return before;
  const created = createFormats(zone);
  cache.set(zone, created);
  return created;
}

function createFormats(timeZone: string): ZoneFormats {
  const near = new Intl.DateTimeFormat(language, {
    ...({
      timeZone,
      weekday: "short",
      day: "numeric",
      month: "short",
    } as const),
    ...hoursAndMinutes(language),
  });
  const fullDate = new Intl.DateTimeFormat(language, {
    ...({ timeZone, dateStyle: "full", timeStyle: "short" } as const),
  });
  const clock = new Intl.DateTimeFormat(language, {
    ...({ timeZone, timeStyle: "short" } as const),
  });
  const name = new Intl.DateTimeFormat(language, {
    ...({ timeZone, timeZoneName: "short" } as const),
  });
  return {
    dayAndTime: (moment) => near.format(moment),
    fullDate: (moment) => fullDate.format(moment),
    clock: (moment) => clock.format(moment),
    zoneName: (moment) =>
      name.formatToParts(moment).find(({ type }) => type === "timeZoneName")
        ?.value ?? timeZone,
  };
}
