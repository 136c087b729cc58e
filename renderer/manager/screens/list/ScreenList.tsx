// The screens as a table or tiles: virtualised, with the keyboard navigation of a file manager.

import { useVirtualizer } from "@tanstack/react-virtual";
import {
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from "react";
import { direction } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";
import { useMoment } from "../../components/use-moment.ts";
import {
  moveOf,
  select,
  selectAll,
  type Layout,
  type Selection,
} from "../../library/selection.ts";
import type { ScreenItem } from "../find-screens.ts";
import { ScreenCard } from "./ScreenCard.tsx";
import type { ScreensViewMode } from "./ScreensBar.tsx";

interface Props {
  readonly items: readonly ScreenItem[];
  /** Their keys, in the same order. */
  readonly order: readonly string[];
  readonly view: ScreensViewMode;
  readonly selection: Selection;
  readonly hasServices: boolean;
  readonly onSelect: (selection: Selection) => void;
  /** Enter: moves to the details of the selection. */
  readonly onOpen: () => void;
}

const lineHeight = 56;
/** Minimum width of a tile; wider where there is space left in a row. */
const tileWidth = 220;
const gap = 12;
const wordsHeight = 66;
/** Rows rendered above and below the visible ones. */
const rowsBeyond = 4;

export function ScreenList(props: Props): ReactNode {
  const { items, order, view, selection, onSelect } = props;
  const place = useRef<HTMLDivElement>(null);
  const layout = useLayout(place, view);
  const { columns, rowHeight } = layout;
  const moment = useMoment(60_000);
  const virtual = useVirtualizer({
    count: Math.ceil(items.length / columns),
    getScrollElement: () => place.current,
    estimateSize: () => rowHeight,
    // A row has the height it is given: measuring would force a layout at each step.
    measureElement: () => rowHeight,
    overscan: rowsBeyond,
    directDomUpdates: true,
    directDomUpdatesMode: "position",
    ...{ paddingStart: 4, paddingEnd: 16, scrollPaddingStart: 16 },
    scrollPaddingEnd: 16,
  });
  useLayoutEffect(() => {
    virtual.measure();
  }, [virtual, rowHeight, columns]);

  // The active screen stays in view, unless only the list changed around it.
  const { active } = selection;
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

  const click = (event: MouseEvent<HTMLElement>): void => {
    const key = (event.target as Element)
      .closest("[data-screen]")
      ?.getAttribute("data-screen");
    if (!key) return;
    const mode = event.shiftKey
      ? "range"
      : event.ctrlKey || event.metaKey
        ? "toggle"
        : "only";
    onSelect(select(selection, order, key, mode));
  };
  const rows = virtual.getVirtualItems();
  const isDrawn = useMemo(() => {
    const [first, last] = [rows[0], rows.at(-1)];
    if (active === null || !first || !last) return false;
    return order
      .slice(first.index * columns, (last.index + 1) * columns)
      .includes(active);
  }, [active, rows, order, columns]);
  return (
    <div
      ref={place}
      className="screen-list"
      data-view={view}
      role="listbox"
      aria-multiselectable
      aria-label={t("screens.title")}
      aria-activedescendant={isDrawn ? `screen-${active ?? ""}` : undefined}
      tabIndex={0}
      onClick={click}
      onDoubleClick={props.onOpen}
      onKeyDown={(event) => {
        if (handleKey(event, props, layout)) event.preventDefault();
      }}
    >
      <div
        className="screen-rows"
        role="presentation"
        ref={virtual.containerRef}
      >
        {rows.map(({ key, index }) => (
          <div
            key={key}
            className="screen-row"
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

function handleKey(
  event: KeyboardEvent<HTMLElement>,
  { order, selection, onSelect, onOpen }: Props,
  layout: Layout,
): boolean {
  if (event.altKey) return false;
  const isCtrl = event.ctrlKey || event.metaKey;
  const { active } = selection;
  const at = active === null ? -1 : order.indexOf(active);
  const to = moveOf(event.key, at, order.length, layout, direction);
  const goal = to === null ? undefined : order[to];
  if (goal !== undefined) {
    const mode = event.shiftKey ? "range" : isCtrl ? "move" : "only";
    onSelect(select(selection, order, goal, mode));
    return true;
  }
  if (event.key === " " && active !== null) {
    onSelect(select(selection, order, active, "toggle"));
    return true;
  }
  if (isCtrl && event.key.toLowerCase() === "a") {
    onSelect(selectAll(order));
    return true;
  }
  if (event.key === "Escape") {
    onSelect({ ...selection, ids: new Set() });
    return true;
  }
  if (event.key === "Enter") {
    onOpen();
    return true;
  }
  return false;
}

/** As many columns as fit; a row is as high as its tiles at that width. */
function useLayout(
  place: React.RefObject<HTMLDivElement | null>,
  view: ScreensViewMode,
): Layout {
  const [size, setSize] = useState({ width: 800, height: 600 });
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return;
    const measure = (): void => {
      const { clientHeight: height } = element;
      // Without the padding on both sides of the rows.
      const width = element.firstElementChild?.clientWidth ?? 0;
      setSize((last) =>
        last.width === width && last.height === height
          ? last
          : { width, height },
      );
    };
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    measure();
    return () => {
      watcher.disconnect();
    };
  }, [place]);
  const columns =
    view === "table"
      ? 1
      : Math.max(1, Math.floor((size.width + gap) / (tileWidth + gap)));
  const width = (size.width - gap * (columns - 1)) / columns;
  const rowHeight =
    view === "table"
      ? lineHeight
      : Math.round(((width - 16) * 9) / 16 + 16 + wordsHeight + gap);
  return {
    ...{ columns, rowHeight },
    rowsInSight: Math.max(1, Math.floor(size.height / rowHeight)),
  };
}
