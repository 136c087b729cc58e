// Change notifications of the library, and how long a listener may wait before it handles one (V2-339).

export interface LibraryChange {
  /** `grown`: one asset was added, and all others are unchanged. */
  readonly how: "grown" | "changed";
  /** The assets that were added, changed or removed; null where any may have been. */
  readonly ids: readonly string[] | null;
}

/** A removal takes effect immediately; additions that arrive by the thousand can wait until all are there. In milliseconds. */
const maxWaitsMs: Readonly<Record<LibraryChange["how"], number>> = {
  grown: 1000,
  changed: 40,
};

export function maxWaitMsFor({ how }: Pick<LibraryChange, "how">): number {
  return maxWaitsMs[how];
}
