// The playlist as a film strip: each image as wide as its duration, dragged to reorder, resized at its edge to change the
// duration.

import { Box } from "@mantine/core";
import {
  horizontalListSortingStrategy,
  SortableContext,
} from "@dnd-kit/sortable";
import { useElementSize } from "@mantine/hooks";
import { useVirtualizer } from "@tanstack/react-virtual";
import {
  memo,
  useCallback,
  useMemo,
  useRef,
  useState,
  type PointerEvent,
  type ReactNode,
} from "react";
import { direction, formats } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";
import { useMayChange } from "../../playlist-actions/PlaylistPermission.tsx";
import { unknownSeconds } from "../../preview/preview-items.ts";
import { Thumbnail } from "../../assets/Thumbnail.tsx";
import { Carrier } from "./Draggable.tsx";
import type { Entry, ItemActions } from "./playlist-item.ts";
import { stripOf } from "./film-strip.ts";
import { dragId, usePickUp, type DragPlace } from "./use-dragging.ts";
import { notifyInternalError } from "../../components/outcomes/outcome.ts";

interface Props {
  readonly entries: readonly Entry[];
  readonly actions: ItemActions;
  readonly isCarrying: boolean;
  readonly onCarry: (place: DragPlace) => void;
}

export const FilmStrip = memo(function FilmStrip(props: Props): ReactNode {
  const { entries, actions, isCarrying, onCarry } = props;
  const carry = useCallback(() => {
    onCarry("strip");
  }, [onCarry]);
  const { ref, width } = useElementSize<HTMLDivElement>();
  const scroller = useRef<HTMLDivElement | null>(null);
  const seconds = useMemo(
    () => entries.map((entry) => entry.seconds ?? unknownSeconds),
    [entries],
  );
  const strip = useMemo(() => stripOf(seconds, width), [seconds, width]);
  const ids = useMemo(
    () => entries.map(({ id }) => dragId("strip", id)),
    [entries],
  );
  const tiles = useVirtualizer({
    horizontal: true,
    isRtl: direction === "rtl",
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => strip.widths[index] ?? 0,
    getItemKey: (index) => entries[index]?.id ?? index,
    overscan: 2,
  });
  // Widths change with the durations and the window.
  const [measuredFor, setMeasuredFor] = useState(strip);
  if (measuredFor !== strip) {
    setMeasuredFor(strip);
    tiles.measure();
  }
  return (
    <Box visibleFrom="xs" mx={16} mt={12} mb={4} miw={0} ref={ref}>
      <div
        className="strip-scroll"
        ref={scroller}
        role="group"
        aria-label={t("playlists.content.strip")}
      >
        <SortableContext items={ids} strategy={horizontalListSortingStrategy}>
          <div
            className="strip-film"
            style={{ inlineSize: tiles.getTotalSize() }}
          >
            {tiles.getVirtualItems().map(({ index, start, size, key }) => {
              const entry = entries[index];
              return entry ? (
                <Tile
                  key={key}
                  entry={entry}
                  startPx={start}
                  widthPx={size}
                  startsAt={strip.starts[index] ?? 0}
                  pxPerSecond={strip.pxPerSecond}
                  {...{ actions, isCarrying }}
                  onCarry={carry}
                />
              ) : null;
            })}
          </div>
        </SortableContext>
      </div>
    </Box>
  );
});

interface TileProps {
  readonly entry: Entry;
  readonly startPx: number;
  readonly widthPx: number;
  readonly startsAt: number;
  readonly pxPerSecond: number;
  readonly actions: ItemActions;
  readonly isCarrying: boolean;
  readonly onCarry: () => void;
}

/** Below the first width only the image fits, below the second the start time does not. */
const widthForTime = 40;
const widthForBoth = 92;

const Tile = memo(function Tile(props: TileProps): ReactNode {
  const { entry, startPx, widthPx, startsAt } = props;
  const tile = useRef<HTMLDivElement>(null);
  const { pickUp, carrier } = usePickUp(props.onCarry);
  const mayChange = useMayChange();
  const [pulled, setPulled] = useState<number | null>(null);
  const seconds = pulled ?? entry.seconds;
  return (
    <div
      ref={tile}
      className="strip-tile"
      data-pulled={pulled !== null}
      title={entry.name}
      style={{
        insetInlineStart: startPx,
        inlineSize:
          pulled === null
            ? widthPx
            : Math.max(
                12,
                widthPx + (pulled - (entry.seconds ?? 0)) * props.pxPerSecond,
              ),
      }}
    >
      {/* The list beneath does the same by keyboard; the strip is for the mouse. */}
      <div
        className="strip-image"
        onPointerDown={mayChange ? pickUp : undefined}
        style={mayChange ? undefined : { cursor: "default" }}
      >
        <Thumbnail view={entry.view} />
      </div>
      <div className="strip-time figures" aria-hidden>
        {widthPx >= widthForTime || pulled !== null ? (
          <>
            {widthPx >= widthForBoth ? (
              <span className="quiet">{formats.countdown(startsAt)}</span>
            ) : null}
            {seconds === null ? null : <span>{formats.length(seconds)}</span>}
          </>
        ) : null}
      </div>
      {mayChange ? <Edge {...props} onPull={setPulled} /> : null}
      {props.isCarrying ? (
        <Carrier
          id={dragId("strip", entry.id)}
          axis="across"
          element={tile}
          ref={carrier}
        />
      ) : null}
    </div>
  );
});

/** Drags the end of a tile: its duration follows in whole seconds. */
function Edge(
  props: TileProps & { readonly onPull: (seconds: number | null) => void },
): ReactNode {
  const { entry, pxPerSecond, actions, onPull } = props;
  const pull = useRef<{ from: number; seconds: number } | null>(null);
  const secondsAt = (event: PointerEvent): number => {
    const { from, seconds } = pull.current ?? { from: 0, seconds: 1 };
    const by = (event.clientX - from) * (direction === "rtl" ? -1 : 1);
    return Math.max(1, Math.round(seconds + by / pxPerSecond));
  };
  return (
    <div
      className="strip-edge"
      aria-hidden
      onPointerDown={(event) => {
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        pull.current = {
          from: event.clientX,
          seconds: entry.seconds ?? unknownSeconds,
        };
      }}
      onPointerMove={(event) => {
        if (pull.current) onPull(secondsAt(event));
      }}
      onPointerUp={(event) => {
        if (!pull.current) return;
        const seconds = secondsAt(event);
        pull.current = null;
        onPull(null);
        if (seconds !== entry.seconds)
          actions.time(new Set([entry.id]), seconds).catch(notifyInternalError);
      }}
      onPointerCancel={() => {
        pull.current = null;
        onPull(null);
      }}
    />
  );
}
