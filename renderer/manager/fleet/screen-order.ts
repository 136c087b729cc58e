// Keeps the screens in the order of their names while some of them change: only what changed is sorted, and the rest stays in place.

interface Named {
  readonly key: string;
  readonly screen: { readonly name: string };
}

/** Returns all of them by name; the same list while `all` is the same. */
export function createScreenOrder<Item extends Named>(language: string) {
  const collator = new Intl.Collator(language, { numeric: true });
  const byName = (a: Item, b: Item): number =>
    collator.compare(a.screen.name, b.screen.name) || (a.key < b.key ? -1 : 1);
  let lastAll: readonly Item[] | null = null;
  let ordered: readonly Item[] = [];

  return (all: readonly Item[]): readonly Item[] => {
    if (lastAll === all) return ordered;
    const waiting = new Map(all.map((item) => [item.key, item]));
    const staying: Item[] = [];
    for (const before of ordered) {
      const item = waiting.get(before.key);
      if (item?.screen.name !== before.screen.name) continue;
      waiting.delete(before.key);
      staying.push(item);
    }
    const moving = [...waiting.values()].sort(byName);
    ordered = moving.length === 0 ? staying : merged(staying, moving, byName);
    lastAll = all;
    return ordered;
  };
}

/** Of two sorted lists; a few are found by halving, so that a long list is not compared as a whole. */
function merged<T>(
  long: readonly T[],
  short: readonly T[],
  compare: (a: T, b: T) => number,
): readonly T[] {
  const all: T[] = [];
  let from = 0;
  for (const item of short) {
    let [low, high] = [from, long.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = long[middle];
      if (other !== undefined && compare(other, item) < 0) low = middle + 1;
      else high = middle;
    }
    for (; from < low; from += 1) all.push(long[from] as T);
    all.push(item);
  }
  for (; from < long.length; from += 1) all.push(long[from] as T);
  return all;
}
