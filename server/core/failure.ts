// Failure, the only expected error: a code from a closed list and a message for people.

export type FailureCode =
  | "not-found"
  | "malformed"
  | "invalid"
  | "unknown-name"
  | "conflict"
  | "unauthorized"
  | "forbidden"
  | "too-large"
  | "no-space"
  | "unavailable"
  | "corrupt"
  | "unsupported"
  | "too-many";

/** Sentences per field, as an interface returns them to its client. */
export type FieldSentences = Readonly<Record<string, readonly string[]>>;

export class Failure extends Error {
  readonly code: FailureCode;
  /** Which field is wrong and why; only with `invalid` and `unsupported`. */
  readonly fields: FieldSentences | undefined;

  constructor(code: FailureCode, message: string, fields?: FieldSentences) {
    super(message);
    this.name = "Failure";
    this.code = code;
    this.fields = fields;
  }
}

/** A failure about one field: `fieldFailure("uri", "This address cannot be reached.")`. */
export function fieldFailure(field: string, sentence: string): Failure {
  return new Failure("invalid", sentence, { [field]: [sentence] });
}
