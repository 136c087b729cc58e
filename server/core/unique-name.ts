// Unique names: a name that is taken gets the first free number appended (V2-16).

/** The range of names that start with this name and a dash, in sorted order; the end is exclusive. */
export function numberedNames(
  requestedName: string,
): readonly [string, string] {
  return [`${requestedName}-`, `${requestedName}.`];
}

/** The name itself, or with `-1`, `-2` … appended; `taken` contains at least all names that start with it. */
export function freeName(
  requestedName: string,
  taken: ReadonlySet<string>,
): string {
  let name = requestedName;
  for (let number = 1; taken.has(name); number += 1)
    name = `${requestedName}-${number}`;
  return name;
}
