// Focus after a menu closes: in what was chosen, if that requests it, otherwise at the menu's button.

import {
  useEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
} from "react";
import { hasFocus } from "./focus.ts";

/** The library returns the focus to the button in any case, even when a dialog opened by the menu has it. */
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
  // The library handles Escape only within the menu, which gets the focus a moment after it opened.
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === "Escape") onChange(false);
  };
  // And focuses it even then, while a menu that was closed meanwhile fades out.
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
