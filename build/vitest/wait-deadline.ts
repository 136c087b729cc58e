// Deadline for anything a test waits for: one for polling, for the screen and for processes.

/**
 * Generous, and below the shortest timeout of a test, so that the error names what was missed. Under Wine, the start of a process
 * alone takes seconds, and some tests wait for many of them.
 */
export const waitDeadlineMs = process.platform === "win32" ? 100_000 : 60_000;
