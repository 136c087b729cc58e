// The area of a lane where times are drawn: days in the background, and a line that follows the pointer.

import { memo, type ReactNode } from "react";
import type { WeeklyWindow } from "../../predicates/weekly-windows.ts";
import type { Axis } from "../time-axis.ts";
import { styleOf } from "./style.ts";
import { useDrawWindow } from "./use-draw-window.ts";
import type { Day } from "../../components/screen-time/week.ts";

const hour = 60 * 60_000;

interface TrackProps {
  readonly axis: Axis;
  readonly days: readonly Day[];
  /** Null where nothing can be drawn. */
  readonly onDrawn: ((window: WeeklyWindow) => void) | null;
  readonly children: ReactNode;
}

export function Track({
  axis,
  days,
  onDrawn,
  children,
}: TrackProps): ReactNode {
  const { line, handlers } = useDrawWindow(axis, onDrawn);
  return (
    <div className="lane-track" data-draws={onDrawn !== null} {...handlers}>
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
