// Least-recently-used cache of computed values, bounded in number.

export interface Memory<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

/** Beyond `most` the least recently used entry is dropped; overlong keys are never cached, since nobody repeats them. */
export function createMemory<Value>(
  most: number,
  longestKey = Infinity,
): Memory<Value> {
  const kept = new Map<string, Value>();
  return {
    get: (key) => {
      const found = kept.get(key);
      // While the cache is less than half full nothing is about to be dropped, and reordering costs more than the lookup.
      if (found === undefined || kept.size * 2 < most) return found;
      kept.delete(key);
      kept.set(key, found);
      return found;
    },
    set: (key, value) => {
      if (key.length > longestKey) return;
      if (kept.size >= most)
        for (const oldest of kept.keys()) {
          kept.delete(oldest);
          break;
        }
      kept.set(key, value);
    },
  };
}
