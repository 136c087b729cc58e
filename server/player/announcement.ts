// A typed subscription on its owner: who listens, and how they are told.

export interface Announcement<T> {
  tell(value: T): void;
  /** The answer ends the listening. */
  on(listener: (value: T) => void): () => void;
}

export function createAnnouncement<T = void>(): Announcement<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    tell: (value) => {
      for (const listener of listeners) listener(value);
    },
    on: (listener) => {
      // Each listening is its own, even of one and the same function.
      const own = (value: T): void => listener(value);
      listeners.add(own);
      return () => listeners.delete(own);
    },
  };
}

/** What is asked several times in one turn of the loop is done once, at its end. */
export function createOneGo(act: () => void): { ask(): void; stop(): void } {
  let asked: NodeJS.Immediate | null = null;
  return {
    ask: () => {
      asked ??= setImmediate(() => {
        asked = null;
        act();
      });
    },
    stop: () => {
      if (asked) clearImmediate(asked);
      asked = null;
    },
  };
}
