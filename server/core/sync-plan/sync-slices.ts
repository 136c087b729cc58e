// Long work in slices: between two of them the caller may let something else run.

/** Each `yield` ends a slice. */
export type Sliced<T> = Generator<undefined, T, undefined>;

/** Items of a list in one slice: some milliseconds on a slow machine. */
export const itemsPerSlice = 250;

export function inOneGo<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** `itemCountOf`: how many items one of the list counts for. */
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

/** What is null is left out. */
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
