// Tells apart which ends of helper processes this app caused itself, as Electron reports all of them alike.

/** Of the processes with one name, which cannot be told apart in Electron's report. */
export interface ProcessEnds {
  /** After the app has ended one of them; Electron reports it later. */
  add(): void;
  /** Whether a reported end is one of those; each counts once. */
  take(end: {
    readonly name?: string | undefined;
    readonly reason: string;
  }): boolean;
}

export function createProcessEnds(ofName: string): ProcessEnds {
  let expected = 0;
  return {
    add: () => {
      expected += 1;
    },
    take: ({ name, reason }) => {
      if (name !== ofName || reason !== "killed" || expected === 0)
        return false;
      expected -= 1;
      return true;
    },
  };
}
