// Formats date and time for the clock of the idle screen, in the screen's time zone and the configured date and time format.

import type { IdleScreen } from "../../server/contract/ipc/ipc.ts";

export interface IdleScreenClock {
  timeAt(moment: number): string;
  /** e.g. `Saturday, November 21, 2026`, or `Saturday 21.11.2026` (V2-863). */
  dateAt(moment: number): string;
}

export function createIdleScreenClock(
  idleScreen: Pick<IdleScreen, "dateFormat" | "is24Hour" | "zone">,
): IdleScreenClock {
  const zone = { timeZone: idleScreen.zone };
  const time = new Intl.DateTimeFormat(undefined, {
    ...zone,
    hour: "numeric",
    minute: "2-digit",
    hourCycle: idleScreen.is24Hour ? "h23" : "h12",
  });
  const long = new Intl.DateTimeFormat(undefined, {
    ...zone,
    dateStyle: "full",
  });
  const weekday = new Intl.DateTimeFormat(undefined, {
    ...zone,
    weekday: "long",
  });
  const figures = new Intl.DateTimeFormat("en", {
    ...zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });

  function figure(moment: number, type: Intl.DateTimeFormatPartTypes): string {
    const parts = figures.formatToParts(moment);
    return parts.find((part) => part.type === type)?.value ?? "";
  }

  return {
    timeAt: (moment) => time.format(moment),
    dateAt: (moment) => {
      if (idleScreen.dateFormat === "long") return long.format(moment);
      const date = idleScreen.dateFormat
        .replace("yyyy", figure(moment, "year"))
        .replace("mm", figure(moment, "month"))
        .replace("dd", figure(moment, "day"));
      return `${weekday.format(moment)} ${date}`;
    },
  };
}
