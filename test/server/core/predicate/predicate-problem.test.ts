// Error messages for invalid predicates, as the interfaces return them.

import { describe, expect, it } from "vitest";
import { parsePredicate } from "../../../../server/core/predicate/predicate.ts";

describe("a problem with a predicate", () => {
  // prettier-ignore
  it.each([
    ["", "The predicate is empty; it must start with TRUE, FALSE, NOT, a parenthesis, $DATE, $TIME or $WEEKDAY."],
    ["$TIME", "Unexpected end; expected one of = <= >= < >, BETWEEN or IN."],
    ["TRUE FALSE", "FALSE stands where AND, OR or the end is expected."],
    ["$TIME != 5", "!= is not supported; use NOT and =."],
    ["$TIME NOT IN {1}", "NOT must come before the variable."],
    ["TRUE # FALSE", "# means nothing."],
    ["$TIME < 5h", "h cannot stand right behind 5."],
    ["$TIME < 99999999999999999999", "99999999999999999999 is beyond 64 bits."],
    ["(".repeat(101), "Parentheses and NOT are nested too deeply; at most 100 levels are allowed."],
    [" ".repeat(4097), "The predicate is too long; at most 4096 characters are allowed."],
  ])("in %j is described in English", (text, english) => {
    const { problem } = parsePredicate(text);
    expect(problem?.message).toBe(english);
  });
});
