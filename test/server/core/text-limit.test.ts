// Text truncation: never inside a character, whatever it is made of.

import { describe, expect, it } from "vitest";
import { cutText, wellFormed } from "../../../server/core/text-limit.ts";

describe("[V2-548] a truncated text", () => {
  it.each<[string, string, number, string]>([
    [
      "an emoji at the limit fits whole",
      `${"a".repeat(9)}😀b`,
      10,
      `${"a".repeat(9)}😀`,
    ],
    ["an emoji behind it goes", `${"a".repeat(10)}😀`, 10, "a".repeat(10)],
    ["a family stays together", `ab👩‍👩‍👧‍👦`, 4, "ab"],
    ["an accent stays with its letter", "abe\u0301", 3, "ab"],
    ["a flag stays whole", "a🇩🇪", 2, "a"],
    ["halves of surrogate pairs are left out", "a\ud83db\ude00c", 3, "abc"],
    ["what is short stays", "abc", 3, "abc"],
    [
      "more ornament than letter is cut between code points",
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
