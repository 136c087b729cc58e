// A press on a button counts although the button moves away beneath it: what was typed is saved by the press, and the page grows.

import { useEffect } from "react";

/** What is to be held has a second of its own, and is let go of where the pointer leaves it. */
const pressable = "button:not([data-held]), a[href], summary";

/** As far as a hand that rests moves; who goes further lets go of the button. */
const restsPx = 4;

interface Press {
  readonly place: HTMLElement;
  readonly x: number;
  readonly y: number;
}

/**
 * Once for the window. A field is left, and so saved, as the button of the mouse goes down; what is told of that can
 * move what was pressed before it comes up again, and the browser then clicks at what both places lie in.
 */
export function usePressKept(): void {
  useEffect(() => {
    let press: Press | null = null;
    const begin = (event: PointerEvent): void => {
      const { target, isPrimary, button, clientX: x, clientY: y } = event;
      const isPress = isPrimary && button === 0 && target instanceof Element;
      const place = isPress ? target.closest<HTMLElement>(pressable) : null;
      press = place && { place, x, y };
    };
    const end = (event: MouseEvent): void => {
      // A key's click has no place, and the one below has none either.
      if (!press || event.detail === 0) return;
      const { place, x, y } = press;
      press = null;
      if (!(event.target instanceof Node) || place.contains(event.target))
        return;
      const { clientX, clientY } = event;
      if (Math.hypot(clientX - x, clientY - y) > restsPx) return;
      if (!place.isConnected) return;
      event.preventDefault();
      event.stopPropagation();
      place.click();
    };
    window.addEventListener("pointerdown", begin, true);
    window.addEventListener("click", end, true);
    return () => {
      window.removeEventListener("pointerdown", begin, true);
      window.removeEventListener("click", end, true);
    };
  }, []);
}
