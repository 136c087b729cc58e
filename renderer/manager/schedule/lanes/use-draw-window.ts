// Dragging on the empty part of a lane draws a new time window.

import { useRef, useState, type PointerEvent } from "react";
import type { WeeklyWindow } from "../../predicates/weekly-windows.ts";
import { drawn, lengthOf, snapped, type Axis } from "../time-axis.ts";
import { shareAt } from "./pointer.ts";

const minute = 60_000;
/** In a week, a day is too narrow for shorter steps; Shift draws to the minute. */
const stepsMs = { week: 30 * minute, day: 5 * minute, shift: minute };
/** An accidental movement draws nothing. */
const minDrawnPx = 6;

interface DrawWindow {
  /** What is being drawn, in milliseconds of the axis; `to` may be before `from`. */
  readonly line: { readonly from: number; readonly to: number } | null;
  /** Of the element of the lane. */
  readonly handlers: Readonly<
    Record<
      | "onPointerDown"
      | "onPointerMove"
      | "onPointerUp"
      | "onPointerCancel"
      | "onLostPointerCapture",
      (event: PointerEvent) => void
    >
  >;
}

/** `onDrawn` is null where nothing can be drawn. */
export function useDrawWindow(
  axis: Axis,
  onDrawn: ((window: WeeklyWindow) => void) | null,
): DrawWindow {
  const [line, setLine] = useState<DrawWindow["line"]>(null);
  const start = useRef<{ x: number; place: number } | null>(null);
  const placeAt = (event: PointerEvent): number => {
    const step = event.shiftKey
      ? stepsMs.shift
      : axis.days > 1
        ? stepsMs.week
        : stepsMs.day;
    const share = shareAt(event, event.currentTarget);
    const place = snapped(share * lengthOf(axis), step);
    return Math.min(lengthOf(axis), Math.max(0, place));
  };
  const stop = (): void => {
    start.current = null;
    setLine(null);
  };
  return {
    line,
    handlers: {
      onPointerDown: (event) => {
        const on = event.target as Element;
        // Popovers opened over the lane are not part of it, though their events bubble through here.
        const isOnLane =
          event.currentTarget.contains(on) && !on.closest(".block");
        if (!onDrawn || !isOnLane || event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, place: placeAt(event) };
      },
      onPointerMove: (event) => {
        if (!start.current) return;
        if (line || Math.abs(event.clientX - start.current.x) >= minDrawnPx)
          setLine({ from: start.current.place, to: placeAt(event) });
      },
      onPointerUp: (event) => {
        if (!start.current) return;
        const window = line && drawn(axis, start.current.place, placeAt(event));
        stop();
        if (window) onDrawn?.(window);
      },
      onPointerCancel: stop,
      onLostPointerCapture: stop,
    },
  };
}
