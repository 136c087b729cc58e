// Change notifications of the library, and how long a listener may wait before it handles one (V2-339).

/** `grown`: one asset was added, and all others are unchanged. */
export type LibraryChange = "grown" | "changed";

/** A removal takes effect immediately; additions that arrive by the thousand can wait until all are there. In milliseconds. */
const maxWaitsMs: Readonly<Record<LibraryChange, number>> = {
  grown: 1000,
  changed: 40,
};

export function maxWaitMsFor(how: LibraryChange): number {
  return maxWaitsMs[how];
}
