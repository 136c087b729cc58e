// Page ranges of a PDF as text: `1, 3, 5-8`. Pure.

/** Null means all pages. */
export function showPages(pages: readonly number[] | null): string {
  if (pages === null) return "";
  const spans: string[] = [];
  for (let at = 0; at < pages.length;) {
    const first = pages[at] ?? 0;
    let last = first;
    while (pages[at + 1] === last + 1) {
      last += 1;
      at += 1;
    }
    spans.push(first === last ? `${first}` : `${first}-${last}`);
    at += 1;
  }
  return spans.join(", ");
}

/** Far above the longest document, so that a typing error fills no memory. */
const maxPages = 10_000;

/** Null for all, undefined for text that is not a list of pages. */
export function readPages(text: string): readonly number[] | null | undefined {
  if (text.trim() === "") return null;
  const pages = new Set<number>();
  for (const part of text.split(",")) {
    const match = /^\s*(\d{1,5})\s*(?:[-–]\s*(\d{1,5})\s*)?$/.exec(part);
    if (!match) return undefined;
    const first = Number(match[1]);
    const last = Number(match[2] ?? match[1]);
    if (first < 1 || last < first || last > maxPages) return undefined;
    for (let page = first; page <= last; page++) pages.add(page);
  }
  return [...pages].sort((a, b) => a - b);
}
