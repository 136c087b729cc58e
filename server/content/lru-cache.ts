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
  const entries = new Map<string, Value>();
  return {
    get: (key) => {
      const value = entries.get(key);
      // While the cache is less than half full nothing is about to be dropped, and reordering costs more than the lookup.
      if (value === undefined || entries.size * 2 < most) return value;
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    set: (key, value) => {
      if (key.length > longestKey) return;
      if (entries.size >= most)
        for (const oldest of entries.keys()) {
          entries.delete(oldest);
          break;
        }
      entries.set(key, value);
    },
  };
}
