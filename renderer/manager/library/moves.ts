// Where a key leads in a grid of so many columns. Pure.

export interface Layout {
  readonly columns: number;
  readonly rowHeight: number;
  readonly rowsInSight: number;
}

/** The index a key leads to; null for a key that moves nothing. `at` is -1 before the first move. */
export function moveOf(
  key: string,
  at: number,
  count: number,
  { columns, rowsInSight }: Layout,
  direction: "ltr" | "rtl",
): number | null {
  if (count === 0) return null;
  const forth = direction === "rtl" ? -1 : 1;
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: columns,
    ArrowUp: -columns,
    ...(columns > 1 && { ArrowRight: forth, ArrowLeft: -forth }),
    PageDown: columns * rowsInSight,
    PageUp: -columns * rowsInSight,
  };
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  const step = steps[key];
  if (step === undefined) return null;
  if (at === -1) return 0;
  const goal = at + step;
  // A row's step beyond the edge stays in its column; a page's step goes to the end.
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
