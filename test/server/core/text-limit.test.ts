// Text truncation: never inside a character, whatever it is made of.

import { describe, expect, it } from "vitest";
import { cutText, wellFormed } from "../../../server/core/text-limit.ts";

describe("[V2-548] a truncated text", () => {
  it.each<[string, string, number, string]>([
    [
      "keeps an emoji that ends at the limit",
      `${"a".repeat(9)}😀b`,
      10,
      `${"a".repeat(9)}😀`,
    ],
    [
      "drops an emoji after the limit",
      `${"a".repeat(10)}😀`,
      10,
      "a".repeat(10),
    ],
    ["does not split a family emoji", `ab👩‍👩‍👧‍👦`, 4, "ab"],
    ["does not separate an accent from its letter", "abe\u0301", 3, "ab"],
    ["does not split a flag emoji", "a🇩🇪", 2, "a"],
    ["drops lone surrogates", "a\ud83db\ude00c", 3, "abc"],
    ["keeps a text shorter than the limit", "abc", 3, "abc"],
    [
      "is cut between code points if one letter has too many accents",
      `a${"\u0301".repeat(200)}`,
      100,
      `a${"\u0301".repeat(99)}`,
    ],
  ])("%s", (_, text, most, expected) => {
    expect(cutText(text, most)).toBe(expected);
  });

  it("is well-formed, no longer than its limit, and stays the same when truncated again", () => {
    const letters = ["a", "é", "e\u0301", "😀", "👩‍👩‍👧", "🇩🇪", "\ud83d", "\ude00"];
    let seed = 7;
    const random = (): number => (seed = (seed * 48_271) % 2_147_483_647);
    for (let round = 0; round < 2000; round += 1) {
      const text = Array.from(
        { length: random() % 30 },
        () => letters[random() % letters.length],
      ).join("");
      const most = random() % 40;
      const cut = cutText(text, most);
      expect([...cut].length).toBeLessThanOrEqual(most);
      expect(cut).toBe(wellFormed(cut));
      expect(wellFormed(text).startsWith(cut)).toBe(true);
      expect(cutText(cut, most)).toBe(cut);
    }
  });
});
