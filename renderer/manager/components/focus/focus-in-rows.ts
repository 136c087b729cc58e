// Keeps the focus in lists whose rows come and go by themselves.

import { useLayoutEffect, useRef, type FocusEvent } from "react";
import { focusInstead } from "./focus.ts";

interface Place {
  readonly row: Element;
  readonly list: Element;
  readonly index: number;
}

/** When a row disappears with the focus, the row in its place gets it, otherwise the last row, otherwise the first of these. */
export function useFocusInRows(...instead: readonly string[]) {
  const within = useRef<HTMLDivElement>(null);
  const place = useRef<Place | null>(null);
  // Before a dialog in the row looks for another place.
  useLayoutEffect(() => {
    if (!within.current || !place.current || place.current.row.isConnected)
      return;
    const { list, index } = place.current;
    place.current = null;
    const row = `:scope > :nth-child(${index + 1}) button`;
    const last = ":scope > :last-child button";
    // The list may disappear together with its last row.
    if (!list.isConnected || !focusInstead(list, row, last))
      focusInstead(within.current, ...instead);
  });
  return {
    ref: within,
    onFocus: ({ target }: FocusEvent) => {
      place.current = placeOf(target);
    },
    onBlur: ({ target }: FocusEvent) => {
      // A window in the background keeps its focused element.
      if (document.activeElement !== target) place.current = null;
    },
  };
}

function placeOf(target: Element): Place | null {
  const row = target.closest("li");
  const list = row?.parentElement;
  if (!row || !list) return null;
  return { row, list, index: [...list.children].indexOf(row) };
}
