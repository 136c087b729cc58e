// Clock of the idle screen: the screen's time zone, and the configured formats.

import { describe, expect, it } from "vitest";
import { createIdleScreenClock } from "../../../renderer/playback/idle-screen-clock.ts";

/** Three minutes past eleven in the evening of 20 November in London, past midnight in Berlin. */
const moment = Date.UTC(2026, 10, 20, 23, 3);

function clock(zone: string, dateFormat: string, is24Hour: boolean) {
  return createIdleScreenClock({ zone, dateFormat, is24Hour });
}

describe("the clock of the idle screen", () => {
  it.each([
    { zone: "Europe/London", format: "dd/mm/yyyy", date: "20/11/2026" },
    { zone: "Europe/Berlin", format: "dd.mm.yyyy", date: "21.11.2026" },
    { zone: "Asia/Tokyo", format: "yyyy-mm-dd", date: "2026-11-21" },
    { zone: "America/Chicago", format: "mm/dd/yyyy", date: "11/20/2026" },
  ])("[V2-126] formats $date in $zone as $format", ({ zone, format, date }) => {
    expect(clock(zone, format, true).dateAt(moment)).toMatch(
      new RegExp(` ${date.replaceAll(".", "\\.")}$`),
    );
  });

  it("[V2-863] writes the date in words, as the language and region do, in the screen's time zone", () => {
    const { dateAt } = clock("Europe/Berlin", "long", true);
    const midnight = new Date(2026, 10, 21);
    expect(dateAt(moment)).toBe(
      midnight.toLocaleDateString(undefined, { dateStyle: "full" }),
    );
  });

  it("[V2-126] uses 24 or 12 hours", () => {
    const format = "yyyy-mm-dd";
    expect(clock("Europe/Berlin", format, true).timeAt(moment)).toMatch(
      /^0?0.03$/,
    );
    expect(clock("Europe/Berlin", format, false).timeAt(moment)).toMatch(
      /^12.03/,
    );
  });
});
