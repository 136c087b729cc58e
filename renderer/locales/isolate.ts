// Unicode isolates for bidirectional text: a name of another direction never reorders the sentence around it.

/** Letters written from right to left: Hebrew, Arabic, Syriac, Thaana, N'Ko and their presentation forms. */
const rightToLeftLetter =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]|[\uD802\uD803\uD83A\uD83B][\uDC00-\uDFFF]/;

/** Wraps a text in isolates if it would otherwise be reordered in a layout of this direction. */
export function isolateWhereNeeded(
  text: string,
  direction: "ltr" | "rtl",
): string {
  return text !== "" && (direction === "rtl" || rightToLeftLetter.test(text))
    ? isolate(text)
    : text;
}

/** Wraps a text of unknown direction in Unicode isolates; for plain strings what <bdi> is for elements. */
export function isolate(text: string): string {
  return `\u2068${text}\u2069`;
}
