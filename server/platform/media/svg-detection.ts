// Detects an SVG by the beginning of its text, in linear time.

/** Constructs that may precede the root element, each with its end; comments may come anywhere between. */
const prologs = [
  { start: /<\?xml\b/iy, end: ">" },
  { start: /<!--/y, end: "-->" },
  { start: /<!DOCTYPE svg\b/iy, end: ">" },
] as const;
const space = /[\s\uFEFF]*/y;
const root = /<svg[\s>/]/iy;

/** `text` is the beginning of a file; no part of it is read twice. */
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
    const endAt = text.indexOf(end, inside);
    return endAt < 0 ? null : endAt + end.length;
  }
  return null;
}

/** Where a match that starts here ends; null if there is none. */
function skip(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}
