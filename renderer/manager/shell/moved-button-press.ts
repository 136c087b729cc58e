// A press on a button counts even if the button moves from under the pointer: the press saves the field it leaves, and the page
// grows.

import { useEffect } from "react";

/** Hold buttons have their own timing, and are released when the pointer leaves them. */
const pressable = "button:not([data-held]), a[href], summary";

/** Tolerance of a resting hand; a pointer that moves further cancels the press. */
const restsPx = 4;

interface Press {
  readonly place: HTMLElement;
  readonly x: number;
  readonly y: number;
}

/**
 * Once per window. Pressing the mouse button blurs a field, which saves it. What the page then adds can move the pressed button
 * before the mouse button is released, and the browser clicks the common ancestor of both places.
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
      // A click by key has no position, and neither has the one dispatched below.
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
