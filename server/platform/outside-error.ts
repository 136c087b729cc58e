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

/** What a disk answers that is full, or fails, or is gone, or may not be written. */
const refusalsOfDisk: Readonly<Record<string, "full" | "unwritable">> = {
  ...{ ENOSPC: "full", EDQUOT: "full" },
  ...{ EROFS: "unwritable", EIO: "unwritable", ENXIO: "unwritable" },
  ...{ ENODEV: "unwritable", ESTALE: "unwritable", ENOTCONN: "unwritable" },
  ...{ EACCES: "unwritable", EPERM: "unwritable" },
};

/** Why a disk does not take what is written to it; null for any other error. */
export function diskRefusalOf(error: unknown): "full" | "unwritable" | null {
  return refusalsOfDisk[systemCode(error) ?? ""] ?? null;
}
