// Where the keyboard goes on after a menu: in what was chosen, if that asks for it, else at the menu's button.

import {
  useEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
} from "react";
import { hasFocus } from "./focus.ts";

/** The library gives the focus back to the button in any case, also when a question that the menu opened has it. */
export function useMenuFocus() {
  const [opened, onChange] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpened = useRef(false);
  useEffect(() => {
    const isLeft = document.activeElement?.closest("[role=menu]") ?? null;
    if (wasOpened.current && !opened && (isLeft !== null || !hasFocus()))
      button.current?.focus({ preventScroll: true });
    wasOpened.current = opened;
  }, [opened]);
  // The library hears Escape within the menu alone, which has the focus only a moment after it opened.
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === "Escape") onChange(false);
  };
  // And gives it the focus even then, while a menu that was closed meanwhile fades.
  const onFocus = ({ relatedTarget }: FocusEvent) => {
    if (opened) return;
    const isOutside =
      relatedTarget instanceof HTMLElement &&
      relatedTarget.closest("[role=menu]") === null;
    const before = isOutside ? relatedTarget : button.current;
    before?.focus({ preventScroll: true });
  };
  return {
    button: { ref: button, onKeyDown },
    menu: { opened, onChange, returnFocus: false },
    dropdown: { onFocus },
  };
}
