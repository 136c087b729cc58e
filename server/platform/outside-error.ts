// What the outside world refuses, told apart once at the place of contact.

export type OutsideErrorKind =
  "address-in-use" | "no-space" | "too-large" | "broken-off" | "corrupt";

export class OutsideError extends Error {
  readonly kind: OutsideErrorKind;

  constructor(kind: OutsideErrorKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "OutsideError";
    this.kind = kind;
  }
}

/** The code of a Node system error (`ENOSPC`, `EADDRINUSE` …); undefined for anything else. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error
    ? String(error.code)
    : undefined;
}
