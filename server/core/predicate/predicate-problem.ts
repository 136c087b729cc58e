// Errors of a predicate, and the sentences for them.

/** What is wrong, in a sentence, and where, in UTF-16 units from 0. */
export interface PredicateProblem {
  /** In English, as the interfaces return it. */
  readonly message: string;
  /** The same as data, for other languages. */
  readonly fault: PredicateFault;
  readonly position: number;
}

/** What could be there instead. */
export type Expected =
  | "start"
  | "variable"
  | "relation"
  | "number"
  | "second-number"
  | "list"
  | "pair"
  | "member-or-end"
  | "end-of-list"
  | "join-or-parenthesis"
  | "join-or-end";

/** Operators of other languages. */
export type Slip = "!=" | "<>" | "==" | "&&" | "||" | "!";

export type PredicateFault =
  | { readonly kind: "empty" }
  | { readonly kind: "too-long" | "too-deep"; readonly most: number }
  | { readonly kind: "slip"; readonly slip: Slip }
  | { readonly kind: "meaningless"; readonly found: string }
  | {
      readonly kind: "runs-on";
      readonly found: string;
      readonly behind: string;
    }
  | { readonly kind: "not-behind-variable" }
  | { readonly kind: "too-large"; readonly found: string }
  /** Null: the text ends there. */
  | {
      readonly kind: "unexpected";
      readonly found: string | null;
      readonly expected: Expected;
    };

/** A language: the wording of each fault. */
export interface ProblemWords {
  readonly empty: (start: string) => string;
  readonly tooLong: (most: number | string) => string;
  readonly tooDeep: (most: number | string) => string;
  readonly slip: (slip: Slip) => string;
  readonly meaningless: (found: string) => string;
  readonly runsOn: (found: string, behind: string) => string;
  readonly notBehindVariable: string;
  readonly tooLarge: (found: string) => string;
  readonly incomplete: (expected: string) => string;
  readonly unexpected: (found: string, expected: string) => string;
  readonly expected: (expected: Expected) => string;
}

export const englishSlips: Readonly<Record<Slip, string>> = {
  "!=": "!= is not supported; use NOT and =.",
  "<>": "<> is not supported; use NOT and =.",
  "==": "Use a single = to compare.",
  "&&": "Use AND instead of &&.",
  "||": "Use OR instead of ||.",
  "!": "Use NOT instead of !.",
};

export const englishExpected: Readonly<Record<Expected, string>> = {
  start: "TRUE, FALSE, NOT, a parenthesis, $DATE, $TIME or $WEEKDAY",
  variable: "$DATE, $TIME or $WEEKDAY",
  relation: "one of = <= >= < >, BETWEEN or IN",
  number: "a whole number",
  "second-number": "a comma and a second number",
  list: "{1, 2, …}",
  pair: "{1, 2}",
  "member-or-end": "a comma or }",
  "end-of-list": "}",
  "join-or-parenthesis": "AND, OR or )",
  "join-or-end": "AND, OR or the end",
};

/** As the interfaces return them. */
export const englishProblemWords: ProblemWords = {
  empty: (start) => `The predicate is empty; it must start with ${start}.`,
  tooLong: (most) =>
    `The predicate is too long; at most ${most} characters are allowed.`,
  tooDeep: (most) =>
    `Parentheses and NOT are nested too deeply; at most ${most} levels are allowed.`,
  slip: (slip) => englishSlips[slip],
  meaningless: (found) => `${found} is not recognized.`,
  runsOn: (found, behind) => `${found} cannot follow ${behind} directly.`,
  notBehindVariable: "NOT must come before the variable.",
  tooLarge: (found) => `${found} does not fit into 64 bits.`,
  incomplete: (expected) => `Unexpected end; expected ${expected}.`,
  unexpected: (found, expected) => `Unexpected ${found}; expected ${expected}.`,
  expected: (expected) => englishExpected[expected],
};

export function predicateFaultText(
  fault: PredicateFault,
  words: ProblemWords = englishProblemWords,
): string {
  switch (fault.kind) {
    case "empty":
      return words.empty(words.expected("start"));
    case "too-long":
      return words.tooLong(fault.most);
    case "too-deep":
      return words.tooDeep(fault.most);
    case "slip":
      return words.slip(fault.slip);
    case "meaningless":
      return words.meaningless(fault.found);
    case "runs-on":
      return words.runsOn(fault.found, fault.behind);
    case "not-behind-variable":
      return words.notBehindVariable;
    case "too-large":
      return words.tooLarge(fault.found);
    case "unexpected": {
      const expected = words.expected(fault.expected);
      return fault.found === null
        ? words.incomplete(expected)
        : words.unexpected(fault.found, expected);
    }
  }
}
