// Detects an SVG by how its text begins, in time linear to its length.

/** What may stand before the root element, each with its end; comments may come anywhere between. */
const prologs = [
  { start: /<\?xml\b/iy, end: ">" },
  { start: /<!--/y, end: "-->" },
  { start: /<!DOCTYPE svg\b/iy, end: ">" },
] as const;
const space = /[\s\uFEFF]*/y;
const root = /<svg[\s>/]/iy;

/** `text` is the beginning of a file; it is never read twice from the same place. */
export function isSvg(text: string): boolean {
  let at = skip(space, text, 0) ?? 0;
  for (;;) {
    if (skip(root, text, at) !== null) return true;
    const after = afterProlog(text, at);
    if (after === null) return false;
    at = skip(space, text, after) ?? 0;
  }
}

function afterProlog(text: string, at: number): number | null {
  for (const { start, end } of prologs) {
    const inside = skip(start, text, at);
    if (inside === null) continue;
    const found = text.indexOf(end, inside);
    return found < 0 ? null : found + end.length;
  }
  return null;
}

/** Where a match that begins here ends; null where there is none. */
function skip(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}
