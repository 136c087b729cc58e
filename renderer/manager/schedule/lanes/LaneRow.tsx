// One lane: a playlist's name, where it plays, is overridden or cannot play, and its times to draw, move and resize.

import { ActionIcon } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { memo, useMemo, useRef, useState, type ReactNode } from "react";
import { flushSync } from "react-dom";
import type { PlaylistV2 } from "../../../../server/contract/v2/v2-playlists.ts";
import { useMayChange } from "../../playlist-actions/PlaylistPermission.tsx";
import {
  weekFromMonday,
  type WeeklyWindow,
} from "../../predicates/weekly-windows.ts";
import { t } from "../../../locales/messages.ts";
import {
  occurrencesOf,
  stretchOf,
  type Axis,
  type Occurrence,
} from "../time-axis.ts";
import { Block, type BlockState } from "./Block.tsx";
import { FixedBlock } from "./FixedBlock.tsx";
import "./lane.css";
import { LaneName } from "./LaneName.tsx";
import type { Lane, StretchState } from "./lanes.ts";
import { styleOf } from "./style.ts";
import { Track } from "./Track.tsx";
import { useDeletedNotice } from "../use-deleted-notice.ts";
import { useEditing, whenOfText } from "../use-editing.ts";
import { wallPieces, type Day } from "../../components/screen-time/week.ts";

interface Props {
  readonly lane: Lane;
  /** As the player returns it; null for the local assets. */
  readonly wire: PlaylistV2 | null;
  readonly axis: Axis;
  readonly days: readonly Day[];
  readonly zone: string;
  readonly screenGroups: readonly string[];
  readonly startPx: number;
}

const hour = 3_600_000;
const lunch: WeeklyWindow = {
  days: weekFromMonday,
  fromMs: 11.5 * hour,
  untilMs: 14 * hour,
};

export const LaneRow = memo(function LaneRow(props: Props): ReactNode {
  const { lane, wire, axis, days, startPx } = props;
  const name = wire?.name ?? t("schedule.localAssets");
  const when = useMemo(
    () => (wire ? whenOfText(wire.predicate) : null),
    [wire],
  );
  const editing = useEditing(wire, when);
  const { opened, setOpened, windows } = editing;
  const mayChange = useMayChange();
  useDeletedNotice(wire, opened !== null);
  const [isRemoving, setRemoving] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  /** The pressed button disappears: the focus stays in the same lane. */
  const goOn = (act: () => void): void => {
    flushSync(act);
    const places = [".block", ".lane-add"].map((place) =>
      row.current?.querySelector<HTMLElement>(place),
    );
    places.find((place) => place != null)?.focus({ preventScroll: true });
  };
  const places = useMemo(
    () => placesOf(lane, axis, props.zone),
    [lane, axis, props.zone],
  );
  return (
    <li
      ref={row}
      className="lane-row"
      style={{ insetBlockStart: startPx }}
      data-off={wire !== null && !wire.is_enabled}
    >
      <LaneName
        {...props}
        name={name}
        times={
          windows.length > 0
            ? null
            : when?.written == null
              ? "always"
              : "written"
        }
      >
        {wire && mayChange ? (
          <ActionIcon
            className="lane-add"
            flex="none"
            size={36}
            aria-label={t("schedule.addTime", { name })}
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
          wire && mayChange
            ? (window) => {
                editing.add(window);
              }
            : null
        }
      >
        <Stretches places={places} axis={axis} />
        {wire
          ? occurrencesOf(windows, axis).map((occurrence) =>
              mayChange ? (
                <Block
                  key={`${occurrence.index}:${occurrence.ordinal}`}
                  playlist={wire}
                  window={windows[occurrence.index] ?? lunch}
                  occurrence={occurrence}
                  axis={axis}
                  state={stateOf(occurrence, places)}
                  zone={props.zone}
                  isRemoving={isRemoving && windows.length === 1}
                  isOpen={
                    opened?.index === occurrence.index &&
                    opened.ordinal === occurrence.ordinal
                  }
                  onOpen={(isOpen) => {
                    setRemoving(false);
                    setOpened(isOpen ? occurrence : null);
                  }}
                  onDraft={(window) => {
                    editing.draft(occurrence.index, window);
                  }}
                  onWindow={(window, isStep) =>
                    editing.put(occurrence.index, window, isStep)
                  }
                  onRemove={() => {
                    if (windows.length > 1) {
                      goOn(() => {
                        editing.remove(occurrence.index);
                      });
                      return;
                    }
                    // Without a time it would play around the clock.
                    setRemoving(true);
                    setOpened(occurrence);
                  }}
                  onRemoved={(way) => {
                    goOn(() => {
                      setRemoving(false);
                      if (way === "always") editing.remove(occurrence.index);
                      if (way === "off") editing.turnOff();
                      if (way === "kept") setOpened(null);
                    });
                  }}
                />
              ) : (
                <FixedBlock
                  key={`${occurrence.index}:${occurrence.ordinal}`}
                  playlist={wire}
                  window={windows[occurrence.index] ?? lunch}
                  occurrence={occurrence}
                  axis={axis}
                  state={stateOf(occurrence, places)}
                />
              ),
            )
          : null}
      </Track>
    </li>
  );
});

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

/** Solid, hatched or outlined: what the playlist gets of its time. */
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
