// The items in order: dragged by their handle, moved with Alt and the arrow keys, timed, selected and removed.

import { useDroppable } from "@dnd-kit/core";
import {
  SortableContext,
  verticalListSortingStrategy,
} from "@dnd-kit/sortable";
import { Button, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { IconPlaylistAdd } from "@tabler/icons-react";
import { useVirtualizer } from "@tanstack/react-virtual";
import {
  memo,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from "react";
import { Empty } from "../../components/layout/Empty.tsx";
import { focusInstead } from "../../components/focus/focus.ts";
import { useStable } from "../../components/stable-callback.ts";
import { t } from "../../../locales/messages.ts";
import { lengthFromText } from "../../playlist-actions/item-order.ts";
import { useMayChange } from "../../playlist-actions/PlaylistPermission.tsx";
import type { Entry, ItemActions } from "./playlist-item.ts";
import { ItemRow } from "./ItemRow.tsx";
import { dragId, wholeList, type DragPlace } from "./use-dragging.ts";
import { notifyInternalError } from "../../components/outcomes/outcome.ts";

interface Props {
  readonly entries: readonly Entry[];
  readonly actions: ItemActions;
  readonly more: ReactNode;
  /** On a phone, by the assets to add. */
  readonly isCovered: boolean;
  readonly isCarrying: boolean;
  readonly onCarry: (place: DragPlace) => void;
}

const rowPx = 60;
const none: ReadonlySet<string> = new Set();

export const ItemList = memo(function ItemList(props: Props): ReactNode {
  const { entries, more, isCovered, isCarrying, onCarry } = props;
  const mayChange = useMayChange();
  const carry = useCallback(() => {
    onCarry("list");
  }, [onCarry]);
  const [marked, setMarked] = useState(none);
  // Removed items are no longer selected.
  const chosen = useMemo(
    () => new Set(entries.map(({ id }) => id).filter((id) => marked.has(id))),
    [entries, marked],
  );
  const { setNodeRef } = useDroppable({ id: wholeList });
  const scroller = useRef<HTMLDivElement | null>(null);
  const sortableIds = useMemo(
    () => entries.map(({ id }) => dragId("list", id)),
    [entries],
  );
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => entries[index]?.id ?? index,
    overscan: 3,
  });
  const choose = useCallback((id: string, isChosen: boolean) => {
    setMarked((before) => {
      const after = new Set(before);
      if (isChosen) after.add(id);
      else after.delete(id);
      return after;
    });
  }, []);
  const list = useRef<HTMLOListElement>(null);
  const { walk, follow } = useWalk(entries, props.actions, scroller, list);
  const takeOut = useStable((ids: ReadonlySet<string>) => {
    follow(neighbourOf(entries, ids));
    props.actions.takeOut(ids);
  });
  const actions = useMemo(
    () => ({ ...props.actions, takeOut }),
    [props.actions, takeOut],
  );
  useEmptied(entries.length === 0);

  return (
    <Stack
      className="items beside-details"
      data-open={isCovered}
      gap={0}
      flex={1}
      miw={0}
    >
      <Group className="items-head" gap="8px 12px" mih={44} py={4}>
        {entries.length > 0 && mayChange ? (
          <input
            type="checkbox"
            className="item-choose"
            aria-label={t("playlists.content.selectAll")}
            checked={chosen.size === entries.length}
            ref={(box) => {
              if (!box) return;
              box.indeterminate =
                chosen.size > 0 && chosen.size < entries.length;
            }}
            onChange={(event) => {
              setMarked(
                event.currentTarget.checked
                  ? new Set(entries.map(({ id }) => id))
                  : none,
              );
            }}
          />
        ) : null}
        {chosen.size > 0 ? (
          <ChosenBar chosen={chosen} actions={actions} />
        ) : (
          <Title order={2} fz={13} lh="inherit" c="dimmed">
            {t("playlists.content.order")}
          </Title>
        )}
        <Group component="span" className="items-more" gap={8} ms="auto">
          {more}
        </Group>
      </Group>
      <div
        className="items-scroll scrolls"
        ref={(element) => {
          scroller.current = element;
          setNodeRef(element);
        }}
      >
        {entries.length === 0 ? (
          <Empty
            icon={IconPlaylistAdd}
            title={t("playlists.content.emptyTitle")}
            sentence={
              mayChange
                ? t("playlists.content.emptyText")
                : t("playlists.service.nothingInIt")
            }
          />
        ) : (
          <SortableContext
            items={sortableIds}
            strategy={verticalListSortingStrategy}
          >
            <ol
              ref={list}
              role="list"
              aria-label={t("playlists.content.order")}
              // With nothing to press in its rows, it is what the keyboard scrolls.
              tabIndex={mayChange ? -1 : 0}
              style={{ blockSize: rows.getTotalSize() }}
              onKeyDown={walk}
            >
              {rows.getVirtualItems().map(({ index, start, key }) => {
                const entry = entries[index];
                return entry ? (
                  <ItemRow
                    key={key}
                    entry={entry}
                    index={index}
                    count={entries.length}
                    startPx={start}
                    isChosen={chosen.has(entry.id)}
                    {...{ actions, isCarrying }}
                    onCarry={carry}
                    onChoose={choose}
                  />
                ) : null;
              })}
            </ol>
          </SortableContext>
        )}
      </div>
    </Stack>
  );
});

/** Up and down move from row to row in the same control; with Alt they move the item itself. */
function useWalk(
  entries: readonly Entry[],
  actions: ItemActions,
  scroller: RefObject<HTMLDivElement | null>,
  list: RefObject<HTMLOListElement | null>,
): {
  readonly walk: (event: KeyboardEvent<HTMLOListElement>) => void;
  /** Moves the focus to the same control of another item; null where there is none. */
  readonly follow: (id: string | null) => void;
} {
  /** Focus follows an item to its new place. */
  const nextFocus = useRef<ItemControl | null>(null);
  const forgetting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    const { current } = nextFocus;
    if (!current) return;
    const control = list.current && controlIn(list.current, current);
    if (control && control !== document.activeElement)
      control.focus({ preventScroll: true });
  });
  const setNextFocus = (control: ItemControl | null): void => {
    nextFocus.current = control;
    // A later focus elsewhere is not taken back.
    clearTimeout(forgetting.current);
    forgetting.current = setTimeout(() => (nextFocus.current = null), 500);
  };
  const follow = (id: string | null): void => {
    const { activeElement: focused } = document;
    const { control = "choose" } = (focused && placeOf(focused)) ?? {};
    setNextFocus(id === null ? null : { id, control });
  };
  const walk = (event: KeyboardEvent<HTMLOListElement>): void => {
    const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    // While an item is dragged by keyboard, the keys belong to the drag.
    if (by === 0 || event.defaultPrevented) return;
    const { currentTarget: ol } = event;
    // Between two steps of a held key the list itself has the focus.
    const from =
      event.target === ol ? nextFocus.current : placeOf(event.target);
    if (!from) return;
    const { control } = from;
    const index = entries.findIndex(({ id }) => id === from.id);
    const to = index + by;
    const neighbour = entries[to];
    const item = entries[index];
    if (!neighbour || !item) return;
    event.preventDefault();
    if (scroller.current) scrollToIndex(scroller.current, to);
    const goal = { id: event.altKey ? item.id : neighbour.id, control };
    setNextFocus(goal);
    if (event.altKey) {
      actions.move(index, to);
      // A focused row causes an extra layout when it changes places: the list holds the focus until then.
      ol.focus({ preventScroll: true });
    } else controlIn(ol, goal)?.focus({ preventScroll: true });
  };
  return { walk, follow };
}

/** The one after the last removed, otherwise the last that stays. */
function neighbourOf(
  entries: readonly Entry[],
  going: ReadonlySet<string>,
): string | null {
  const last = entries.findLastIndex(({ id }) => going.has(id));
  const before = entries.findLast(({ id }) => !going.has(id));
  return (entries[last + 1] ?? before)?.id ?? null;
}

/** The list disappears with its last item: the focus moves to what is open. */
function useEmptied(isEmpty: boolean): void {
  const wasEmpty = useRef(isEmpty);
  useEffect(() => {
    if (isEmpty && !wasEmpty.current)
      focusInstead(document, "[role=tab][aria-selected=true]");
    wasEmpty.current = isEmpty;
  }, [isEmpty]);
}

interface ItemControl {
  /** Id of the item. */
  readonly id: string;
  readonly control: string;
}

/** Null where no control of an item has the focus, and during a keyboard drag. */
function placeOf(target: EventTarget): ItemControl | null {
  if (!(target instanceof Element)) return null;
  if (target.getAttribute("aria-pressed") === "true") return null;
  const id = target.closest<HTMLElement>("[data-item]")?.dataset["item"];
  const control =
    target.closest<HTMLElement>("[data-control]")?.dataset["control"];
  return id === undefined || control === undefined ? null : { id, control };
}

function controlIn(
  list: HTMLElement,
  { id, control }: ItemControl,
): HTMLElement | null {
  return list.querySelector<HTMLElement>(
    `[data-item="${CSS.escape(id)}"] [data-control="${control}"]`,
  );
}

/** Without measuring anything but the window: all rows have the same height. */
function scrollToIndex(scroller: HTMLElement, index: number): void {
  const top = index * rowPx;
  const { scrollTop, clientHeight } = scroller;
  if (top < scrollTop) scroller.scrollTop = top;
  else if (top + rowPx > scrollTop + clientHeight)
    scroller.scrollTop = top + rowPx - clientHeight;
}

function ChosenBar({
  chosen,
  actions,
}: {
  readonly chosen: ReadonlySet<string>;
  readonly actions: ItemActions;
}): ReactNode {
  const [written, setWritten] = useState("");
  const [isConfirming, setIsConfirming] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const seconds = lengthFromText(written);
  const save = (): void => {
    // An empty field does not remove their durations.
    if (seconds === null) {
      setIsConfirming(true);
      field.current?.focus();
    } else if (seconds !== undefined)
      actions.time(chosen, seconds).catch(notifyInternalError);
  };
  return (
    <Group gap={8} role="group">
      <span>{t("playlists.content.selected", { count: chosen.size })}</span>
      <TextInput
        ref={field}
        aria-label={t("playlists.content.selectedDuration")}
        placeholder={t("playlists.content.durationExample")}
        w={110}
        value={written}
        error={seconds === undefined || isConfirming}
        aria-describedby={isConfirming ? "length-needed" : undefined}
        onChange={(event) => {
          setIsConfirming(false);
          setWritten(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") save();
        }}
      />
      <Button variant="default" disabled={seconds === undefined} onClick={save}>
        {t("manager.save")}
      </Button>
      <Button
        variant="default"
        onClick={() => {
          setIsConfirming(false);
          actions.time(chosen, null).catch(notifyInternalError);
        }}
      >
        {t("playlists.content.assetDuration")}
      </Button>
      <Button
        variant="default"
        onClick={() => {
          actions.takeOut(chosen);
        }}
      >
        {t("playlists.content.remove")}
      </Button>
      {isConfirming ? (
        <Text
          id="length-needed"
          w={0}
          miw="100%"
          c="var(--mantine-color-error)"
          role="alert"
        >
          {t("playlists.content.durationRequired")}
        </Text>
      ) : null}
    </Group>
  );
}
