// Two changes of one list merged entry by entry: each side keeps what it added, changed and removed. Pure.

type Entries<Value> = ReadonlyMap<string, Value>;

interface Merged<Value> {
  readonly entries: Entries<Value>;
  /** Keys that both sides changed, each in its own way; `entries` has mine. */
  readonly conflicts: readonly string[];
}

export function mergeByKey<Value>(
  base: Entries<Value>,
  mine: Entries<Value>,
  theirs: Entries<Value>,
): Merged<Value> {
  const textOf = (entries: Entries<Value>, key: string): string | undefined =>
    JSON.stringify(entries.get(key));
  const conflicts: string[] = [];
  const merged = new Map<string, Value>();
  const keys = new Set([...theirs.keys(), ...mine.keys()]);
  // What both removed is in neither.
  for (const key of keys) {
    const [was, here, there] = [base, mine, theirs].map((entries) =>
      textOf(entries, key),
    );
    const isMine = here !== was;
    if (isMine && there !== was && here !== there) conflicts.push(key);
    const value = (isMine ? mine : theirs).get(key);
    if (value !== undefined) merged.set(key, value);
  }
  // Where nobody else changed anything, mine stays in its own order.
  const isUntouched = sameText(base, theirs);
  return { entries: isUntouched ? mine : merged, conflicts };
}

function sameText<Value>(one: Entries<Value>, other: Entries<Value>): boolean {
  return JSON.stringify([...one]) === JSON.stringify([...other]);
}
