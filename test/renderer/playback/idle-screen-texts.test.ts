// Language of the idle screen: the system's.

import { describe, expect, it } from "vitest";
import { idleScreenTexts } from "../../../renderer/playback/idle-screen-texts.ts";

describe("the texts of the idle screen", () => {
  it.each([
    { language: "de-AT", expected: "Adresse dieses Players" },
    { language: "en-GB", expected: "This player’s address" },
    { language: "fi", expected: "This player’s address" },
  ])("in $language are $expected", ({ language, expected }) => {
    expect(idleScreenTexts(language).address).toBe(expected);
  });

  it("name the place where the PIN is entered", () => {
    for (const language of ["en", "de"])
      expect(idleScreenTexts(language).pairing("desk.example.org")).toContain(
        "desk.example.org",
      );
  });
});
