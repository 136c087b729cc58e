// The card speaks the language of the system it stands on.

import { describe, expect, it } from "vitest";
import { idleScreenWords } from "../../../renderer/playback/idle-screen-words.ts";

describe("the card's words", () => {
  it.each([
    { language: "de-AT", expected: "Dieser Player ist erreichbar unter" },
    { language: "en-GB", expected: "This player answers at" },
    { language: "fi", expected: "This player answers at" },
  ])("are said to $language as $says", ({ language, expected }) => {
    expect(idleScreenWords(language).answersAt).toBe(expected);
  });

  it("name the place where the PIN is typed", () => {
    for (const language of ["en", "de"])
      expect(idleScreenWords(language).typeAt("desk.example.org")).toContain(
        "desk.example.org",
      );
  });
});
