// Timeout for anything a test waits for: one deadline for polling, for the screen and for processes.

/** Generous, and below the shortest timeout of a test, so that the error names what was missed. */
export const testDeadlineMs = 40_000;
