// What is asked for again and again is made once: the last so many, by their key.

export interface Memory<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

/** Beyond `most` one goes that nobody has asked for long; keys that long are of nobody who comes again. */
export function createMemory<Value>(
  most: number,
  longestKey = Infinity,
): Memory<Value> {
  const kept = new Map<string, Value>();
  return {
    get: (key) => {
      const found = kept.get(key);
      // While there is room for as many again nobody is in danger, and an order costs more than the find.
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
