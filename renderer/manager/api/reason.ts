// Why something failed, for people.

/** The message of a failed query. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
