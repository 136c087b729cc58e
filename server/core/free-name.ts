// The name that something gets whose own is taken: the same, with the first number behind it that is free (V2-16).

/** Where names of this beginning and a dash stand among all others: from the first to before the second. */
export function numberedNames(
  requestedName: string,
): readonly [string, string] {
  return [`${requestedName}-`, `${requestedName}.`];
}

/** The name itself, else with `-1`, `-2` … behind it; `taken` holds at least all that begin with it. */
export function freeName(
  requestedName: string,
  taken: ReadonlySet<string>,
): string {
  let name = requestedName;
  for (let number = 1; taken.has(name); number += 1)
    name = `${requestedName}-${number}`;
  return name;
}
