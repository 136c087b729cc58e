// Moves the focus when the part of the page that contained it disappears.

import { useLayoutEffect, useRef, type FocusEvent } from "react";
import { focusInstead } from "./focus.ts";

/** For a component that stays while its part comes and goes: focuses `place` then, unless something else has the focus. */
export function useFocusAfter(isShown: boolean, place: string) {
  const isWithin = useRef(false);
  // Before a dialog in the part looks for another place.
  useLayoutEffect(() => {
    if (isShown || !isWithin.current) return;
    isWithin.current = false;
    focusInstead(document, place);
  });
  return {
    onFocus: () => {
      isWithin.current = true;
    },
    onBlur: ({ target }: FocusEvent) => {
      // A window in the background keeps its focused element.
      if (document.activeElement !== target) isWithin.current = false;
    },
  };
}
