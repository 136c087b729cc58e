// Errors of the outside world (disk, network, database), classified once where they occur.

export type OutsideErrorKind =
  | "address-in-use"
  | "no-space"
  | "too-large"
  | "broken-off"
  | "corrupt";

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

/** Errors of a disk that is full, failing, gone or read-only. */
const refusalsOfDisk: Readonly<Record<string, "full" | "unwritable">> = {
  ...{ ENOSPC: "full", EDQUOT: "full" },
  ...{ EROFS: "unwritable", EIO: "unwritable", ENXIO: "unwritable" },
  ...{ ENODEV: "unwritable", ESTALE: "unwritable", ENOTCONN: "unwritable" },
  ...{ EACCES: "unwritable", EPERM: "unwritable" },
};

/** Why a disk rejects writes; null for any other error. */
export function diskRefusalOf(error: unknown): "full" | "unwritable" | null {
  return refusalsOfDisk[systemCode(error) ?? ""] ?? null;
}
