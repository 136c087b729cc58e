// What is selected of a list, and where the keyboard is in it: as file managers do. Pure.

export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Where the keyboard is; null before the first move. */
  readonly active: string | null;
  /** From where a range is drawn. */
  readonly anchor: string | null;
}

export const nothingSelected: Selection = {
  ids: new Set(),
  active: null,
  anchor: null,
};

export type Manner = "only" | "toggle" | "range" | "move";

/** `only` this one, this one `toggle`d, everything from the anchor in a `range`, or only the keyboard `move`d. */
export function select(
  selection: Selection,
  order: readonly string[],
  id: string,
  manner: Manner,
): Selection {
  switch (manner) {
    case "only":
      return { ids: new Set([id]), active: id, anchor: id };
    case "toggle": {
      const ids = new Set(selection.ids);
      if (!ids.delete(id)) ids.add(id);
      return { ids, active: id, anchor: id };
    }
    case "move":
      return { ...selection, active: id };
    case "range": {
      const from = order.indexOf(selection.anchor ?? id);
      const to = order.indexOf(id);
      if (from === -1 || to === -1)
        return { ids: new Set([id]), active: id, anchor: id };
      const ids = order.slice(Math.min(from, to), Math.max(from, to) + 1);
      return { ids: new Set(ids), active: id, anchor: order[from] ?? id };
    }
  }
}

export function selectAll(order: readonly string[]): Selection {
  return {
    ids: new Set(order),
    active: order[0] ?? null,
    anchor: order[0] ?? null,
  };
}

/** What is not in the list any more is not selected any more. */
export function keepListed(
  selection: Selection,
  order: readonly string[],
): Selection {
  const { ids, active, anchor } = selection;
  if (ids.size === 0 && active === null && anchor === null) return selection;
  const listed = new Set(order);
  const isListed = (id: string | null): boolean =>
    id === null || listed.has(id);
  const isWhole =
    isListed(selection.active) &&
    isListed(selection.anchor) &&
    [...selection.ids].every((id) => listed.has(id));
  if (isWhole) return selection;
  return {
    ids: new Set([...selection.ids].filter((id) => listed.has(id))),
    active: isListed(selection.active) ? selection.active : null,
    anchor: isListed(selection.anchor) ? selection.anchor : null,
  };
}
