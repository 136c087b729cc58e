// What is wrong with a schedule rule, as core says it: a test keeps them the same (V2-850).

/** By the message in the manager's catalogue; a name in braces stands for a detail. The first that fits counts. */
export const predicateSentences = {
  empty: "The predicate is empty; it must start with {start}.",
  tooLong: "The predicate is too long; at most {limit} characters are allowed.",
  tooDeep:
    "Parentheses and NOT are nested too deeply; at most {limit} levels are allowed.",
  "slips.!=": "!= is not supported; use NOT and =.",
  "slips.<>": "<> is not supported; use NOT and =.",
  "slips.==": "Use a single = to compare.",
  "slips.&&": "Use AND instead of &&.",
  "slips.||": "Use OR instead of ||.",
  "slips.!": "Use NOT instead of !.",
  notBehindVariable: "NOT must come before the variable.",
  incomplete: "Unexpected end; expected {expected}.",
  unexpected: "Unexpected {found}; expected {expected}.",
  runsOn: "{found} cannot follow {previous} directly.",
  tooLarge: "{found} does not fit into 64 bits.",
  meaningless: "{found} is not recognized.",
} as const;

/** In the place of `{start}` and `{expected}`. */
export const predicateExpectations = {
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
} as const;
