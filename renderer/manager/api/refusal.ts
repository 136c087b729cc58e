// What a server rejected, and what succeeded after all: a notice about a failure disappears by the latter.

import type { FieldSentences } from "../../../server/core/failure.ts";

/** A request that a server rejected, with its message per field where it has some. */
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
    super(message);
    this.name = "Refusal";
    this.code = code;
    this.fields = fields;
    this.attempt = attempt;
  }
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
