// The area of a lane where times are drawn: days in the background, and a line that follows the pointer.

import { memo, useRef, useState, type ReactNode } from "react";
import type { WeeklyWindow } from "../playlists/predicate-editor/weekly-windows.ts";
import { drawn, lengthOf, snapped, type Axis } from "./time-axis.ts";
import { shareAt } from "./pointer.ts";
import { styleOf } from "./style.ts";
import type { Day } from "./week.ts";

const minute = 60_000;
const hour = 60 * minute;

interface TrackProps {
  readonly axis: Axis;
  readonly days: readonly Day[];
  /** Null where nothing can be drawn. */
  readonly onDrawn: ((window: WeeklyWindow) => void) | null;
  readonly children: ReactNode;
}

/** An accidental movement draws nothing. */
const minDrawnPx = 6;

export function Track({
  axis,
  days,
  onDrawn,
  children,
}: TrackProps): ReactNode {
  const track = useRef<HTMLDivElement>(null);
  const [line, setLine] = useState<{ from: number; to: number } | null>(null);
  const start = useRef<{ x: number; place: number } | null>(null);
  const placeAt = (event: React.PointerEvent): number => {
    const step = event.shiftKey
      ? minute
      : axis.days > 1
        ? 30 * minute
        : 5 * minute;
    const share = track.current ? shareAt(event, track.current) : 0;
    const place = snapped(share * lengthOf(axis), step);
    return Math.min(lengthOf(axis), Math.max(0, place));
  };
  const stop = () => {
    start.current = null;
    setLine(null);
  };
  return (
    <div
      className="lane-track"
      ref={track}
      data-draws={onDrawn !== null}
      onPointerDown={(event) => {
        const on = event.target as Element;
        // Popovers opened over the lane are not part of it, though their events bubble through here.
        const isOnLane =
          event.currentTarget.contains(on) && !on.closest(".block");
        if (!onDrawn || !isOnLane || event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, place: placeAt(event) };
      }}
      onPointerMove={(event) => {
        if (!start.current) return;
        if (line || Math.abs(event.clientX - start.current.x) >= minDrawnPx)
          setLine({ from: start.current.place, to: placeAt(event) });
      }}
      onPointerUp={(event) => {
        if (!start.current) return;
        const window = line && drawn(axis, start.current.place, placeAt(event));
        stop();
        if (window) onDrawn?.(window);
      }}
      onPointerCancel={stop}
      onLostPointerCapture={stop}
    >
      <DayLines days={days} />
      {children}
      {line ? (
        <div
          className="lane-drawn"
          style={styleOf(
            {
              from: Math.min(line.from, line.to),
              until: Math.max(line.from, line.to),
            },
            axis,
          )}
        />
      ) : null}
    </div>
  );
}

/** Where days begin, and the hours that a clock change skips or repeats. */
const DayLines = memo(function DayLines({
  days,
}: {
  readonly days: readonly Day[];
}): ReactNode {
  const dayMs = 24 * hour;
  return (
    <div className="day-lines" aria-hidden>
      {days.map(({ day, changes }) => (
        <div key={day}>
          {changes.map(({ kind, fromMs, untilMs }) => (
            <i
              key={fromMs}
              data-change={kind}
              style={{
                insetInlineStart: `${(fromMs / dayMs) * 100}%`,
                inlineSize: `${((untilMs - fromMs) / dayMs) * 100}%`,
              }}
            />
          ))}
        </div>
      ))}
    </div>
  );
});
