// Formats of texts: shortcuts as printed on keys, times as clocks show them, and right-to-left layout.

import { describe, expect, it, onTestFinished, vi } from "vitest";
import { formatsFor } from "../../../renderer/locales/formats.ts";
import { isolate } from "../../../renderer/locales/isolate.ts";

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

  it.each([
    ["de", ["0 s", "1 min", "1 min 30 s", "1 h 5 min 3 s"]],
    ["de-AT", ["0 s", "1 min", "1 min 30 s", "1 h 5 min 3 s"]],
    ["en-GB", ["0s", "1m", "1m 30s", "1h 5m 3s"]],
  ])(
    "format a duration in one style and without a full stop in %s",
    (language, texts) => {
      const { length } = formatsFor(language);
      // A number stays on the line of its unit.
      const expected = texts.map((text) =>
        text.replaceAll(/ (?=[a-z])/g, "\u00a0"),
      );
      expect([0, 60, 90, 3903].map(length)).toEqual(expected);
    },
  );

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

/** A module of the catalogues, as a page in these languages loads it. */
async function load<Module>(
  chosen: string | null,
  system: string,
  module: () => Promise<Module>,
): Promise<Module> {
  vi.resetModules();
  vi.stubGlobal("navigator", { language: system });
  vi.stubGlobal("window", { localStorage: { getItem: () => chosen } });
  onTestFinished(() => void vi.unstubAllGlobals());
  return module();
}

describe("a chosen language", () => {
  const languageOf = (chosen: string | null, system: string) =>
    load(
      ...([chosen, system] as const),
      () => import("../../../renderer/locales/language.ts"),
    );

  it("keeps the system's region where the language is the same", async () => {
    const moment = Date.UTC(2026, 0, 31, 12);
    const british = await languageOf("en", "en-GB");
    expect(british.language).toBe("en-GB");
    expect(british.formats.day(moment)).toBe("31 Jan 2026");
    expect((await languageOf("de", "de-AT")).language).toBe("de-AT");
    expect((await languageOf("en", "de-AT")).language).toBe("en");
    expect((await languageOf("de", "en-GB")).language).toBe("de");
    expect((await languageOf(null, "en-GB")).language).toBe("en-GB");
  });
});

describe("messages", () => {
  const messagesIn = (language: string) =>
    load(
      ...([null, language] as const),
      () => import("../../../renderer/locales/messages.ts"),
    );

  it("are in the operator's language, or in English where it has no catalogue", async () => {
    expect((await messagesIn("de-AT")).t("takeover.minutes")).toBe("Minuten");
    expect((await messagesIn("pl")).t("takeover.minutes")).toBe("Minutes");
  });

  it("isolate a value of another direction only", async () => {
    const { t } = await messagesIn("en");
    const remove = (name: string) => t("takeover.removeNamed", { name });
    expect(remove("Lunch")).toBe("Remove “Lunch”");
    expect(remove("חלון")).toBe(`Remove “${isolate("חלון")}”`);
    expect(remove("عرض")).toBe(`Remove “${isolate("عرض")}”`);
  });

  it("keep their own direction in a right-to-left layout", async () => {
    const { plainMessage, t } = await messagesIn("ar");
    expect(t("takeover.minutes")).toBe(isolate("Minutes"));
    expect(t("takeover.removeNamed", { name: "Lunch" })).toBe(
      isolate(`Remove “${isolate("Lunch")}”`),
    );
    // Stored, and used where invisible characters do not belong.
    expect(plainMessage("takeover.newName")).toBe("New preset");
  });

  it("for a code of another version are undefined", async () => {
    const { messageFor } = await messagesIn("en");
    expect(messageFor("takeover.contentKinds", "url")).toBe("Web page");
    expect(messageFor("takeover.contentKinds", "hologram")).toBeUndefined();
  });
});
