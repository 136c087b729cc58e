// Returns the focus to where it came from.

import { useEffect, useRef, useState } from "react";
import { focusInstead, hasFocus, pageTitle } from "./focus.ts";

/**
 * For a dialog or form: once answered, the element that opened it has the focus again, even if that was rendered again meanwhile.
 * Otherwise the page's title has it.
 */
export function useFocusBack<T extends HTMLElement>() {
  const box = useRef<T>(null);
  // During the first render the opener still exists.
  const [opener] = useState(() => openerOf(document.activeElement));
  const [name] = useState(() => nameOf(opener));
  useEffect(() => {
    // A form that was always there has no opener.
    const hasOpener = box.current !== null;
    const around: HTMLElement[] = [];
    for (let place = box.current?.parentElement; place;) {
      around.push(place);
      place = place.parentElement;
    }
    return () => {
      if (hasFocus()) return;
      // The elements around the dialog often disappear with it: the nearest remaining one is tried first.
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

/** For a menu, which is closed when the dialog is answered, the button that opened it. */
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
