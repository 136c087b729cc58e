// What a contract finds wrong with a value, in a sentence for people.

import type * as z from "zod";

/** Of what a contract says nothing about by itself. */
export function sentenceOf(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined || issue.input === null)
    return "This field is required.";
  switch (issue.code) {
    case "invalid_type":
      return `This must be ${kinds[issue.expected] ?? "of another kind"}.`;
    case "invalid_value":
      return `This must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}.`;
    case "too_big":
      return issue.origin in units
        ? `This has more than ${issue.maximum} ${units[issue.origin]}.`
        : `This must be at most ${issue.maximum}.`;
    case "too_small":
      return issue.origin in units
        ? `This has fewer than ${issue.minimum} ${units[issue.origin]}.`
        : `This must be at least ${issue.minimum}.`;
    default:
      return "This is not in the right form.";
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

const units: Readonly<Record<string, string>> = {
  string: "characters",
  array: "elements",
};
