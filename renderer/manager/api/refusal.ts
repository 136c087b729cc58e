// What a server rejected, and what succeeded after all: a notice about a failure disappears by the latter.

import type { FieldSentences } from "../../../server/core/failure.ts";
import { problemText } from "./problem-text.ts";

/** A request that a server rejected, with its message per field where it has some: in the operator's language where they are known. */
export class Refusal extends Error {
  readonly code: string;
  readonly fields: FieldSentences | null;
  /** What was attempted: the operation and what it was about, whatever was sent. */
  readonly attempt: string;

  constructor(
    code: string,
    message: string,
    fields: FieldSentences | null,
    attempt = "",
  ) {
    super(problemText(message));
    this.name = "Refusal";
    this.code = code;
    this.fields = fields && translatedFields(fields);
    this.attempt = attempt;
  }
}

/** A response of another kind may have something else than sentences in its fields. */
function translatedFields(fields: FieldSentences): FieldSentences {
  return Object.fromEntries(
    Object.entries(fields).map(([field, sentences]) => [
      field,
      Array.isArray(sentences)
        ? sentences.map((sentence) => problemText(String(sentence)))
        : sentences,
    ]),
  );
}

type Listener = (operation: string, attempt: string) => void;

const listeners = new Set<Listener>();

/** Called for everything that succeeds: with its name, and with what was attempted, as in `Refusal`. */
export function onOperation(listener: Listener): void {
  listeners.add(listener);
}

export function noteSucceeded(operation: string, attempt: string): void {
  for (const listener of listeners) listener(operation, attempt);
}
