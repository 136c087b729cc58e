// The rows of a list of cards or lines that are drawn: options for the virtualizer, and the active item in view.

import type { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef } from "react";
import type { Layout } from "./selection.ts";

type Virtual = ReturnType<typeof useVirtualizer<HTMLDivElement, Element>>;

/** Of the virtualizer, apart from the element that scrolls. */
export function rowOptions(count: number, { columns, rowHeight }: Layout) {
  return {
    count: Math.ceil(count / columns),
    estimateSize: () => rowHeight,
    // A row has the height it is given: measuring would force a layout during each keystroke.
    measureElement: () => rowHeight,
    // A step of the wheel only moves what is drawn; React renders the new rows only.
    directDomUpdates: true,
    // A compositor layer for each row would cost more than it saves.
    directDomUpdatesMode: "position" as const,
    ...{ paddingEnd: 16, scrollPaddingStart: 16, scrollPaddingEnd: 16 },
  };
}

/** The active item stays in view, unless only the list changed around it. `order` are the keys of what is listed. */
export function useActiveInView(
  virtual: Virtual,
  { columns, rowHeight }: Layout,
  order: readonly string[],
  active: string | null,
): void {
  useLayoutEffect(() => {
    virtual.measure();
  }, [virtual, rowHeight, columns]);
  const latest = useRef({ order, columns });
  useEffect(() => {
    latest.current = { order, columns };
  });
  useEffect(() => {
    if (active === null) return;
    const index = latest.current.order.indexOf(active);
    if (index !== -1)
      virtual.scrollToIndex(Math.floor(index / latest.current.columns));
  }, [active, virtual]);
}

/** Whether the item with this key is among the rows that are drawn. */
export function isDrawn(
  key: string | null,
  order: readonly string[],
  rows: readonly { readonly index: number }[],
  columns: number,
): boolean {
  const [first, last] = [rows[0], rows.at(-1)];
  if (key === null || !first || !last) return false;
  return order
    .slice(first.index * columns, (last.index + 1) * columns)
    .includes(key);
}
