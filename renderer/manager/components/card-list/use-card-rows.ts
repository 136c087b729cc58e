// The rows of a list of cards or lines that are drawn: virtualised, with the active one in view.

import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, type RefObject } from "react";
import type { Layout } from "./selection.ts";

export interface CardRows {
  readonly virtual: ReturnType<typeof useVirtualizer<HTMLDivElement, Element>>;
  /** The active one is among the rows that are drawn. */
  readonly isActiveDrawn: boolean;
}

export interface CardRowsOptions {
  readonly list: RefObject<HTMLDivElement | null>;
  readonly layout: Layout;
  /** Keys of what is listed, in order. */
  readonly order: readonly string[];
  readonly active: string | null;
  /** Rows rendered above and below the visible ones. */
  readonly overscan: number;
  readonly paddingStart: number;
}

export function useCardRows(options: CardRowsOptions): CardRows {
  const { list, layout, order, active, overscan, paddingStart } = options;
  const { columns, rowHeight } = layout;
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    count: Math.ceil(order.length / columns),
    getScrollElement: () => list.current,
    estimateSize: () => rowHeight,
    // A row has the height it is given: measuring would force a layout during each keystroke.
    measureElement: () => rowHeight,
    overscan,
    // A step of the wheel only moves what is drawn; React renders the new rows only.
    directDomUpdates: true,
    // A compositor layer for each row would cost more than it saves.
    directDomUpdatesMode: "position",
    ...{ paddingStart, paddingEnd: 16, scrollPaddingStart: 16 },
    scrollPaddingEnd: 16,
  });
  useLayoutEffect(() => {
    virtual.measure();
  }, [virtual, rowHeight, columns]);

  // The active item stays in view, unless only the list changed around it.
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

  const rows = virtual.getVirtualItems();
  const [first, last] = [rows[0], rows.at(-1)];
  const isActiveDrawn =
    active !== null &&
    first !== undefined &&
    last !== undefined &&
    order
      .slice(first.index * columns, (last.index + 1) * columns)
      .includes(active);
  return { virtual, isActiveDrawn };
}
