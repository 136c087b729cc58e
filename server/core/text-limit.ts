// Truncates text to a limit: between characters as people perceive them, never inside one.

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** Longer than any grapheme cluster that is not mere ornament. */
const longestLetter = 64;

/** Returns at most this many code points, cut before the first grapheme cluster that does not fit; lone surrogates are removed. */
export function cutText(text: string, maxLength: number): string {
  const wellFormedText = wellFormed(text);
  if (wellFormedText.length <= maxLength) return wellFormedText;
  let end = 0;
  for (
    let count = 0;
    count < maxLength && end < wellFormedText.length;
    count += 1
  )
    end += (wellFormedText.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  if (end >= wellFormedText.length) return wellFormedText;
  const from = Math.max(0, end - longestLetter);
  // The window may start inside a cluster; the one to cut lies far behind that.
  const letter = segmenter
    .segment(wellFormedText.slice(from, end + longestLetter))
    .containing(end - from);
  const start = from + (letter?.index ?? end - from);
  return wellFormedText.slice(0, start > from ? start : end);
}

/** Removes lone surrogates: neither databases nor encodings preserve them. */
export function wellFormed(text: string): string {
  // With the u flag, only lone surrogates match.
  return /[\uD800-\uDFFF]/u.test(text)
    ? text.replace(/[\uD800-\uDFFF]/gu, "")
    : text;
}
