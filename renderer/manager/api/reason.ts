// Why something failed, for people.

import { problemText } from "./problem-text.ts";

/** The message of a failed query, in the operator's language where the sentence is known. */
export function reasonOf(error: unknown): string {
  return problemText(error instanceof Error ? error.message : String(error));
}
