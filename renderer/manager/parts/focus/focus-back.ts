// The keyboard's way back to what it came from.

import { useEffect, useRef, useState } from "react";
import { focusInstead, hasFocus, pageTitle } from "./focus.ts";

/** For a question or form: when it is answered, what asked for it has the focus again; often it is made anew. Else the page's title has it. */
export function useFocusBack<T extends HTMLElement>() {
  const box = useRef<T>(null);
  // While this is rendered for the first time, what asked is still there.
  const [opener] = useState(() => openerOf(document.activeElement));
  const [name] = useState(() => nameOf(opener));
  useEffect(() => {
    // A form that was always there was asked for by nobody.
    const hasOpener = box.current !== null;
    const around: HTMLElement[] = [];
    for (let place = box.current?.parentElement; place;) {
      around.push(place);
      place = place.parentElement;
    }
    return () => {
      if (hasFocus()) return;
      // What is around the question often goes with it: the nearest that stays is looked at first.
      const buttons = around
        .filter(({ isConnected }) => isConnected)
        .flatMap((place) => [...place.querySelectorAll("button")]);
      const replacement = buttons.find(
        (one) => name !== null && nameOf(one) === name,
      );
      if (hasOpener) (opener?.isConnected ? opener : replacement)?.focus();
      focusInstead(document, pageTitle);
    };
  }, [opener, name]);
  return box;
}

/** Of a menu, which is gone when the question is answered, the button that opened it. */
function openerOf(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest("[role=menu]");
  const opener = menu?.getAttribute("aria-labelledby");
  if (opener) return document.getElementById(opener);
  return focused instanceof HTMLElement && focused !== document.body
    ? focused
    : null;
}

function nameOf(element: Element | null): string | null {
  return element instanceof HTMLButtonElement
    ? (element.getAttribute("aria-label") ?? element.textContent)
    : null;
}
