// Focus recovery: when the focused element is removed, the focus moves to what takes its place.

import { useEffect } from "react";
import {
  focusInstead,
  hasFocus,
  pageTitle,
} from "../components/focus/focus.ts";

/** From the focused element up to the page: each parent, and the index of the child that led down. */
type Path = readonly { readonly parent: Element; readonly index: number }[];

/** Nothing was added or removed for so long: code with a focus target of its own had time to set it. */
const quietPeriodMs = 250;

const focusable =
  "a[href], button, input, select, textarea, summary, [tabindex='0']";

/**
 * Once per window. Code with a focus target of its own comes first: this acts only when the page has settled and nothing has the
 * focus yet. A button that is disabled while it works gets the focus back afterwards.
 */
export function useFocusKept(): void {
  useEffect(() => {
    let last: { readonly element: Element; readonly path: Path } | null = null;
    let lent: { readonly from: HTMLElement; readonly to: Element } | null =
      null;
    /** Disabled while it had the focus: the page removes the focus without an event, even if it is enabled again at once. */
    let disabled: HTMLElement | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const restoreFocus = (): void => {
      if (disabled && canHaveFocus(disabled)) {
        if (!hasFocus()) disabled.focus();
        disabled = null;
      }
      if (lent && canHaveFocus(lent.from)) {
        if (document.activeElement === lent.to) lent.from.focus();
        lent = null;
      }
      if (!isLost(last)) return;
      const { element, path } = last;
      const place = placeOf(path);
      if (place) place.focus({ preventScroll: true });
      else if (document.activeElement instanceof HTMLElement)
        document.activeElement.blur();
      focusInstead(document, pageTitle);
      const { activeElement: to } = document;
      if (element instanceof HTMLElement && element.isConnected && to)
        lent = { from: element, to };
    };
    // Loss of the focus is checked only then: within each change it would recalculate the styles of the whole page.
    const scheduleFocusRestore = (): void => {
      if (last?.element.matches(":disabled") === true)
        disabled = last.element as HTMLElement;
      clearTimeout(timer);
      timer = setTimeout(restoreFocus, quietPeriodMs);
    };
    const note = ({ target }: FocusEvent): void => {
      if (target instanceof Element)
        last = { element: target, path: pathOf(target) };
      if (target !== disabled) disabled = null;
    };
    // A person who types where the focus went stays there.
    const keep = ({ repeat }: KeyboardEvent): void => {
      if (!repeat) lent = null;
    };
    const observer = new MutationObserver(scheduleFocusRestore);
    observer.observe(document.body, {
      ...{ subtree: true, childList: true },
      attributeFilter: ["disabled", "hidden"],
    });
    document.addEventListener("focusin", note);
    document.addEventListener("keydown", keep, true);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener("focusin", note);
      document.removeEventListener("keydown", keep, true);
    };
  }, []);
}

/** A click next to an element blurs it without removing it. */
function isLost<Last extends { readonly element: Element }>(
  last: Last | null,
): last is Last {
  if (last === null || canHaveFocus(last.element)) return false;
  // A disabled element loses the focus only with the next frame.
  return !hasFocus() || document.activeElement === last.element;
}

function pathOf(element: Element): Path {
  const path: { parent: Element; index: number }[] = [];
  for (let at = element; at.parentElement; at = at.parentElement) {
    const { parentElement: parent } = at;
    path.push({ parent, index: [...parent.children].indexOf(at) });
  }
  return path;
}

/** The element in its place, otherwise the nearest one around it. */
function placeOf(path: Path): HTMLElement | undefined {
  for (const [depth, { parent, index }] of path.entries()) {
    if (!parent.isConnected) continue;
    // Outside the page or dialog nothing takes its place.
    if (!parent.closest(":is(main, [role=dialog]) *")) return undefined;
    const { children } = parent;
    const child = children[Math.min(index, children.length - 1)];
    const same = child && followed(child, path.slice(0, depth).toReversed());
    const target = [same, ...all(child), ...all(parent)].find(
      (one) => one && canHaveFocus(one),
    );
    if (target instanceof HTMLElement) return target;
  }
  return undefined;
}

/** Down the same way as before: the same button of the row that replaced its row. */
function followed(from: Element, down: Path): Element | undefined {
  let at: Element | undefined = from;
  for (const { index } of down) at = at?.children[index];
  return at?.matches(focusable) ? at : undefined;
}

function all(within: Element | undefined): readonly Element[] {
  if (!within) return [];
  const inside = [...within.querySelectorAll(focusable)];
  return within.matches(focusable) ? [within, ...inside] : inside;
}

function canHaveFocus(element: Element): boolean {
  return (
    element.isConnected &&
    !element.matches(":disabled, [inert], [inert] *") &&
    element.checkVisibility({ visibilityProperty: true })
  );
}
