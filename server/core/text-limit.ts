// Text that is cut to a limit: between letters as people count them, never inside one.

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** Longer than any letter that is more than ornament. */
const longestLetter = 64;

/** At most so many code points of it, cut before the letter that would not fit whole; halves of surrogate pairs are left out. */
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
  // It may begin inside a letter; the one that is cut lies far behind it.
  const letter = segmenter
    .segment(wellFormedText.slice(from, end + longestLetter))
    .containing(end - from);
  const start = from + (letter?.index ?? end - from);
  return wellFormedText.slice(0, start > from ? start : end);
}

/** Without halves of surrogate pairs: no database and no encoding keeps them as they are. */
export function wellFormed(text: string): string {
  // With the u flag only halves match.
  return /[\uD800-\uDFFF]/u.test(text)
    ? text.replace(/[\uD800-\uDFFF]/gu, "")
    : text;
}
