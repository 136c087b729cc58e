// Selection and keyboard navigation in a list, and the target position of what is moved: as in file managers. Pure.

export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** The active item; null before the first move. */
  readonly active: string | null;
  /** Where a range starts. */
  readonly anchor: string | null;
}

export const nothingSelected: Selection = {
  ids: new Set(),
  active: null,
  anchor: null,
};

export type SelectionMode = "only" | "toggle" | "range" | "move";

/** Selects `only` this one, `toggle`s it, selects everything from the anchor in a `range`, or only `move`s the active item. */
export function select(
  selection: Selection,
  order: readonly string[],
  id: string,
  selectionMode: SelectionMode,
): Selection {
  switch (selectionMode) {
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

/** Items that are no longer in the list are no longer selected. */
export function keepListed(
  selection: Selection,
  order: readonly string[],
): Selection {
  const { ids, active, anchor } = selection;
  if (ids.size === 0 && active === null && anchor === null) return selection;
  const listed = new Set(order);
  const isListed = (id: string | null): boolean =>
    id === null || listed.has(id);
  const isAllListed =
    isListed(selection.active) &&
    isListed(selection.anchor) &&
    [...selection.ids].every((id) => listed.has(id));
  if (isAllListed) return selection;
  return {
    ids: new Set([...selection.ids].filter((id) => listed.has(id))),
    active: isListed(selection.active) ? selection.active : null,
    anchor: isListed(selection.anchor) ? selection.anchor : null,
  };
}

// Moves the selection earlier or later in play order, past one visible neighbour. Pure.

/** `all` in play order, `seen` those visible in the list. Null when no move is possible. */
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

// Keyboard navigation in a grid with a number of columns. Pure.

export interface Layout {
  readonly columns: number;
  readonly rowHeight: number;
  readonly visibleRows: number;
}

/** The index a key leads to; null for a key that moves nothing. `at` is -1 before the first move. */
export function moveOf(
  key: string,
  at: number,
  count: number,
  { columns, visibleRows }: Layout,
  direction: "ltr" | "rtl",
): number | null {
  if (count === 0) return null;
  const forth = direction === "rtl" ? -1 : 1;
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: columns,
    ArrowUp: -columns,
    ...(columns > 1 && { ArrowRight: forth, ArrowLeft: -forth }),
    PageDown: columns * visibleRows,
    PageUp: -columns * visibleRows,
  };
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  const step = steps[key];
  if (step === undefined) return null;
  if (at === -1) return 0;
  const goal = at + step;
  // A row step beyond the edge stays in its column; a page step goes to the end.
  if (goal < 0) return key === "PageUp" ? 0 : at;
  if (goal >= count)
    return key === "ArrowDown" && isLastRow(at, count, columns)
      ? at
      : count - 1;
  return goal;
}

function isLastRow(at: number, count: number, columns: number): boolean {
  return Math.floor(at / columns) === Math.floor((count - 1) / columns);
}
