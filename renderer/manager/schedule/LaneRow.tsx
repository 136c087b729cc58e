// One lane: a playlist's name, where it plays, gives way or cannot, and its times to be drawn, moved and stretched.

import { ActionIcon } from "@mantine/core";
import { IconPencil, IconPlus } from "@tabler/icons-react";
import { memo, useMemo, useRef, useState, type ReactNode } from "react";
import { parsePredicate } from "../../../server/core/predicate.ts";
import type { PlaylistV2 } from "../../../server/contract/v2-playlists.ts";
import { addressOf } from "../place.ts";
import { isForScreen } from "../playlists/library.ts";
import { usePlaylistActions } from "../playlists/use-playlists.ts";
import {
  predicateOf,
  weekFromMonday,
  whenOf,
  type WeeklyWindow,
  type When,
} from "../playlists/when/weekly.ts";
import { texts } from "../texts/texts.ts";
import {
  drawn,
  lengthOf,
  occurrencesOf,
  snapped,
  stretchOf,
  type Axis,
  type Occurrence,
} from "./axis.ts";
import { Block, type BlockState } from "./Block.tsx";
import type { Lane, StretchState } from "./lanes.ts";
import { styleOf } from "./Lanes.tsx";
import { shareAt } from "./pointer.ts";
import { wallPieces, type Day } from "./week.ts";

interface Props {
  readonly lane: Lane;
  /** As the player answers it; null for the local assets. */
  readonly wire: PlaylistV2 | null;
  readonly axis: Axis;
  readonly days: readonly Day[];
  readonly zone: string;
  readonly screenGroups: readonly string[];
  readonly startPx: number;
}

const minute = 60_000;
const hour = 60 * minute;
const lunch: WeeklyWindow = {
  days: weekFromMonday,
  fromMs: 11.5 * hour,
  untilMs: 14 * hour,
};

export const LaneRow = memo(function LaneRow(props: Props): ReactNode {
  const { lane, wire, axis, days, startPx } = props;
  const name = wire?.name ?? texts.schedule.local;
  const when = useMemo(
    () => (wire ? whenOfText(wire.predicate) : null),
    [wire],
  );
  const editing = useEditing(wire, when);
  const { opened, setOpened, windows } = editing;
  const places = useMemo(
    () => placesOf(lane, axis, props.zone),
    [lane, axis, props.zone],
  );
  return (
    <li
      className="lane-row"
      style={{ insetBlockStart: startPx }}
      data-off={wire !== null && !wire.is_enabled}
    >
      <LaneName {...props} name={name}>
        {wire ? (
          <ActionIcon
            className="lane-add"
            aria-label={texts.schedule.addTime(name)}
            onClick={() => {
              editing.add(lunch);
            }}
          >
            <IconPlus size={16} aria-hidden />
          </ActionIcon>
        ) : null}
      </LaneName>
      <Track
        axis={axis}
        days={days}
        onDrawn={
          wire
            ? (window) => {
                editing.add(window);
              }
            : null
        }
      >
        <Stretches places={places} axis={axis} />
        {wire && windows.length === 0 ? <Hint lane={lane} when={when} /> : null}
        {wire
          ? occurrencesOf(windows, axis).map((occurrence) => (
              <Block
                key={`${occurrence.index}:${occurrence.from}`}
                playlist={wire}
                window={windows[occurrence.index] ?? lunch}
                occurrence={occurrence}
                axis={axis}
                state={stateOf(occurrence, places)}
                isOpen={
                  opened !== null &&
                  opened.index === occurrence.index &&
                  isFirst(occurrence.from, opened.at)
                }
                onOpen={(isOpen) => {
                  setOpened(
                    isOpen
                      ? { index: occurrence.index, at: occurrence.from }
                      : null,
                  );
                }}
                onDraft={(window) => {
                  editing.draft(occurrence.index, window);
                }}
                onWindow={(window) => {
                  editing.put(occurrence.index, window);
                }}
                onRemove={() => {
                  editing.remove(occurrence.index);
                }}
              />
            ))
          : null}
      </Track>
    </li>
  );

  /** Of a new window on several days the first one seen is opened. */
  function isFirst(from: number, at: number | null): boolean {
    if (at !== null && positions().includes(at)) return from === at;
    return from === Math.min(...positions());
  }
  function positions(): readonly number[] {
    return occurrencesOf(windows, axis)
      .filter(({ index }) => index === opened?.index)
      .map(({ from }) => from);
  }
});

function whenOfText(text: string): When | null {
  const { predicate } = parsePredicate(text);
  return predicate ? whenOf(predicate.tree) : null;
}

interface Opened {
  readonly index: number;
  /** Where its block begins; null: wherever the first one is. */
  readonly at: number | null;
}

/** What is drawn is seen at once and sent when the hand lets go; the player's answer has the last word. */
function useEditing(wire: PlaylistV2 | null, when: When | null) {
  const { change } = usePlaylistActions();
  const [drafted, setDrafted] = useState<{
    readonly windows: readonly WeeklyWindow[];
    readonly of: string;
    readonly isSent: boolean;
  } | null>(null);
  const [opened, setOpened] = useState<Opened | null>(null);
  const text = wire?.predicate ?? "";
  const isCurrent =
    drafted !== null &&
    (drafted.of === text ||
      (drafted.isSent && sentText(drafted.windows) === text));
  const windows = isCurrent ? drafted.windows : (when?.windows ?? []);

  function sentText(wished: readonly WeeklyWindow[]): string {
    return when ? predicateOf({ ...when, windows: wished }) : "";
  }

  function send(wished: readonly WeeklyWindow[], sentence: string): void {
    if (!wire || !when) return;
    setDrafted({ windows: wished, of: text, isSent: true });
    const predicate = sentText(wished);
    if (predicate !== text)
      void change(wire, { predicate }, sentence).then((isDone) => {
        if (!isDone) setDrafted(null);
      });
  }

  const name = wire?.name ?? "";
  const changed = texts.schedule.timeChanged(name);
  return {
    ...{ windows, opened, setOpened },
    draft: (index: number, window: WeeklyWindow | null) => {
      setDrafted(
        window
          ? { windows: windows.with(index, window), of: text, isSent: false }
          : null,
      );
    },
    put: (index: number, window: WeeklyWindow) => {
      const wished = windows.with(index, window);
      if (window.days.length === 0 || window.fromMs === window.untilMs)
        setDrafted({ windows: wished, of: text, isSent: false });
      else send(wished, changed);
    },
    add: (window: WeeklyWindow) => {
      send([...windows, window], changed);
      setOpened({ index: windows.length, at: null });
    },
    remove: (index: number) => {
      setOpened(null);
      send(windows.toSpliced(index, 1), texts.schedule.timeRemoved(name));
    },
  };
}

function LaneName({
  lane,
  wire,
  name,
  screenGroups,
  children,
}: Props & { readonly name: string; readonly children: ReactNode }): ReactNode {
  const state =
    wire === null
      ? ""
      : !wire.is_enabled
        ? texts.schedule.disabled
        : !isForScreen(wire.groups, screenGroups)
          ? texts.schedule.otherGroups
          : "";
  return (
    <div className="lane-name">
      <span
        className="lane-priority"
        aria-label={texts.schedule.priorityAloud(lane.priority)}
        role="img"
      >
        {texts.schedule.priority(lane.priority)}
      </span>
      <span className="lane-words">
        {wire ? (
          <a
            href={addressOf("playlists", wire.playlist_id)}
            dir="auto"
            title={name}
          >
            {name}
          </a>
        ) : (
          <span>{name}</span>
        )}
        {state === "" ? null : <span className="quiet">{state}</span>}
      </span>
      {children}
    </div>
  );
}

/** Why the whole lane is filled though no time is drawn on it. */
function Hint({
  lane,
  when,
}: {
  readonly lane: Lane;
  readonly when: When | null;
}): ReactNode {
  if (when?.written == null)
    return lane.stretches.length > 0 ? (
      <span className="lane-hint">{texts.schedule.alwaysHint}</span>
    ) : null;
  return (
    <span className="lane-hint">
      <IconPencil size={14} aria-hidden /> {texts.schedule.legend.written}
    </span>
  );
}

interface StretchPlace {
  readonly from: number;
  readonly until: number;
  readonly state: StretchState;
}

function placesOf(
  { stretches }: Lane,
  axis: Axis,
  zone: string,
): readonly StretchPlace[] {
  return stretches.flatMap(({ from, until, state }) =>
    wallPieces(from, until, zone).flatMap((piece) => {
      const stretch = stretchOf(axis, piece);
      return stretch ? [{ ...stretch, state }] : [];
    }),
  );
}

function stateOf(
  { from, until }: Occurrence,
  places: readonly StretchPlace[],
): BlockState {
  const within = places.filter((one) => one.from < until && one.until > from);
  if (within.length === 0) return "idle";
  return within.every(({ state }) => state === "cannot") ? "cannot" : "open";
}

/** Solid, hatched or outlined: what of its time the playlist has. */
const Stretches = memo(function Stretches({
  places,
  axis,
}: {
  readonly places: readonly StretchPlace[];
  readonly axis: Axis;
}): ReactNode {
  return places.map((place, index) => (
    <div
      key={index}
      className="stretch"
      data-state={place.state}
      style={styleOf(place, axis)}
    />
  ));
});

interface TrackProps {
  readonly axis: Axis;
  readonly days: readonly Day[];
  /** Null where nothing can be drawn. */
  readonly onDrawn: ((window: WeeklyWindow) => void) | null;
  readonly children: ReactNode;
}

/** A slip of the hand draws nothing. */
const leastDrawnPx = 6;

function Track({ axis, days, onDrawn, children }: TrackProps): ReactNode {
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
        const isOnBlock = (event.target as Element).closest(".block") !== null;
        if (!onDrawn || isOnBlock || event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, place: placeAt(event) };
      }}
      onPointerMove={(event) => {
        if (!start.current) return;
        if (line || Math.abs(event.clientX - start.current.x) >= leastDrawnPx)
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
