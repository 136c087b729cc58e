// Error messages for invalid predicates, as the interfaces return them.

import { describe, expect, it } from "vitest";
import { parsePredicate } from "../../../../server/core/predicate/predicate.ts";

describe("a problem with a predicate", () => {
  // prettier-ignore
  it.each([
    ["", "It is empty; it begins with TRUE, FALSE, NOT, a parenthesis, $DATE, $TIME or $WEEKDAY."],
    ["$TIME", "It ends where one of = <= >= < >, BETWEEN or IN is expected."],
    ["TRUE FALSE", "FALSE stands where AND, OR or the end is expected."],
    ["$TIME != 5", "There is no !=; write NOT and =."],
    ["$TIME NOT IN {1}", "NOT stands before the variable."],
    ["TRUE # FALSE", "# means nothing."],
    ["$TIME < 5h", "h cannot stand right behind 5."],
    ["$TIME < 99999999999999999999", "99999999999999999999 is beyond 64 bits."],
    ["(".repeat(101), "Parentheses and NOT go at most 100 deep."],
    [" ".repeat(4097), "A predicate has at most 4096 characters."],
  ])("in %j is described in English", (text, english) => {
    const { problem } = parsePredicate(text);
    expect(problem?.message).toBe(english);
  });
});
