// A list of cards or lines: virtualised, with the pointer and keyboard navigation of a file manager.

import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, type KeyboardEvent, type ReactNode } from "react";
import { isDrawn, rowOptions, useActiveInView } from "./card-rows.ts";
import {
  selectByClick,
  selectByKey,
  type CardSelection,
} from "./select-by-input.ts";
import type { Layout } from "./selection.ts";
import { useCardLayout, type CardSizes } from "./use-card-layout.ts";

interface Props extends CardSelection {
  /** A card has `data-KIND` with its key, and the id `KIND-` with its key. */
  readonly kind: "asset" | "screen";
  readonly label: string;
  readonly view: string;
  readonly sizes: CardSizes;
  /** Rows rendered above and below the visible ones. */
  readonly overscan: number;
  readonly paddingStart: number;
  /** Returns whether the key was one of the list's own; otherwise it may select. */
  readonly onKey?: (event: KeyboardEvent<HTMLElement>) => boolean;
  /** No rows out of view are updated. */
  readonly isTyping?: boolean;
  /** The cards of the row with this index. */
  readonly children: (
    index: number,
    columns: number,
    isStill: boolean,
  ) => ReactNode;
}

export function CardList(props: Props): ReactNode {
  const { kind, order, isTyping = false } = props;
  const { active } = props.selection;
  const place = useRef<HTMLDivElement>(null);
  const layout = useCardLayout(place, props.sizes);
  const { columns, rowHeight } = layout;
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    ...rowOptions(order.length, layout),
    getScrollElement: () => place.current,
    ...{ overscan: props.overscan, paddingStart: props.paddingStart },
  });
  useActiveInView(virtual, layout, order, active);
  const rows = virtual.getVirtualItems();
  return (
    <div
      ref={place}
      className={`card-list ${kind}-list`}
      data-view={props.view}
      role="listbox"
      aria-multiselectable
      aria-label={props.label}
      aria-activedescendant={
        isDrawn(active, order, rows, columns)
          ? `${kind}-${active ?? ""}`
          : undefined
      }
      tabIndex={0}
      onClick={(event) => {
        selectByClick(event, `data-${kind}`, props);
      }}
      onDoubleClick={props.onOpen}
      onKeyDown={(event) => {
        if (handleKey(event, props, layout)) event.preventDefault();
      }}
    >
      <div className="card-rows" role="presentation" ref={virtual.containerRef}>
        {rows.map(({ key, index }) => {
          const isStill = isTyping && !isInView(index, virtual.range);
          return (
            <div
              key={key}
              className="card-row"
              role="presentation"
              ref={virtual.measureElement}
              data-index={index}
              // Its content may be out of date: hidden until it is current again.
              data-still={isStill}
              style={{
                blockSize: rowHeight,
                gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
              }}
            >
              {props.children(index, columns, isStill)}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function isInView(
  index: number,
  range: { readonly startIndex: number; readonly endIndex: number } | null,
): boolean {
  return range !== null && index >= range.startIndex && index <= range.endIndex;
}

/** Alt and a key select nothing. */
function handleKey(
  event: KeyboardEvent<HTMLElement>,
  props: Props,
  layout: Layout,
): boolean {
  return selectByKey(event, props, layout) || props.onKey?.(event) === true;
}
