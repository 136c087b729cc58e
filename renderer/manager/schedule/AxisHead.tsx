// The time axis: days or hours, marks at clock changes, and the scrubber to any moment.

import { Box, Group, Tooltip } from "@mantine/core";
import { IconClock, IconClockExclamation } from "@tabler/icons-react";
import { useRef, type KeyboardEvent, type ReactNode } from "react";
import { language } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { timeText } from "../predicates/predicate-text.ts";
import {
  dayAndTimeOf,
  lengthOf,
  placeOf,
  snapped,
  type Axis,
} from "./time-axis.ts";
import "./time-axis.css";
import { formatIn } from "../components/screen-time/screen-time-formats.ts";
import { useServiceWeek } from "./service-week.ts";
import { onwards, shareAt } from "./lanes/pointer.ts";
import {
  momentOf,
  steppedTo,
  wallOf,
  type ClockChange,
  type Day,
} from "../components/screen-time/week.ts";

interface Props {
  readonly axis: Axis;
  readonly days: readonly Day[];
  readonly zone: string;
  readonly moment: number;
  readonly now: number;
  readonly onMoment: (moment: number) => void;
  readonly onDay: (day: number) => void;
}

const minute = 60_000;
const hour = 60 * minute;
const dayMs = 24 * hour;
/** Step of the keys, and of the pointer over a whole week or a day. */
const keyStep = 15 * minute;

export function AxisHead(props: Props): ReactNode {
  const { axis, days, zone, onDay } = props;
  const service = useServiceWeek();
  return (
    <Group
      wrap="nowrap"
      align="stretch"
      gap={0}
      pos="sticky"
      bg="var(--ground)"
      h={60}
      style={{ zIndex: 6, insetBlockStart: 0 }}
    >
      <div className="lane-name axis-zone quiet">
        <IconClock size={16} aria-hidden />
        <span title={zone}>{service?.zoneText ?? zoneLabel(zone)}</span>
      </div>
      <Box pos="relative" flex={1} miw={0} style={{ touchAction: "none" }}>
        {days.length > 1 ? (
          <Group wrap="nowrap" gap={0} h={32}>
            {days.map((day) => (
              <div className="icon-line line-before axis-day" key={day.day}>
                <button
                  type="button"
                  onClick={() => {
                    onDay(day.day);
                  }}
                >
                  {dayFormat.format(day.day * dayMs)}
                </button>
                <Changes changes={day.changes} />
              </div>
            ))}
          </Group>
        ) : (
          <Group className="axis-hours" wrap="nowrap" gap={0} h={32}>
            {Array.from({ length: 12 }, (_, index) => (
              <span key={index} className="axis-hour line-before quiet figures">
                {timeText(index * 2 * hour)}
              </span>
            ))}
            <Changes changes={days[0]?.changes ?? []} />
          </Group>
        )}
        <Scrubber {...props} axis={axis} />
      </Box>
    </Group>
  );
}

/** Named only where it differs from the operator's zone. */
function zoneLabel(zone: string): string {
  const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone === localZone
    ? t("schedule.zone", { zone })
    : t("schedule.otherZone", { zone });
}

const dayFormat = new Intl.DateTimeFormat(language, {
  ...({ weekday: "short", day: "numeric", timeZone: "UTC" } as const),
});

function Changes({
  changes,
}: {
  readonly changes: readonly ClockChange[];
}): ReactNode {
  return changes.map(({ kind, fromMs, untilMs }) => {
    const [from, until] = [timeText(fromMs), timeText(untilMs)];
    const sentence =
      kind === "skipped"
        ? t("schedule.clockForward", { from, until })
        : t("schedule.clockBack", { from, until });
    return (
      <Tooltip label={sentence} key={fromMs}>
        <span
          className="clock-change"
          role="img"
          aria-label={sentence}
          tabIndex={0}
        >
          <IconClockExclamation size={14} aria-hidden />
          {t("schedule.dayHours", {
            hours:
              24 + ((kind === "skipped" ? -1 : 1) * (untilMs - fromMs)) / hour,
          })}
        </span>
      </Tooltip>
    );
  });
}

function Scrubber(props: Props): ReactNode {
  const { axis, zone, moment, now, onMoment } = props;
  const track = useRef<HTMLDivElement>(null);
  const { day, timeMs } = wallOf(moment, zone);
  const place = placeOf(axis, day, timeMs);
  const share = place / lengthOf(axis);
  const isSeen = share >= 0 && share <= 1;
  const seen = Math.min(1, Math.max(0, share));
  const pointerStep = axis.days > 1 ? 15 * minute : 5 * minute;
  const within = (target: number) =>
    Math.min(lengthOf(axis) - minute, Math.max(0, target));
  const showMoment = (target: number) => {
    const { day: on, timeMs: at } = dayAndTimeOf(axis, within(target));
    onMoment(momentOf(on, at, zone));
  };
  const step = (target: number) => {
    const to = within(target);
    const by = to - place;
    const start = momentOf(axis.firstDay, 0, zone);
    // A day may begin with hours that are skipped: what precedes them is the day before.
    onMoment(
      Math.max(start, steppedTo(moment, by, dayAndTimeOf(axis, to), zone)),
    );
  };
  const drag = (event: React.PointerEvent<HTMLDivElement>) => {
    const step = event.shiftKey ? minute : pointerStep;
    if (track.current)
      showMoment(snapped(shareAt(event, track.current) * lengthOf(axis), step));
  };
  return (
    <div
      className="scrubber"
      ref={track}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) drag(event);
      }}
    >
      <div
        className="scrubber-thumb"
        role="slider"
        tabIndex={0}
        aria-label={t("schedule.previewTime")}
        aria-valuemin={0}
        aria-valuemax={lengthOf(axis) / minute}
        aria-valuenow={Math.round(
          Math.min(lengthOf(axis), Math.max(0, place)) / minute,
        )}
        aria-valuetext={formatIn(zone).fullDate(moment)}
        data-seen={isSeen}
        data-now={moment === now}
        style={{
          insetInlineStart: `${seen * 100}%`,
          // Its label is centred over the line, but never outside the axis.
          ["--share" as string]: String(seen),
        }}
        onKeyDown={(event) => {
          const target = keyed(event, place, axis);
          if (target === null) return;
          event.preventDefault();
          step(target);
        }}
      >
        <span className="figures">
          <bdi>{formatIn(zone).clock(moment)}</bdi>
        </span>
      </div>
    </div>
  );
}

/** Arrow keys move by a quarter of an hour, with Shift by a minute; page keys by a day; Home and End to either end. */
function keyed(event: KeyboardEvent, place: number, axis: Axis): number | null {
  const step = event.shiftKey ? minute : keyStep;
  switch (event.key) {
    case "ArrowRight":
    case "ArrowLeft":
      return snapped(place, minute) + step * onwards(event.key);
    case "ArrowUp":
      return snapped(place, minute) + step;
    case "ArrowDown":
      return snapped(place, minute) - step;
    case "PageUp":
      return place + dayMs;
    case "PageDown":
      return place - dayMs;
    case "Home":
      return 0;
    case "End":
      return lengthOf(axis);
    default:
      return null;
  }
}
