// Parses the query string into pairs, decoded strictly: invalid UTF-8 is rejected, not guessed.

import { isStorable } from "../../../platform/text/json-text.ts";
import { limits } from "./request-limits.ts";
import { badQuery, Refusal } from "../../http/v4-errors.ts";

export type Pair = readonly [name: string, value: string];

/** The part after the question mark; only an address has to be short (V4-40). */
export function parseQuery(text: string): readonly Pair[] {
  if (text.length > limits.queryBytes)
    throw new Refusal(414, "PGRST100", "The address is too long");
  // A part without `=` is ignored.
  return text
    .split("&")
    .map((part) => [part, part.indexOf("=")] as const)
    .filter(([, equals]) => equals >= 0)
    .map(([part, equals]) => [
      decoded(part.slice(0, equals)),
      decoded(part.slice(equals + 1)),
    ]);
}

export function decoded(part: string): string {
  let text;
  try {
    text = decodeURIComponent(part.replaceAll("+", " "));
  } catch {
    throw badQuery(
      "The query string is not encoded correctly",
      "It must be percent-encoded UTF-8.",
    );
  }
  if (!isStorable(text))
    throw badQuery(
      "The query string contains a character that cannot be stored",
      null,
    );
  return text;
}
