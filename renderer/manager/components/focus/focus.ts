// Fallback targets of the focus when the focused element was removed.

/** Focuses the first of these that exists, unless something has the focus; returns whether it did. */
export function focusInstead(
  within: ParentNode,
  ...places: readonly string[]
): boolean {
  if (hasFocus()) return false;
  for (const place of places) {
    const target = within.querySelector<HTMLElement>(place);
    if (!target) continue;
    target.focus({ preventScroll: true });
    return true;
  }
  return false;
}

/** True when an element on the page has it; a removed element leaves it to the body. */
export function hasFocus(): boolean {
  const { activeElement: focused } = document;
  return focused !== null && focused !== document.body;
}

/** Every page has one. */
export const pageTitle = "#page-title";
