// The library as a grid or a list: virtualised, with the keyboard navigation of a file manager.

import { useVirtualizer } from "@tanstack/react-virtual";
import {
  memo,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from "react";
import type { AssetView } from "../../../server/contract/ipc/ipc.ts";
import type { PlaylistV2 } from "../../../server/contract/v2/v2-playlists.ts";
import { groupNames } from "../../../server/contract/v2/v2-settings.ts";
import { parsePredicate } from "../../../server/core/predicate/predicate.ts";
import { wallClockOf } from "../../../server/core/wall-clock.ts";
import { useScreensZone } from "../api.ts";
import { useAnswer } from "../operations.ts";
import { isForScreen } from "../playlists/schedule-inputs.ts";
import { hoursText } from "../schedule/reasons.ts";
import { direction } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { AssetCard } from "./AssetCard.tsx";
import { ThumbnailsWait } from "./AssetThumbnail.tsx";
import { assetStateAt, nextEdgeAfter, type AssetState } from "./asset-state.ts";
import { useMomentOfEdges } from "../components/use-moment.ts";
import {
  moveOf,
  type Layout,
  select,
  selectAll,
  type Selection,
} from "./selection.ts";

export type View = "grid" | "list";

interface Props {
  readonly assets: readonly AssetView[];
  readonly view: View;
  readonly showingAssetId: string | null;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  /** Enter: moves to the details of the selection. */
  readonly onOpen: () => void;
  readonly onDelete: () => void;
  /** Alt and an arrow: earlier or later in play order. */
  readonly onShift: (by: -1 | 1) => void;
  /** A letter: typed into the search. */
  readonly onType: (letter: string) => void;
}

/** Minimum width; wider where there is space left in a row. */
const cardWidth = 184;
const largeCardWidth = 300;
const widthForLarge = 1800;
const gap = 12;
const wordsHeight = 50;
const lineHeight = 60;

/** Rows rendered above and below the visible ones. */
const rowsBeyond = 3;
/** Longer than the time between two keystrokes. */
const restMs = 200;

export function AssetList(props: Props): ReactNode {
  const { assets, view, showingAssetId, selection, onSelect } = props;
  const place = useRef<HTMLDivElement>(null);
  const layout = useLayout(place, view);
  const { columns, rowHeight } = layout;
  const rows = Math.ceil(assets.length / columns);
  const isAtRest = useRest(assets);
  const virtual = useVirtualizer({
    count: rows,
    getScrollElement: () => place.current,
    estimateSize: () => rowHeight,
    // A row has the height it is given: measuring would force a layout during each keystroke.
    measureElement: () => rowHeight,
    overscan: rowsBeyond,
    // A step of the wheel only moves what is drawn; React renders the new rows only.
    directDomUpdates: true,
    // A compositor layer for each row would cost more than it saves.
    directDomUpdatesMode: "position",
    ...{ paddingStart: 8, paddingEnd: 16, scrollPaddingStart: 16 },
    scrollPaddingEnd: 16,
  });
  useLayoutEffect(() => {
    virtual.measure();
  }, [virtual, rowHeight, columns]);
  const moment = useMomentOfEdges(
    useCallback((after: number) => nextEdgeAfter(assets, after), [assets]),
  );
  const playlists = useAnswer("listPlaylists", {}).data;
  const zone = useScreensZone();
  const groups = useAnswer("readSettings", {}).data?.["groups"];
  const listed = useMemo(
    () => listedAt(playlists ?? [], moment, zone, groups),
    [playlists, moment, zone, groups],
  );

  // The active item stays in view.
  const { active } = selection;
  const latest = useRef({ assets, columns });
  useEffect(() => {
    latest.current = { assets, columns };
  });
  useEffect(() => {
    if (active === null) return;
    const { assets: listed, columns: across } = latest.current;
    const index = listed.findIndex(({ id }) => id === active);
    if (index !== -1) virtual.scrollToIndex(Math.floor(index / across));
  }, [active, virtual]);

  const click = (event: MouseEvent<HTMLElement>): void => {
    const id = (event.target as Element)
      .closest("[data-asset]")
      ?.getAttribute("data-asset");
    if (!id) return;
    const selectionMode = event.shiftKey
      ? "range"
      : event.ctrlKey || event.metaKey
        ? "toggle"
        : "only";
    onSelect(select(selection, idsOf(assets), id, selectionMode));
  };

  const press = (event: KeyboardEvent<HTMLElement>): void => {
    if (handleKey(event, props, layout)) event.preventDefault();
  };

  const items = virtual.getVirtualItems();
  return (
    <div
      ref={place}
      className="asset-list"
      data-view={view}
      role="listbox"
      aria-multiselectable
      aria-label={t("library.title")}
      aria-activedescendant={
        active !== null && isDrawn(active, items, assets, columns)
          ? `asset-${active}`
          : undefined
      }
      tabIndex={0}
      onClick={click}
      onDoubleClick={props.onOpen}
      onKeyDown={press}
    >
      <div
        className="asset-rows"
        role="presentation"
        ref={virtual.containerRef}
      >
        <ThumbnailsWait value={!isAtRest}>
          {items.map(({ key, index }) => {
            const isStill = !isAtRest && !isInSight(index, virtual.range);
            return (
              <div
                key={key}
                className="asset-row"
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
                <RowCards
                  {...{ isStill, assets, index, columns, view, showingAssetId }}
                  {...{ selection, listed, moment, zone }}
                />
              </div>
            );
          })}
        </ThumbnailsWait>
      </div>
    </div>
  );
}

interface RowProps {
  /** Out of view while the list changes with each keystroke. */
  readonly isStill: boolean;
  /** All assets in the list; the row contains some of them. */
  readonly assets: readonly AssetView[];
  readonly index: number;
  readonly columns: number;
  readonly view: View;
  readonly showingAssetId: string | null;
  readonly selection: Selection;
  readonly listed: ReadonlyMap<string, "not-due" | "due">;
  readonly moment: number;
  readonly zone: string;
}

/**
 * The cards of a row. Those of a still row stay as they are: they are updated once when typing pauses, instead of being removed and
 * recreated.
 */
const RowCards = memo(
  function RowCards(props: RowProps): ReactNode {
    const { assets, index, columns, selection, listed, moment, zone } = props;
    if (props.isStill) return null;
    const { ids, active } = selection;
    return assets
      .slice(index * columns, (index + 1) * columns)
      .map((asset, column) => {
        const isShowing = asset.id === props.showingAssetId;
        const where = listed.get(asset.id) ?? "in-none";
        const state = assetStateAt(
          ...([asset, isShowing, moment, where, zone] as const),
        );
        return (
          <AssetCard
            // Keyed by position: the next results are written into the same cards.
            key={column}
            asset={asset}
            state={state}
            reason={reasonFor(asset, state, where)}
            moment={moment}
            isLine={props.view === "list"}
            isSelected={ids.has(asset.id)}
            isActive={asset.id === active}
            place={index * columns + column + 1}
            all={assets.length}
          />
        );
      });
  },
  (_before, { isStill }) => isStill,
);

function isInSight(
  index: number,
  range: { readonly startIndex: number; readonly endIndex: number } | null,
): boolean {
  return range !== null && index >= range.startIndex && index <= range.endIndex;
}

function handleKey(
  event: KeyboardEvent<HTMLElement>,
  props: Props,
  layout: Layout,
): boolean {
  const { assets, selection, onSelect } = props;
  const isCtrl = event.ctrlKey || event.metaKey;
  if (event.altKey) {
    const isBack = event.key === "ArrowUp" || event.key === "ArrowLeft";
    const isForth = event.key === "ArrowDown" || event.key === "ArrowRight";
    if (isBack || isForth) props.onShift(isBack ? -1 : 1);
    return isBack || isForth;
  }
  const at = assets.findIndex(({ id }) => id === selection.active);
  const to = moveOf(event.key, at, assets.length, layout, direction);
  const goal = to === null ? undefined : assets[to];
  if (goal) {
    const selectionMode = event.shiftKey ? "range" : isCtrl ? "move" : "only";
    onSelect(select(selection, idsOf(assets), goal.id, selectionMode));
    return true;
  }
  if (event.key === " " && selection.active !== null) {
    onSelect(select(selection, idsOf(assets), selection.active, "toggle"));
    return true;
  }
  if (isCtrl && event.key.toLowerCase() === "a") {
    onSelect(selectAll(idsOf(assets)));
    return true;
  }
  if (event.key === "Escape") {
    onSelect({ ...selection, ids: new Set() });
    return true;
  }
  if (event.key === "Enter") {
    props.onOpen();
    return true;
  }
  if (event.key === "Delete" || event.key === "Backspace") {
    props.onDelete();
    return true;
  }
  if (!isCtrl && event.key.length === 1 && event.key !== " ") {
    props.onType(event.key);
    return true;
  }
  return false;
}

/** Every asset that is in a playlist, and whether one of those is due. */
function listedAt(
  playlists: readonly PlaylistV2[],
  moment: number,
  zone: string,
  groups: unknown,
): ReadonlyMap<string, "not-due" | "due"> {
  const screenGroups = groupNames(typeof groups === "string" ? groups : "");
  const wall = wallClockOf(zone).wallTimeAt(moment);
  const listed = new Map<string, "not-due" | "due">();
  for (const {
    items,
    is_enabled,
    predicate,
    groups: targetGroups,
  } of playlists) {
    const parsed = parsePredicate(predicate);
    const isDue =
      is_enabled &&
      isForScreen(targetGroups, screenGroups) &&
      parsed.predicate?.holds(wall) === true;
    for (const { asset_id: id } of items)
      if (isDue) listed.set(id, "due");
      else if (!listed.has(id)) listed.set(id, "not-due");
  }
  return listed;
}

function reasonFor(
  { hours }: AssetView,
  state: AssetState,
  where: "in-none" | "not-due" | "due",
): string | null {
  if (state === "outside-hours") return hours && hoursText(hours);
  if (state !== "not-due") return null;
  return where === "in-none"
    ? t("library.inNoPlaylist")
    : t("library.noPlaylistDue");
}

function idsOf(assets: readonly AssetView[]): readonly string[] {
  return assets.map(({ id }) => id);
}

function isDrawn(
  id: string,
  rows: readonly { readonly index: number }[],
  assets: readonly AssetView[],
  columns: number,
): boolean {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return false;
  return assets
    .slice(first.index * columns, (last.index + 1) * columns)
    .some((asset) => asset.id === id);
}

/** False while the list changes with each keystroke: rows that are out of view, and thumbnails, can wait. */
function useRest(assets: readonly AssetView[]): boolean {
  const [rested, setRested] = useState(assets);
  useEffect(() => {
    const timer = setTimeout(() => {
      setRested(assets);
    }, restMs);
    return () => {
      clearTimeout(timer);
    };
  }, [assets]);
  return rested === assets;
}

/** As many columns as fit; a row is as high as its cards at that width. */
function useLayout(
  place: React.RefObject<HTMLDivElement | null>,
  view: View,
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
  const availableWidth = size.width;
  const least = availableWidth >= widthForLarge ? largeCardWidth : cardWidth;
  const columns =
    view === "list"
      ? 1
      : Math.max(1, Math.floor((availableWidth + gap) / (least + gap)));
  const width = (availableWidth - gap * (columns - 1)) / columns;
  const rowHeight =
    view === "list"
      ? lineHeight
      : Math.round(((width - 16) * 9) / 16 + 16 + wordsHeight + gap);
  return {
    columns,
    rowHeight,
    rowsInSight: Math.max(1, Math.floor(size.height / rowHeight)),
  };
}
