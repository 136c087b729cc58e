// What the page stores as it goes, for the one that a reload loads.

/** Takes it out: a copy of the tab gets nothing of it. Null where nothing is stored. */
export function takeStored(name: string): string | null {
  if (!("sessionStorage" in globalThis)) return null;
  const text = sessionStorage.getItem(name);
  sessionStorage.removeItem(name);
  return text;
}
