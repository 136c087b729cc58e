// Where the keyboard goes on when what had the focus was taken away.

/** To the first of these that is there, unless something has the focus; answers whether it went there. */
export function focusInstead(
  within: ParentNode,
  ...places: readonly string[]
): boolean {
  if (hasFocus()) return false;
  for (const place of places) {
    const found = within.querySelector<HTMLElement>(place);
    if (!found) continue;
    found.focus({ preventScroll: true });
    return true;
  }
  return false;
}

/** Something on the page; what is taken away leaves it to the page as a whole. */
export function hasFocus(): boolean {
  const { activeElement: focused } = document;
  return focused !== null && focused !== document.body;
}

/** Every page has one. */
export const pageTitle = "#page-title";
