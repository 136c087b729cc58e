// Earlier or later in the order of play: what is selected moves past one neighbour that is seen. Pure.

/**
 * `all` in the order of play, `seen` of it in the list. Null when there is nowhere to go.
 */
export function shifted(
  all: readonly string[],
  seen: readonly string[],
  moved: ReadonlySet<string>,
  by: -1 | 1,
): readonly string[] | null {
  const places = seen.flatMap((id, at) => (moved.has(id) ? [at] : []));
  const edge = by === -1 ? places[0] : places.at(-1);
  if (edge === undefined) return null;
  const neighbour = seen[edge + by];
  if (neighbour === undefined) return null;
  const block = all.filter((id) => moved.has(id));
  const rest = all.filter((id) => !moved.has(id));
  const at = rest.indexOf(neighbour) + (by === 1 ? 1 : 0);
  return [...rest.slice(0, at), ...block, ...rest.slice(at)];
}
