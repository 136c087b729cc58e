// Formats of texts: shortcuts as printed on keys, times as clocks show them, and right-to-left layout.

import { describe, expect, it, onTestFinished, vi } from "vitest";
import { formatsFor } from "../../../renderer/manager/texts/formats.ts";
import { isolate, isolated } from "../../../renderer/manager/texts/isolate.ts";

describe("formats", () => {
  it("name keys by what is printed on them", () => {
    expect(formatsFor("de").keys("mod+Shift+E")).toBe("Strg+Umschalt+E");
    expect(formatsFor("en-GB").keys("mod+K")).toBe("Ctrl+K");
  });

  it("format a time of day in the language's clock format", () => {
    const halfPastNine = 9.5 * 3_600_000;
    expect(formatsFor("de").timeOfDay(halfPastNine)).toBe("09:30");
    expect(formatsFor("en-GB").timeOfDay(halfPastNine)).toBe("09:30");
    expect(formatsFor("en-US").timeOfDay(halfPastNine)).toMatch(/^9:30\sAM$/);
  });

  it("name the day only if it is not today", () => {
    const { near, clock, dayAndTime } = formatsFor("en-GB");
    const now = Date.UTC(2026, 0, 31, 12);
    onTestFinished(() => void vi.useRealTimers());
    vi.setSystemTime(now);
    expect(near(now)).toBe(clock(now));
    const later = now + 3 * 86_400_000;
    expect(near(later)).toBe(dayAndTime(later));
  });

  it("use the screen's time zone, and name it where this computer's differs", () => {
    const { goBy, clock, dayAndTime, ...more } = formatsFor("en-GB");
    const moment = Date.UTC(2026, 0, 31, 20, 5);
    const ownMoment = more.moment(moment);
    goBy("Asia/Tokyo");
    expect(clock(moment)).toBe("05:05 GMT+9");
    expect(dayAndTime(moment)).toBe("Sun 1 Feb, 05:05 GMT+9");
    expect(more.time(moment)).toBe("05:05:00 GMT+9");
    expect(more.moment(moment)).toBe("1 Feb 2026, 05:05 GMT+9");
    expect(more.day(moment)).toBe("1 Feb 2026");
    expect(more.days(moment - 86_400_000, moment)).toMatch(/^31 Jan.*1 Feb/);
    // A calendar day is the same day everywhere.
    for (const zone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
      goBy(zone);
      const midnight = Date.UTC(2026, 0, 31);
      expect(more.calendarDay(midnight)).toBe("31 Jan 2026");
      expect(more.calendarDays(midnight, midnight)).toBe("31 Jan 2026");
    }
    goBy("");
    expect(clock(moment)).toMatch(/^\d\d:\d\d$/);
    expect(more.moment(moment)).toBe(ownMoment);
  });
});

describe("a chosen language", () => {
  const speech = async (chosen: string | null, system: string) => {
    vi.resetModules();
    vi.stubGlobal("navigator", { language: system });
    vi.stubGlobal("window", { localStorage: { getItem: () => chosen } });
    onTestFinished(() => void vi.unstubAllGlobals());
    return import("../../../renderer/manager/texts/texts.ts");
  };

  it("keeps the system's region where the language is the same", async () => {
    const moment = Date.UTC(2026, 0, 31, 12);
    const british = await speech("en", "en-GB");
    expect(british.language).toBe("en-GB");
    expect(british.formats.day(moment)).toBe("31 Jan 2026");
    expect((await speech("de", "de-AT")).language).toBe("de-AT");
    expect((await speech("en", "de-AT")).language).toBe("en");
    expect((await speech("de", "en-GB")).language).toBe("de");
    expect((await speech(null, "en-GB")).language).toBe("en-GB");
  });
});

describe("a catalogue in a right-to-left layout", () => {
  const reported = isolated({
    name: "Jump to …",
    left: (seconds: number) => `${seconds} left`,
    days: ["Mon", "Tue"],
    newName: "New playlist",
    none: "",
  });

  it("keeps the direction of each of its texts", () => {
    expect(reported.name).toBe(isolate("Jump to …"));
    expect(reported.left(3)).toBe(isolate("3 left"));
    expect(reported.days).toEqual([isolate("Mon"), isolate("Tue")]);
    expect(reported.none).toBe("");
  });

  it("adds no invisible characters to texts used elsewhere", () => {
    expect(reported.newName).toBe("New playlist");
  });
});
