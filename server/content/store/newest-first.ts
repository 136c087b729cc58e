// Order of files that carry the date of their creation in their names, also after the clock was set back (V4-342).

/**
 * Newest first. A name later than `latest`, that of one created now, is from before the clock was set back: it counts as older than
 * all others.
 */
export function newestFirst(
  names: readonly string[],
  latest: string,
): readonly string[] {
  const sorted = names.toSorted().reverse();
  return [
    ...sorted.filter((name) => name <= latest),
    ...sorted.filter((name) => name > latest),
  ];
}
