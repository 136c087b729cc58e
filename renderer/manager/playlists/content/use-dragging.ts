// Dragging within and into a playlist, by mouse and by keyboard, said aloud at every step.

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
import { useMemo, useState } from "react";
import type { AssetView } from "../../../../server/contract/ipc.ts";
import { texts } from "../../texts/texts.ts";
import type { Library } from "../library.ts";
import type { Entry, ItemActions } from "./entry.ts";

/** Where a draggable stands: in the list, in the strip, or in the library beside them. */
export type DragPlace = "list" | "strip" | "library";

export function dragId(place: DragPlace, id: string): string {
  return `${place}:${id}`;
}

/** The list as a whole, for what is dropped beneath its last item or while it is empty. */
export const wholeList = "whole-list";

function readDragId(id: UniqueIdentifier): {
  readonly place: string;
  readonly id: string;
} {
  const [, place = "", own = ""] = /^(\w+):(.*)$/.exec(String(id)) ?? [];
  return { place, id: own };
}

/** A click is no drag. */
const slackPx = 6;

interface Dragged {
  readonly name: string;
  readonly view: AssetView | undefined;
}

export function useDragging(
  entries: readonly Entry[],
  library: Library,
  actions: ItemActions,
): {
  readonly contextProps: DndContextProps;
  readonly dragged: Dragged | null;
} {
  const [draggedId, setDraggedId] = useState<UniqueIdentifier | null>(null);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: slackPx } }),
    useSensor(KeyboardSensor, {
      coordinateGetter: sortableKeyboardCoordinates,
    }),
  );
  const said = useMemo(() => sayings(entries, library), [entries, library]);
  const of = (id: UniqueIdentifier): Dragged => {
    const { place, id: own } = readDragId(id);
    const entry = entries.find((one) => one.id === own);
    if (place !== "library")
      return { name: entry?.name ?? "", view: entry?.view };
    const view = library.views.find((one) => one.id === own);
    return { name: view?.name ?? "", view };
  };

  return {
    dragged: draggedId === null ? null : of(draggedId),
    contextProps: {
      sensors,
      collisionDetection,
      accessibility: {
        announcements: said,
        screenReaderInstructions: { draggable: texts.playlists.dragHow },
      },
      onDragStart: ({ active }) => {
        setDraggedId(active.id);
      },
      onDragCancel: () => {
        setDraggedId(null);
      },
      onDragEnd: ({ active, over }) => {
        setDraggedId(null);
        if (!over) return;
        const { place, id } = readDragId(active.id);
        const target = readDragId(over.id).id;
        const to = entries.findIndex((entry) => entry.id === target);
        if (place === "library")
          actions.add([id], to === -1 ? entries.length : to);
        else {
          const from = entries.findIndex((entry) => entry.id === id);
          if (to !== -1 && from !== to) actions.move(from, to);
        }
      },
    },
  };
}

/** An item is dropped among those of its own kind; what comes from the library, where the pointer is. */
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

function sayings(entries: readonly Entry[], library: Library): Announcements {
  const say = texts.playlists;
  const all = entries.length;
  const nameOf = (id: UniqueIdentifier): string => {
    const { place, id: own } = readDragId(id);
    const list: readonly { readonly id: string; readonly name: string }[] =
      place === "library" ? library.views : entries;
    return list.find((one) => one.id === own)?.name ?? "";
  };
  const placeOf = (id: UniqueIdentifier): number => {
    const index = entries.findIndex((entry) => entry.id === readDragId(id).id);
    return index === -1 ? all : index + 1;
  };
  return {
    onDragStart: ({ active }) =>
      say.pickedUp(nameOf(active.id), placeOf(active.id), all),
    onDragOver: ({ active, over }) =>
      over
        ? say.over(nameOf(active.id), placeOf(over.id), all)
        : say.overNothing(nameOf(active.id)),
    onDragEnd: ({ active, over }) =>
      over
        ? say.dropped(nameOf(active.id), placeOf(over.id), all)
        : say.cancelled(nameOf(active.id)),
    onDragCancel: ({ active }) => say.cancelled(nameOf(active.id)),
  };
}
