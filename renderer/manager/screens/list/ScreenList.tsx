// The screens as a table or tiles: virtualised, with the keyboard navigation of a file manager.

import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, type ReactNode } from "react";
import { t } from "../../../locales/messages.ts";
import {
  isDrawn,
  rowOptions,
  useActiveInView,
} from "../../components/card-list/card-rows.ts";
import {
  selectByClick,
  selectByKey,
  type CardSelection,
} from "../../components/card-list/select-by-input.ts";
import { useCardLayout } from "../../components/card-list/use-card-layout.ts";
import { useMoment } from "../../components/use-moment.ts";
import type { ScreenItem } from "../../fleet/find-screens.ts";
import { ScreenCard } from "./ScreenCard.tsx";
import type { ScreensViewMode } from "./ScreensBar.tsx";

interface Props extends CardSelection {
  /** In the order of their keys. */
  readonly items: readonly ScreenItem[];
  readonly view: ScreensViewMode;
  readonly hasServices: boolean;
}

const sizes = { lineHeight: 56, cardWidth: () => 220, wordsHeight: 66 };
/** Rows rendered above and below the visible ones. */
const overscanRows = 4;

export function ScreenList(props: Props): ReactNode {
  const { items, order, view, selection } = props;
  const { active } = selection;
  const place = useRef<HTMLDivElement>(null);
  const layout = useCardLayout(place, { ...sizes, isLines: view === "table" });
  const { columns, rowHeight } = layout;
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    ...rowOptions(order.length, layout),
    getScrollElement: () => place.current,
    ...{ overscan: overscanRows, paddingStart: 4 },
  });
  useActiveInView(virtual, layout, order, active);
  const moment = useMoment(60_000);
  const rows = virtual.getVirtualItems();
  return (
    <div
      ref={place}
      className="card-list screen-list"
      data-view={view}
      role="listbox"
      aria-multiselectable
      aria-label={t("screens.title")}
      aria-activedescendant={
        isDrawn(active, order, rows, columns)
          ? `screen-${active ?? ""}`
          : undefined
      }
      tabIndex={0}
      onClick={(event) => {
        selectByClick(event, "data-screen", props);
      }}
      onDoubleClick={props.onOpen}
      onKeyDown={(event) => {
        if (selectByKey(event, props, layout)) event.preventDefault();
      }}
    >
      <div className="card-rows" role="presentation" ref={virtual.containerRef}>
        {rows.map(({ key, index }) => (
          <div
            key={key}
            className="card-row"
            role="presentation"
            ref={virtual.measureElement}
            data-index={index}
            style={{
              blockSize: rowHeight,
              gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
            }}
          >
            {items
              .slice(index * columns, (index + 1) * columns)
              .map((item, column) => (
                <ScreenCard
                  // Keyed by position: the next results are written into the same cards.
                  key={view === "tiles" ? item.key : column}
                  item={item}
                  moment={moment}
                  isLine={view === "table"}
                  isSelected={selection.ids.has(item.key)}
                  isActive={item.key === active}
                  place={index * columns + column + 1}
                  all={items.length}
                  hasServices={props.hasServices}
                />
              ))}
          </div>
        ))}
      </div>
    </div>
  );
}
