// Where the keyboard goes on when a part of the page goes that it was in.

import { useLayoutEffect, useRef, type FocusEvent } from "react";
import { focusInstead } from "./focus.ts";

/** Of a component that stays while its part comes and goes: `place` has the focus then, unless something else has it. */
export function useFocusAfter(isShown: boolean, place: string) {
  const isWithin = useRef(false);
  // Before a question in the part looks for another place.
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
      // A window that is left keeps what has the focus.
      if (document.activeElement !== target) isWithin.current = false;
    },
  };
}
