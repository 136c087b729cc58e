// What every text is made of: keys as they are printed, clocks as they are read, and texts laid out for a reader from the right.

import { describe, expect, it } from "vitest";
import { formatsFor } from "../../../renderer/manager/texts/formats.ts";
import { isolate } from "../../../renderer/manager/texts/isolate.ts";
import { isolated } from "../../../renderer/manager/texts/isolated.ts";

describe("formats", () => {
  it("call keys what is printed on them", () => {
    expect(formatsFor("de").keys("mod+Shift+E")).toBe("Strg+Umschalt+E");
    expect(formatsFor("en-GB").keys("mod+K")).toBe("Ctrl+K");
  });

  it("write a time of day as the language's clock has it", () => {
    const halfPastNine = 9.5 * 3_600_000;
    expect(formatsFor("de").timeOfDay(halfPastNine)).toBe("09:30");
    expect(formatsFor("en-GB").timeOfDay(halfPastNine)).toBe("09:30");
    expect(formatsFor("en-US").timeOfDay(halfPastNine)).toMatch(/^9:30\sAM$/);
  });

  it("name the day only where it is another one", () => {
    const { near, clock, dayAndTime } = formatsFor("en-GB");
    const now = Date.now();
    expect(near(now)).toBe(clock(now));
    const later = now + 3 * 86_400_000;
    expect(near(later)).toBe(dayAndTime(later));
  });
});

describe("a catalogue laid out for a reader from the right", () => {
  const said = isolated({
    name: "Jump to …",
    left: (seconds: number) => `${seconds} left`,
    days: ["Mon", "Tue"],
    newName: "New playlist",
    none: "",
  });

  it("keeps the direction of each of its texts", () => {
    expect(said.name).toBe(isolate("Jump to …"));
    expect(said.left(3)).toBe(isolate("3 left"));
    expect(said.days).toEqual([isolate("Mon"), isolate("Tue")]);
    expect(said.none).toBe("");
  });

  it("puts nothing invisible into what is written elsewhere", () => {
    expect(said.newName).toBe("New playlist");
  });
});
