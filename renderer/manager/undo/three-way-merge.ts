// Three-way merge: applies the change between two states to a third that was changed elsewhere meanwhile. Pure.

export interface Merged<State> {
  readonly state: State;
  /** True if part of the change was left out because of a conflict with a change made elsewhere. */
  readonly isPartial: boolean;
}

export interface MergeOptions {
  /** Values that were changed elsewhere are overwritten, too. */
  readonly isForced: boolean;
}

export type Fields = Readonly<Record<string, unknown>>;

/** Values are compared as JSON. Returns only the fields that have to be written. */
export function mergeFields(
  from: Fields,
  to: Fields,
  now: Fields,
  { isForced }: MergeOptions,
): Merged<Fields> {
  const state: Record<string, unknown> = {};
  let isPartial = false;
  for (const [name, value] of Object.entries(to)) {
    const who = changerOf(from[name], value, now[name]);
    if (who === "me" || (who === "both" && isForced)) state[name] = value;
    else if (who === "both") isPartial = true;
  }
  return { state, isPartial };
}

export type Entries<Value> = ReadonlyMap<string, Value>;

export interface MergedEntries<Value> {
  readonly entries: Entries<Value>;
  /** Keys that both sides changed differently; `entries` has mine. */
  readonly conflicts: readonly string[];
}

/** Merges entry by entry: each side keeps what it added, changed and removed. A change made elsewhere is never undone. */
export function mergeEntries<Value>(
  base: Entries<Value>,
  mine: Entries<Value>,
  theirs: Entries<Value>,
): MergedEntries<Value> {
  // Where nobody else changed anything, mine keeps its own order.
  if (isSame([...base], [...theirs])) return { entries: mine, conflicts: [] };
  const conflicts: string[] = [];
  const entries = new Map<string, Value>();
  // An entry that both removed is in neither.
  for (const key of new Set([...theirs.keys(), ...mine.keys()])) {
    const [was, here, there] = [base.get(key), mine.get(key), theirs.get(key)];
    const who = changerOf(was, here, there);
    if (who === "both") conflicts.push(key);
    const value = who === "they" || who === "none" ? there : here;
    if (value !== undefined) entries.set(key, value);
  }
  return { entries, conflicts };
}

/** Which side changed a value; both only if they changed it differently. */
function changerOf(
  was: unknown,
  mine: unknown,
  theirs: unknown,
): "none" | "me" | "they" | "both" {
  if (isSame(mine, theirs)) return "none";
  if (isSame(was, mine)) return "they";
  return isSame(was, theirs) ? "me" : "both";
}

export function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** How the elements of a list are identified, and what can change in one. */
export interface ListOf<Element> {
  readonly idOf: (element: Element) => string;
  readonly isEqual: (one: Element, other: Element) => boolean;
}

/**
 * Elements are removed, added, moved and changed as between `from` and `to`; each is placed behind the one that it follows in `to`.
 * What others added stays, what they removed stays removed, and what they moved or changed stays as they left it unless it is
 * forced. Where nothing was changed meanwhile the result is `to`.
 */
export function mergeList<Element>(
  from: readonly Element[],
  to: readonly Element[],
  now: readonly Element[],
  { idOf, isEqual }: ListOf<Element>,
  { isForced }: MergeOptions,
): Merged<readonly Element[]> {
  if (now === from) return { state: to, isPartial: false };
  const [inFrom, inTo, inNow] = [from, to, now].map(
    (list) => new Map(list.map((element) => [idOf(element), element])),
  ) as [Map<string, Element>, Map<string, Element>, Map<string, Element>];
  let isPartial = false;
  const removed = new Set<string>();
  for (const [id, element] of inFrom) {
    const present = inNow.get(id);
    if (inTo.has(id) || present === undefined) continue;
    if (isForced || isEqual(present, element)) removed.add(id);
    else isPartial = true;
  }

  const ids = (list: readonly Element[]): readonly string[] =>
    list.map(idOf).filter((id) => inFrom.has(id) && inTo.has(id));
  const staying = longestInOrder(ids(from), ids(to));
  const moved = new Set(ids(from).filter((id) => !staying.has(id)));
  const both = (list: readonly Element[]): readonly string[] =>
    ids(list).filter((id) => inNow.has(id));
  const [left, found] = [neighboursIn(both(from)), neighboursIn(both(now))];
  for (const id of moved) {
    const [before, after] = left.get(id) ?? [];
    const [foundBefore, foundAfter] = found.get(id) ?? [];
    if (!inNow.has(id)) isPartial = true;
    else if (!isForced && before !== foundBefore && after !== foundAfter) {
      isPartial = true;
      moved.delete(id);
    }
  }

  const changed = (element: Element): Element => {
    const id = idOf(element);
    const [origin, goal] = [inFrom.get(id), inTo.get(id)];
    if (origin === undefined || goal === undefined) return element;
    if (isEqual(origin, goal) || isEqual(element, goal)) return element;
    if (isForced || isEqual(element, origin)) return goal;
    isPartial = true;
    return element;
  };
  for (const [id, origin] of inFrom) {
    const goal = inTo.get(id);
    if (goal === undefined || inNow.has(id)) continue;
    if (!isEqual(origin, goal)) isPartial = true;
  }

  const retained = now
    .filter((element) => !removed.has(idOf(element)))
    .filter((element) => !moved.has(idOf(element)))
    .map(changed);
  const isKept = new Set(retained.map(idOf));
  /** Keyed by the element they follow, or, where nothing of `to` precedes them, by the element they precede. */
  const behind = new Map<string, Element[]>();
  const first: Element[] = [];
  let last: string | null = null;
  let isFirstOpen = true;
  let beforeId: string | null = null;
  for (const element of to) {
    const id = idOf(element);
    if (isKept.has(id)) {
      if (isFirstOpen) beforeId = id;
      isFirstOpen = false;
      last = id;
      continue;
    }
    const present = inNow.get(id);
    if (inFrom.has(id) && (!moved.has(id) || present === undefined)) continue;
    const put = present === undefined ? element : changed(present);
    if (last === null) first.push(put);
    else {
      const row = behind.get(last) ?? [];
      behind.set(last, row);
      row.push(put);
    }
  }
  const state = retained.flatMap((element) => {
    const id = idOf(element);
    return [
      ...(id === beforeId ? first : []),
      element,
      ...(behind.get(id) ?? []),
    ];
  });
  return {
    state: beforeId === null ? [...state, ...first] : state,
    isPartial,
  };
}

type Neighbours = readonly [before: string | null, after: string | null];

function neighboursIn(ids: readonly string[]): ReadonlyMap<string, Neighbours> {
  return new Map(
    ids.map((id, place) => [
      id,
      [ids[place - 1] ?? null, ids[place + 1] ?? null],
    ]),
  );
}

/** Longest common subsequence: the elements that need not be moved. Both lists hold the same ones. */
function longestInOrder(
  one: readonly string[],
  other: readonly string[],
): ReadonlySet<string> {
  const placeOf = new Map(other.map((id, place) => [id, place]));
  const places = one.map((id) => placeOf.get(id) ?? 0);
  /** By the length of an increasing sequence: the smallest possible position in `one` of its last element. */
  const ends: number[] = [];
  const before: number[] = [];
  for (const [at, place] of places.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[ends[middle] ?? 0] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    before[at] = low > 0 ? (ends[low - 1] ?? -1) : -1;
    ends[low] = at;
  }
  const longest = new Set<string>();
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const id = one[at];
    if (id !== undefined) longest.add(id);
  }
  return longest;
}
