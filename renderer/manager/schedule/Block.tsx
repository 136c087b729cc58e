// One showing of a weekly window: dragged and stretched by hand or by keys, opened for its exact times and days.

import { Popover } from "@mantine/core";
import { useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import type { PlaylistV2 } from "../../../server/contract/v2-playlists.ts";
import { longDays } from "../playlists/when/DayChips.tsx";
import { timeToText } from "../playlists/when/fields.ts";
import { isAllDay, type WeeklyWindow } from "../playlists/when/weekly.ts";
import { texts } from "../texts/texts.ts";
import {
  lengthOf,
  movedBy,
  stretched,
  type Axis,
  type Occurrence,
} from "./axis.ts";
import { BlockEditor } from "./BlockEditor.tsx";
import { styleOf } from "./Lanes.tsx";
import { onwards, shareAt } from "./pointer.ts";

interface Props {
  readonly playlist: PlaylistV2;
  readonly window: WeeklyWindow;
  readonly occurrence: Occurrence;
  readonly axis: Axis;
  readonly isOpen: boolean;
  readonly state: BlockState;
  readonly onOpen: (isOpen: boolean) => void;
  /** While the hand holds it; null puts it back. */
  readonly onDraft: (window: WeeklyWindow | null) => void;
  readonly onWindow: (window: WeeklyWindow) => void;
  readonly onRemove: () => void;
}

/** Idle where its dates, or what else is written, leave it out; it cannot play where there is nothing to show. */
export type BlockState = "idle" | "cannot" | "open";

type Part = "whole" | "start" | "end";

const minute = 60_000;
const keyStep = 15 * minute;
/** A click opens it; from here on it is a drag. */
const slackPx = 4;

export function Block(props: Props): ReactNode {
  const { playlist, window, occurrence, axis, isOpen, onOpen } = props;
  const hand = useHand(props);
  const [said, setSaid] = useState("");
  const { fromMs, untilMs } = window;
  const [from, until] = [timeToText(fromMs), timeToText(untilMs)];
  return (
    <Popover
      opened={isOpen}
      onChange={onOpen}
      position="bottom"
      withArrow
      trapFocus
      returnFocus
      shadow="md"
      width={392}
    >
      <Popover.Target>
        <button
          type="button"
          className="block"
          data-open={isOpen}
          data-state={props.state}
          data-start={occurrence.hasStart}
          data-end={occurrence.hasEnd}
          aria-label={texts.schedule.block(
            playlist.name,
            longDays[occurrence.weekday] ?? "",
            from,
            until,
          )}
          aria-description={texts.schedule.blockHow}
          title={texts.schedule.times(from, until)}
          style={styleOf(occurrence, axis)}
          {...hand.whole}
          onClick={(event) => {
            // The pointer has had its say already.
            if (event.detail === 0) onOpen(!isOpen);
          }}
          onKeyDown={(event) => {
            const wished = keyed(event, window);
            if (wished === "remove") {
              event.preventDefault();
              props.onRemove();
            } else if (wished) {
              event.preventDefault();
              props.onWindow(wished);
              setSaid(
                texts.schedule.movedTo(
                  timeToText(wished.fromMs),
                  timeToText(wished.untilMs),
                ),
              );
            }
          }}
        >
          {occurrence.hasStart ? (
            <i className="block-edge" data-edge="start" {...hand.start} />
          ) : null}
          <span className="block-words">
            <span>
              {isAllDay(window)
                ? texts.playlists.when.allDay
                : texts.schedule.times(from, until)}
            </span>
          </span>
          {occurrence.hasEnd ? (
            <i className="block-edge" data-edge="end" {...hand.end} />
          ) : null}
          <span className="only-aloud" aria-live="polite">
            {said}
          </span>
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <BlockEditor {...props} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Arrows move it, with Alt its end, with Alt and Shift its beginning; Shift alone goes by minutes. */
function keyed(
  event: KeyboardEvent,
  window: WeeklyWindow,
): WeeklyWindow | "remove" | null {
  if (event.key === "Delete" || event.key === "Backspace") return "remove";
  if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return null;
  const way = onwards(event.key);
  if (event.altKey)
    return stretched(window, event.shiftKey ? "start" : "end", way * keyStep);
  return movedBy(window, way * (event.shiftKey ? minute : keyStep));
}

/** Pointer handlers of the whole block and of its two edges. */
function useHand(props: Props) {
  const { window, axis, isOpen, onOpen, onDraft, onWindow } = props;
  const held = useRef<{
    readonly part: Part;
    readonly x: number;
    readonly share: number;
    readonly track: Element;
    readonly window: WeeklyWindow;
    isDragged: boolean;
  } | null>(null);

  function wishedAt(event: React.PointerEvent): WeeklyWindow | null {
    const { current } = held;
    if (!current) return null;
    const by = (shareAt(event, current.track) - current.share) * lengthOf(axis);
    const step = event.shiftKey
      ? minute
      : axis.days > 1
        ? 15 * minute
        : 5 * minute;
    const byMs = Math.round(by / step) * step;
    return current.part === "whole"
      ? movedBy(current.window, byMs)
      : stretched(current.window, current.part, byMs);
  }

  const hold = (part: Part) => ({
    onPointerDown: (event: React.PointerEvent) => {
      const track = event.currentTarget.closest(".lane-track");
      if (event.button !== 0 || !track) return;
      event.stopPropagation();
      event.currentTarget.setPointerCapture(event.pointerId);
      held.current = {
        ...{ part, track, window, x: event.clientX },
        ...{ share: shareAt(event, track), isDragged: false },
      };
    },
    onPointerMove: (event: React.PointerEvent) => {
      const { current } = held;
      if (!current) return;
      event.stopPropagation();
      current.isDragged ||= Math.abs(event.clientX - current.x) >= slackPx;
      if (current.isDragged) onDraft(wishedAt(event));
    },
    onPointerUp: (event: React.PointerEvent) => {
      const { current } = held;
      if (!current) return;
      event.stopPropagation();
      const wished = current.isDragged ? wishedAt(event) : null;
      held.current = null;
      if (wished) onWindow(wished);
      else onOpen(!isOpen);
    },
    onPointerCancel: () => {
      held.current = null;
      onDraft(null);
    },
  });
  return { whole: hold("whole"), start: hold("start"), end: hold("end") };
}
