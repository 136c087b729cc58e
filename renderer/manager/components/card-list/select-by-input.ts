// Selects in a list of cards by pointer and keyboard, as file managers do.

import type { KeyboardEvent, MouseEvent } from "react";
import { direction } from "../../../locales/language.ts";
import {
  moveOf,
  select,
  selectAll,
  type Layout,
  type Selection,
  type SelectionMode,
} from "./selection.ts";

export interface CardSelection {
  /** Keys of what is listed, in order. */
  readonly order: readonly string[];
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  /** Enter: moves to the details of the selection. */
  readonly onOpen: () => void;
}

/** `attribute` has the key of a card. */
export function selectByClick(
  event: MouseEvent<HTMLElement>,
  attribute: string,
  { order, selection, onSelect }: CardSelection,
): void {
  const key = (event.target as Element)
    .closest(`[${attribute}]`)
    ?.getAttribute(attribute);
  if (!key) return;
  const isCtrl = event.ctrlKey || event.metaKey;
  const mode = event.shiftKey ? "range" : isCtrl ? "toggle" : "only";
  onSelect(select(selection, order, key, mode));
}

/** Returns whether the key was one of those. */
export function selectByKey(
  event: KeyboardEvent<HTMLElement>,
  { order, selection, onSelect, onOpen }: CardSelection,
  layout: Layout,
): boolean {
  if (event.altKey) return false;
  const isCtrl = event.ctrlKey || event.metaKey;
  const { active } = selection;
  const at = active === null ? -1 : order.indexOf(active);
  const to = moveOf(event.key, at, order.length, layout, direction);
  const goal = to === null ? undefined : order[to];
  if (goal !== undefined) {
    const mode: SelectionMode = event.shiftKey
      ? "range"
      : isCtrl
        ? "move"
        : "only";
    onSelect(select(selection, order, goal, mode));
    return true;
  }
  if (event.key === " " && active !== null) {
    onSelect(select(selection, order, active, "toggle"));
    return true;
  }
  if (isCtrl && event.key.toLowerCase() === "a") {
    onSelect(selectAll(order));
    return true;
  }
  if (event.key === "Escape") {
    onSelect({ ...selection, ids: new Set() });
    return true;
  }
  if (event.key === "Enter") {
    onOpen();
    return true;
  }
  return false;
}
