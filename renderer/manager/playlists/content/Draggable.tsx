// Makes a row or a tile draggable. Mounted only during a drag: until then a row consists of plain elements.

import { useSortable } from "@dnd-kit/sortable";
import {
  memo,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  type ReactNode,
  type Ref,
  type RefObject,
} from "react";
import type { PickUp } from "./use-dragging.ts";

interface Props {
  readonly id: string;
  readonly axis: "across" | "down";
  /** The element that is dragged. */
  readonly element: RefObject<HTMLElement | null>;
  /** Its drag handle; the element itself where there is none. */
  readonly dragHandle?: RefObject<HTMLElement | null>;
  readonly ref: Ref<PickUp>;
}

/** Renders nothing: it moves the existing element. */
export const Carrier = memo(function Carrier(props: Props): ReactNode {
  const { id, axis, element, dragHandle, ref } = props;
  const { listeners, setNodeRef, setActivatorNodeRef, ...drag } = useSortable({
    id,
  });
  const { isDragging, transition } = drag;
  const away = Math.round(drag.transform?.[axis === "down" ? "y" : "x"] ?? 0);
  const isAway = drag.transform !== null;

  useImperativeHandle(
    ref,
    () => (event) => {
      const name = event.type === "keydown" ? "onKeyDown" : "onPointerDown";
      listeners?.[name]?.(event);
    },
    [listeners],
  );
  useLayoutEffect(() => {
    setNodeRef(element.current);
    setActivatorNodeRef(dragHandle?.current ?? element.current);
    return () => {
      setNodeRef(null);
      setActivatorNodeRef(null);
    };
  }, [element, dragHandle, setNodeRef, setActivatorNodeRef]);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    current.dataset["dragging"] = String(isDragging);
    if (isDragging) dragHandle?.current?.setAttribute("aria-pressed", "true");
    else dragHandle?.current?.removeAttribute("aria-pressed");
  }, [element, dragHandle, isDragging]);
  useLayoutEffect(() => {
    const style = element.current?.style;
    if (!style) return;
    const at = axis === "down" ? `0, ${away}px` : `${away}px, 0`;
    style.transform = isAway ? `translate3d(${at}, 0)` : "";
    style.transition = transition ?? "";
  }, [element, axis, isAway, away, transition]);
  useEffect(() => {
    const { current } = element;
    const held = dragHandle?.current;
    return () => {
      if (!current) return;
      delete current.dataset["dragging"];
      held?.removeAttribute("aria-pressed");
      current.style.transform = "";
      current.style.transition = "";
    };
  }, [element, dragHandle]);
  return null;
});
