// Error messages for invalid predicates, in both languages.

import { describe, expect, it } from "vitest";
import {
  germanProblemWords,
  predicateFaultText,
} from "../../../../server/core/predicate/predicate-problem.ts";
import { parsePredicate } from "../../../../server/core/predicate/predicate.ts";

describe("a problem with a predicate", () => {
  // prettier-ignore
  it.each([
    ["", "It is empty; it begins with TRUE, FALSE, NOT, a parenthesis, $DATE, $TIME or $WEEKDAY.", "Hier steht noch nichts; es beginnt mit TRUE, FALSE, NOT, eine Klammer, $DATE, $TIME oder $WEEKDAY."],
    ["$TIME", "It ends where one of = <= >= < >, BETWEEN or IN is expected.", "Hier fehlt noch etwas: eines von = <= >= < >, BETWEEN oder IN."],
    ["TRUE FALSE", "FALSE stands where AND, OR or the end is expected.", "Hier steht FALSE, erwartet wird: AND, OR oder das Ende."],
    ["$TIME != 5", "There is no !=; write NOT and =.", "!= gibt es nicht; dafür stehen NOT und =."],
    ["$TIME NOT IN {1}", "NOT stands before the variable.", "NOT steht vor der Variablen."],
    ["TRUE # FALSE", "# means nothing.", "# hat hier keine Bedeutung."],
    ["$TIME < 5h", "h cannot stand right behind 5.", "h kann nicht unmittelbar hinter 5 stehen."],
    ["$TIME < 99999999999999999999", "99999999999999999999 is beyond 64 bits.", "99999999999999999999 hat mehr als 64 Bit."],
    ["(".repeat(101), "Parentheses and NOT go at most 100 deep.", "Klammern und NOT lassen sich höchstens 100-mal schachteln."],
    [" ".repeat(4097), "A predicate has at most 4096 characters.", "Eine Bedingung hat höchstens 4096 Zeichen."],
  ])("in %j is described in English and German", (text, english, german) => {
    const { problem } = parsePredicate(text);
    expect(problem?.message).toBe(english);
    expect(problem && predicateFaultText(problem.fault, germanProblemWords)).toBe(german);
  });
});
