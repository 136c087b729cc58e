// One occurrence of a weekly window: dragged and resized by pointer or keys, opened to edit its exact times and days.

import { Popover, VisuallyHidden } from "@mantine/core";
import { useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import type { PlaylistV2 } from "../../../../server/contract/v2/v2-playlists.ts";
import { longDays } from "../../predicates/DayChips.tsx";
import { timeText } from "../../predicates/predicate-text.ts";
import {
  isAllDay,
  type WeeklyWindow,
} from "../../predicates/weekly-windows.ts";
import { t } from "../../../locales/messages.ts";
import {
  lengthOf,
  movedBy,
  stretched,
  type Axis,
  type Occurrence,
} from "../time-axis.ts";
import { isChangeAsked } from "../../service-requests/change-question.ts";
import { BlockEditor } from "../BlockEditor.tsx";
import { onwards, shareAt } from "./pointer.ts";
import { styleOf } from "./style.ts";
import { notifyInternalError } from "../../components/outcomes/outcome.ts";

interface Props {
  readonly playlist: PlaylistV2;
  readonly window: WeeklyWindow;
  readonly occurrence: Occurrence;
  readonly axis: Axis;
  readonly isOpen: boolean;
  readonly state: BlockState;
  readonly onOpen: (isOpen: boolean) => void;
  /** During a drag; null restores it. */
  readonly onDraft: (window: WeeklyWindow | null) => void;
  /** `isStep`: one of the steps of a key, which may be held down. */
  readonly onWindow: (
    window: WeeklyWindow,
    isStep?: boolean,
  ) => Promise<boolean>;
  readonly onRemove: () => void;
  /** Its only time is about to be removed. */
  readonly isRemoving: boolean;
  readonly onRemoved: (way: "always" | "off" | "kept") => void;
  readonly zone: string;
}

/** Idle where its dates, or other conditions, exclude it; it cannot play where there is nothing to show. */
export type BlockState = "idle" | "cannot" | "open";

type Part = "whole" | "start" | "end";

const minute = 60_000;
const keyStep = 15 * minute;
/** Below this distance a click opens it; beyond, it is a drag. */
const slackPx = 4;

export function Block(props: Props): ReactNode {
  const { playlist, window, occurrence, axis, isOpen, onOpen } = props;
  const block = useRef<HTMLButtonElement>(null);
  const hand = useHand(props);
  const [announcement, setAnnouncement] = useState("");
  const { fromMs, untilMs } = window;
  const [from, until] = [timeText(fromMs), timeText(untilMs)];
  return (
    <Popover
      opened={isOpen}
      onChange={(isOpen) => {
        if (isOpen || !isChangeAsked()) onOpen(isOpen);
      }}
      position="bottom"
      withArrow
      trapFocus
      closeOnEscape={false}
      returnFocus
      shadow="md"
      width={392}
    >
      <Popover.Target>
        <button
          ref={block}
          type="button"
          className="block"
          data-open={isOpen}
          data-state={props.state}
          data-start={occurrence.hasStart}
          data-end={occurrence.hasEnd}
          aria-label={t("schedule.block", {
            name: playlist.name,
            day: longDays[occurrence.weekday] ?? "",
            from,
            until,
          })}
          aria-description={t("schedule.blockHelp")}
          title={t("schedule.timeRange", { from, until })}
          style={styleOf(occurrence, axis)}
          {...hand}
          onClick={(event) => {
            // The pointer events have handled this click already.
            if (event.detail === 0) onOpen(!isOpen);
          }}
          onKeyDown={(event) => {
            const next = keyed(event, window);
            if (next === "remove") {
              event.preventDefault();
              props.onRemove();
            } else if (next) {
              event.preventDefault();
              props.onWindow(next, true).catch(notifyInternalError);
              setAnnouncement(
                t("schedule.movedTo", {
                  from: timeText(next.fromMs),
                  until: timeText(next.untilMs),
                }),
              );
            }
          }}
        >
          {occurrence.hasStart ? (
            <i className="block-edge" data-edge="start" />
          ) : null}
          <span className="block-words figures">
            <span>
              {isAllDay(window)
                ? t("playlists.schedule.allDay")
                : t("schedule.timeRange", { from, until })}
            </span>
          </span>
          {occurrence.hasEnd ? (
            <i className="block-edge" data-edge="end" />
          ) : null}
          <VisuallyHidden aria-live="polite">{announcement}</VisuallyHidden>
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <BlockEditor
          {...props}
          place={occurrence.index}
          onOpen={(willBeOpen) => {
            // The editor disappears a moment later: until then, Ctrl+Z in one of its fields would undo what was typed there.
            if (!willBeOpen) block.current?.focus({ preventScroll: true });
            onOpen(willBeOpen);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Arrow keys move it, with Alt its end, with Alt and Shift its beginning; Shift alone moves by minutes. */
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

interface Held {
  readonly part: Part;
  readonly x: number;
  readonly share: number;
  readonly track: Element;
  readonly window: WeeklyWindow;
  readonly isDragged: boolean;
}

/** Pointer handlers of the whole block; its edges are recognised by the element under the pointer. */
function useHand(props: Props) {
  const { window, axis, isOpen, onOpen, onDraft, onWindow } = props;
  const held = useRef<Held | null>(null);
  return {
    onPointerDown: (event: React.PointerEvent) => {
      const track = event.currentTarget.closest(".lane-track");
      if (event.button !== 0 || !track) return;
      event.stopPropagation();
      event.currentTarget.setPointerCapture(event.pointerId);
      held.current = {
        ...{ part: partOf(event.target), track, window, x: event.clientX },
        ...{ share: shareAt(event, track), isDragged: false },
      };
    },
    onPointerMove: (event: React.PointerEvent) => {
      const { current } = held;
      if (!current) return;
      event.stopPropagation();
      const isDragged =
        current.isDragged || Math.abs(event.clientX - current.x) >= slackPx;
      held.current = { ...current, isDragged };
      if (isDragged) onDraft(draggedWindow(event, current, axis));
    },
    onPointerUp: (event: React.PointerEvent) => {
      const { current } = held;
      if (!current) return;
      event.stopPropagation();
      held.current = null;
      if (current.isDragged)
        onWindow(draggedWindow(event, current, axis)).catch(
          notifyInternalError,
        );
      else onOpen(!isOpen);
    },
    onPointerCancel: () => {
      held.current = null;
      onDraft(null);
    },
  };
}

function partOf(target: EventTarget): Part {
  const { edge } = (target as HTMLElement).dataset;
  return edge === "start" || edge === "end" ? edge : "whole";
}

function draggedWindow(
  event: React.PointerEvent,
  { part, share, track, window }: Held,
  axis: Axis,
): WeeklyWindow {
  const by = (shareAt(event, track) - share) * lengthOf(axis);
  const usual = axis.days > 1 ? 15 * minute : 5 * minute;
  const step = event.shiftKey ? minute : usual;
  const byMs = Math.round(by / step) * step;
  return part === "whole"
    ? movedBy(window, byMs)
    : stretched(window, part, byMs);
}
