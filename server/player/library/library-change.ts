// What whoever listens to the library is told, and how long it may take to look (V2-339).

/** `grown`: there is one more, and what was there stays. */
export type LibraryChange = "grown" | "changed";

/** What goes is gone at once; what comes with thousands of others can wait until they are there. In milliseconds. */
const maxWaitsMs: Readonly<Record<LibraryChange, number>> = {
  grown: 1000,
  changed: 40,
};

export function maxWaitMsFor(how: LibraryChange): number {
  return maxWaitsMs[how];
}
