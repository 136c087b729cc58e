// Dragging within and into a playlist, by mouse and by keyboard, announced to screen readers at every step.

import {
  closestCenter,
  KeyboardSensor,
  PointerSensor,
  pointerWithin,
  useSensor,
  useSensors,
  type Announcements,
  type CollisionDetection,
  type DndContextProps,
  type UniqueIdentifier,
} from "@dnd-kit/core";
import { sortableKeyboardCoordinates } from "@dnd-kit/sortable";
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
} from "react";
import { flushSync } from "react-dom";
import type { AssetView } from "../../api/asset-view.ts";
import { t } from "../../../locales/messages.ts";
import type { Library } from "../../lineup/schedule-inputs.ts";
import type { Entry, ItemActions } from "./playlist-item.ts";

/** Where a draggable is: in the list, in the strip, or in the asset picker next to them. */
export type DragPlace = "list" | "strip" | "library";

export function dragId(place: DragPlace, id: string): string {
  return `${place}:${id}`;
}

/** Id of the instructions, referenced by every drag handle. */
export const dragHow = "drag-how";

/** The list as a whole, for what is dropped beneath its last item or while it is empty. */
export const wholeList = "whole-list";

function readDragId(id: UniqueIdentifier): {
  /** Null for the list as a whole. */
  readonly place: DragPlace | null;
  readonly id: string;
} {
  const [, place, own = ""] =
    /^(list|strip|library):(.*)$/.exec(String(id)) ?? [];
  return { place: (place as DragPlace | undefined) ?? null, id: own };
}

/** Below this distance it is a click, not a drag. */
const slackPx = 6;

/** Receives the event on a drag handle. */
export type PickUp = (event: PointerEvent | KeyboardEvent) => void;

interface Dragged {
  readonly name: string;
  readonly view: AssetView | undefined;
}

/** The drop animation runs to its end. */
const dropAnimationMs = 300;

export interface Dragging {
  readonly contextProps: DndContextProps;
  readonly dragged: Dragged | null;
  /** Where the current or imminent drag started; null without a drag. */
  readonly carrying: DragPlace | null;
  readonly carry: (place: DragPlace) => void;
}

export function useDragging(
  entries: readonly Entry[],
  library: Library,
  actions: ItemActions,
): Dragging {
  const [draggedId, setDraggedId] = useState<UniqueIdentifier | null>(null);
  const { carrying, carry, letGo } = useCarrying();
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: slackPx } }),
    useSensor(KeyboardSensor, {
      coordinateGetter: sortableKeyboardCoordinates,
    }),
  );
  const latest = useRef({ entries });
  useLayoutEffect(() => {
    latest.current = { entries };
  });
  // Stable for as long as the page is open: moving an item does not concern these props.
  const steady = useMemo((): DndContextProps => {
    const rest = () => {
      setDraggedId(null);
      letGo();
    };
    return {
      id: dragHow,
      sensors,
      collisionDetection,
      onDragStart: ({ active }) => {
        const { place } = readDragId(active.id);
        setDraggedId(active.id);
        if (place) carry(place);
      },
      onDragAbort: rest,
      onDragCancel: rest,
      onDragEnd: ({ active, over }) => {
        rest();
        if (over) put(latest.current.entries, actions, active.id, over.id);
      },
    };
  }, [sensors, actions, carry, letGo]);
  const accessibility = useMemo(
    () => ({
      announcements: announcementsFor(entries, library),
      screenReaderInstructions: { draggable: t("playlists.content.drag.help") },
    }),
    [entries, library],
  );
  return {
    ...{ contextProps: { ...steady, accessibility }, carrying, carry },
    dragged: draggedId === null ? null : shownOf(draggedId, entries, library),
  };
}

function useCarrying(): Pick<Dragging, "carrying" | "carry"> & {
  readonly letGo: () => void;
} {
  const [carrying, setCarrying] = useState<DragPlace | null>(null);
  const letting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(letting.current);
    },
    [],
  );
  const carry = useCallback((place: DragPlace) => {
    clearTimeout(letting.current);
    setCarrying(place);
  }, []);
  const letGo = useCallback(() => {
    clearTimeout(letting.current);
    letting.current = setTimeout(() => {
      setCarrying(null);
    }, dropAnimationMs);
  }, []);
  return { carrying, carry, letGo };
}

/** For a drag started by a press or a key: the draggable is mounted first, and receives the same event. */
export function usePickUp(onCarry: () => void): {
  readonly pickUp: PickUp;
  readonly carrier: RefObject<PickUp | null>;
} {
  const carrier = useRef<PickUp>(null);
  const pickUp = useCallback(
    (event: PointerEvent | KeyboardEvent) => {
      const isMeant =
        !("key" in event) || event.key === " " || event.key === "Enter";
      if (!isMeant) return;
      flushSync(onCarry);
      carrier.current?.(event);
    },
    [onCarry],
  );
  return { pickUp, carrier };
}

function shownOf(
  dragId: UniqueIdentifier,
  entries: readonly Entry[],
  library: Library,
): Dragged {
  const { place, id } = readDragId(dragId);
  if (place === "library") {
    const view = library.viewsById.get(id);
    return { name: view?.name ?? "", view };
  }
  const entry = entries.find((one) => one.id === id);
  return { name: entry?.name ?? "", view: entry?.view };
}

/** Where it was dropped. */
function put(
  entries: readonly Entry[],
  actions: ItemActions,
  activeId: UniqueIdentifier,
  overId: UniqueIdentifier,
): void {
  const { place, id } = readDragId(activeId);
  const target = readDragId(overId).id;
  const to = entries.findIndex((entry) => entry.id === target);
  if (place === "library") {
    actions.add([id], to === -1 ? entries.length : to);
    return;
  }
  const from = entries.findIndex((entry) => entry.id === id);
  if (to !== -1 && from !== to) actions.move(from, to);
}

/** An item is dropped among items of its own kind; an asset from the picker, where the pointer is. */
const collisionDetection: CollisionDetection = (args) => {
  const { place } = readDragId(args.active.id);
  const isNear = (id: UniqueIdentifier) =>
    place === "library" || readDragId(id).place === place;
  const droppableContainers = args.droppableContainers.filter(({ id }) =>
    isNear(id),
  );
  if (place !== "library")
    return closestCenter({ ...args, droppableContainers });
  const within = pointerWithin({ ...args, droppableContainers });
  const items = within.filter(({ id }) => id !== wholeList);
  return items.length > 0 ? items : within;
};

function announcementsFor(
  entries: readonly Entry[],
  library: Library,
): Announcements {
  const all = entries.length;
  const nameOf = (dragId: UniqueIdentifier): string =>
    shownOf(dragId, entries, library).name;
  const placeOf = (dragId: UniqueIdentifier): number => {
    const { id } = readDragId(dragId);
    const index = entries.findIndex((entry) => entry.id === id);
    return index === -1 ? all : index + 1;
  };
  return {
    onDragStart: ({ active }) =>
      t("playlists.content.drag.pickedUp", {
        name: nameOf(active.id),
        place: placeOf(active.id),
        count: all,
      }),
    onDragOver: ({ active, over }) =>
      over
        ? t("playlists.content.drag.over", {
            name: nameOf(active.id),
            place: placeOf(over.id),
            count: all,
          })
        : t("playlists.content.drag.overNothing", { name: nameOf(active.id) }),
    onDragEnd: ({ active, over }) =>
      over
        ? t("playlists.content.drag.dropped", {
            name: nameOf(active.id),
            place: placeOf(over.id),
            count: all,
          })
        : t("playlists.content.drag.canceled", { name: nameOf(active.id) }),
    onDragCancel: ({ active }) =>
      t("playlists.content.drag.canceled", { name: nameOf(active.id) }),
  };
}
