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
