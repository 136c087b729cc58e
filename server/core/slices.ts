// Long computations in slices: the caller may let other work run between two of them.

/** Each `yield` ends a slice. */
export type Sliced<T> = Generator<undefined, T, undefined>;

/** Items of a list per slice: a few milliseconds on a slow machine. */
export const itemsPerSlice = 250;

export function inOneGo<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** `itemCountOf`: how many items one element of the list counts as. */
export function* eachIn<T>(
  list: Iterable<T>,
  act: (one: T) => void,
  itemCountOf: (one: T) => number = () => 1,
): Sliced<void> {
  let left = itemsPerSlice;
  for (const one of list) {
    act(one);
    left -= itemCountOf(one);
    if (left > 0) continue;
    yield;
    left = itemsPerSlice;
  }
}

/** Null results are left out. */
export function* mapIn<T, Result>(
  list: Iterable<T>,
  map: (one: T) => Result | null,
  itemCountOf?: (one: T) => number,
): Sliced<Result[]> {
  const results: Result[] = [];
  yield* eachIn(
    list,
    (one) => {
      const result = map(one);
      if (result !== null) results.push(result);
    },
    itemCountOf,
  );
  return results;
}

/** Of two with the same key the last one counts. */
export function* indexIn<T, Key>(
  list: Iterable<T>,
  keyOf: (one: T) => Key,
): Sliced<Map<Key, T>> {
  const index = new Map<Key, T>();
  yield* eachIn(list, (one) => index.set(keyOf(one), one));
  return index;
}
