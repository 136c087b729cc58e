// The screens as a table or tiles: virtualised, with the keyboard navigation of a file manager.

import { useRef, type ReactNode } from "react";
import { t } from "../../../locales/messages.ts";
import {
  selectByClick,
  selectByKey,
  type CardSelection,
} from "../../components/card-list/select-by-input.ts";
import { useCardLayout } from "../../components/card-list/use-card-layout.ts";
import { useCardRows } from "../../components/card-list/use-card-rows.ts";
import { useMoment } from "../../components/use-moment.ts";
import type { ScreenItem } from "../find-screens.ts";
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
const rowsBeyond = 4;

export function ScreenList(props: Props): ReactNode {
  const { items, order, view, selection } = props;
  const { active } = selection;
  const place = useRef<HTMLDivElement>(null);
  const layout = useCardLayout(place, { ...sizes, isLines: view === "table" });
  const { columns, rowHeight } = layout;
  const { virtual, isActiveDrawn } = useCardRows({
    ...{ list: place, layout, order, active },
    ...{ overscan: rowsBeyond, paddingStart: 4 },
  });
  const moment = useMoment(60_000);
  return (
    <div
      ref={place}
      className="card-list screen-list"
      data-view={view}
      role="listbox"
      aria-multiselectable
      aria-label={t("screens.title")}
      aria-activedescendant={
        isActiveDrawn ? `screen-${active ?? ""}` : undefined
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
        {virtual.getVirtualItems().map(({ key, index }) => (
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
