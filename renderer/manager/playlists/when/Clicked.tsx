// The part of a predicate that can be clicked: times of the week and dates; what cannot is shown as it is written.

import { ActionIcon, Button, Checkbox, TextInput } from "@mantine/core";
import { IconMoonStars, IconPlus, IconX } from "@tabler/icons-react";
import { useId, useState, type ReactNode } from "react";
import { dayMs, wallClockOf } from "../../../../server/core/wall-clock.ts";
import { Panel } from "../../parts/Panel.tsx";
import { texts } from "../../texts/texts.ts";
import { DayChips } from "./DayChips.tsx";
import { dayFromText, dayToText, timeFromText, timeToText } from "./fields.ts";
import {
  isAllDay,
  isOverMidnight,
  weekFromMonday,
  type DateRange,
  type WeeklyWindow,
  type When,
} from "./weekly.ts";

interface Props {
  /** Null while the text cannot be read. */
  readonly when: When | null;
  readonly zone: string;
  /** Not every state between two clicks can be said as a sentence. */
  readonly onWhen: (when: When, isSentence: boolean) => void;
}

const hour = 3_600_000;
/** A lunch, to begin with. */
const firstWindow: WeeklyWindow = {
  days: weekFromMonday,
  fromMs: 11.5 * hour,
  untilMs: 14 * hour,
};

export function Clicked({ when, zone, onWhen }: Props): ReactNode {
  const says = texts.playlists.when;
  const [removals, setRemovals] = useState(0);
  const put = (change: Partial<When>) => {
    if (!when) return;
    const wished = { ...when, ...change };
    onWhen(wished, isSentence(wished));
  };
  const windows = when?.windows ?? [];
  const dates = when?.dates ?? [];
  return (
    <fieldset className="clicked" disabled={when === null}>
      <legend className="only-aloud">{says.clicked}</legend>
      <Panel
        title={says.clicked}
        about={`${says.clickedText} ${says.zone(zone)}`}
        actions={
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => {
              put({ windows: [...windows, nextWindow(windows)] });
            }}
          >
            {says.addWindow}
          </Button>
        }
      >
        {windows.length === 0 ? (
          <p className="panel-note quiet">
            {when === null ? says.unreadable : says.always}
          </p>
        ) : (
          <ul className="panel-rows" role="list">
            {windows.map((window, index) => (
              <li key={index}>
                <WindowFields
                  window={window}
                  place={index + 1}
                  onWindow={(wished) => {
                    put({ windows: windows.with(index, wished) });
                  }}
                  onRemove={() => {
                    put({ windows: windows.toSpliced(index, 1) });
                  }}
                />
              </li>
            ))}
          </ul>
        )}
      </Panel>
      <Panel
        title={says.dates}
        about={says.datesText}
        actions={
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => {
              const { day: today } = wallClockOf(zone).wallTimeAt(Date.now());
              put({ dates: [...dates, { first: today, last: null }] });
            }}
          >
            {says.addDates}
          </Button>
        }
      >
        {dates.length === 0 ? (
          <p className="panel-note quiet">
            {when === null ? says.unreadable : says.anyDate}
          </p>
        ) : (
          <ul className="panel-rows" role="list">
            {dates.map((range, index) => (
              <li key={index}>
                <DateFields
                  range={range}
                  age={removals}
                  onRange={(wished) => {
                    put({ dates: dates.with(index, wished) });
                  }}
                  onRemove={() => {
                    setRemovals(removals + 1);
                    put({ dates: dates.toSpliced(index, 1) });
                  }}
                />
              </li>
            ))}
          </ul>
        )}
      </Panel>
      {when?.written == null ? null : (
        <Panel
          title={says.alsoWritten}
          about={says.alsoWrittenText}
          actions={
            <ActionIcon
              aria-label={says.removeWritten}
              onClick={() => {
                put({ written: null });
              }}
            >
              <IconX size={18} aria-hidden />
            </ActionIcon>
          }
        >
          <p className="panel-note">
            <code dir="ltr">{when.written}</code>
          </p>
        </Panel>
      )}
    </fieldset>
  );
}

function isSentence({ windows, dates }: When): boolean {
  return (
    windows.every(
      (window) => window.days.length > 0 && window.fromMs !== window.untilMs,
    ) &&
    dates.every(
      ({ first, last }) => first === null || last === null || first <= last,
    )
  );
}

/** After the last one, on the same days. */
function nextWindow(windows: readonly WeeklyWindow[]): WeeklyWindow {
  const last = windows.at(-1);
  if (!last) return firstWindow;
  const fromMs = Math.min(
    22 * hour,
    isOverMidnight(last) ? 8 * hour : last.untilMs + hour,
  );
  return { days: last.days, fromMs, untilMs: fromMs + 2 * hour };
}

interface WindowProps {
  readonly window: WeeklyWindow;
  readonly place: number;
  readonly onWindow: (window: WeeklyWindow) => void;
  readonly onRemove: () => void;
}

function WindowFields(props: WindowProps): ReactNode {
  const { window, place, onWindow, onRemove } = props;
  const says = texts.playlists.when;
  const { days, fromMs, untilMs } = window;
  const note = useId();
  const trouble =
    days.length === 0
      ? says.noDays
      : fromMs === untilMs
        ? says.sameTimes
        : null;
  return (
    <div className="window" role="group" aria-label={says.window(place)}>
      <DayChips
        days={days}
        onDays={(wished) => {
          onWindow({ ...window, days: wished });
        }}
      />
      <div className="window-times">
        <Checkbox
          label={says.allDay}
          checked={isAllDay(window)}
          onChange={(event) => {
            const isWhole = event.currentTarget.checked;
            onWindow(
              isWhole
                ? { days, fromMs: 0, untilMs: dayMs }
                : { ...firstWindow, days },
            );
          }}
        />
        {isAllDay(window) ? null : (
          <>
            <TimeField
              label={says.from}
              timeMs={fromMs}
              noteId={note}
              onTime={(wished) => {
                onWindow({ ...window, fromMs: wished });
              }}
            />
            <TimeField
              label={says.until}
              timeMs={untilMs}
              noteId={note}
              onTime={(wished) => {
                // A window that ends at midnight ends with its day.
                const until = wished === 0 ? dayMs : wished;
                onWindow({ ...window, untilMs: until });
              }}
            />
          </>
        )}
        <p
          id={note}
          className="window-note"
          role={trouble ? "alert" : undefined}
        >
          {trouble ? (
            <span data-tone="waiting">{trouble}</span>
          ) : isOverMidnight(window) ? (
            <span className="quiet">
              <IconMoonStars size={16} aria-hidden /> {says.overMidnight}
            </span>
          ) : null}
        </p>
        <ActionIcon
          className="window-remove"
          aria-label={says.removeWindow(place)}
          onClick={onRemove}
        >
          <IconX size={18} aria-hidden />
        </ActionIcon>
      </div>
    </div>
  );
}

interface TimeProps {
  readonly label: string;
  readonly timeMs: number;
  readonly noteId: string;
  readonly onTime: (timeMs: number) => void;
}

function TimeField({ label, timeMs, noteId, onTime }: TimeProps): ReactNode {
  return (
    <TextInput
      type="time"
      label={label}
      aria-describedby={noteId}
      className="time-field"
      // Half a time typed is no time: it is taken over when it is one and left.
      key={timeMs}
      defaultValue={timeToText(timeMs)}
      onBlur={(event) => {
        const wished = timeFromText(event.currentTarget.value);
        if (wished === null) event.currentTarget.value = timeToText(timeMs);
        else if (timeToText(wished) !== timeToText(timeMs)) onTime(wished);
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
      }}
    />
  );
}

interface DateProps {
  readonly range: DateRange;
  /** Another, once a row was removed and this one may stand for another range. */
  readonly age: number;
  readonly onRange: (range: DateRange) => void;
  readonly onRemove: () => void;
}

function DateFields(props: DateProps): ReactNode {
  const { range, age, onRange, onRemove } = props;
  const says = texts.playlists.when;
  const { first, last } = range;
  // A field of its own for each value: drawn anew, it is half typed no more.
  const keyOf = (name: "first" | "last") => `${name} ${range[name]} ${age}`;
  const [half, setHalf] = useState<string | null>(null);
  const isHalf = half === keyOf("first") || half === keyOf("last");
  const trouble = isHalf
    ? says.halfDate
    : first !== null && last !== null && last < first
      ? says.wrongDates
      : null;
  const field = (
    label: string,
    value: number | null,
    name: "first" | "last",
  ) => (
    <TextInput
      type="date"
      label={label}
      className="date-field"
      key={keyOf(name)}
      defaultValue={value === null ? "" : dayToText(value)}
      onBlur={(event) => {
        const { value: text, validity } = event.currentTarget;
        // Half a date reads as none, which would be for good.
        if (validity.badInput) {
          setHalf(keyOf(name));
          return;
        }
        setHalf((other) => (other === keyOf(name) ? null : other));
        const wished = dayFromText(text);
        if (wished !== value) onRange({ ...range, [name]: wished });
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
      }}
    />
  );
  return (
    <div className="window-times" role="group" aria-label={says.dates}>
      {field(says.firstDay, first, "first")}
      {field(says.lastDay, last, "last")}
      <p className="window-note">
        {trouble === null ? null : (
          <span data-tone="waiting" role="alert">
            {trouble}
          </span>
        )}
      </p>
      <ActionIcon
        className="window-remove"
        aria-label={says.removeDates}
        onClick={onRemove}
      >
        <IconX size={18} aria-hidden />
      </ActionIcon>
    </div>
  );
}
