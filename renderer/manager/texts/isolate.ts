// A name inside a sentence, kept from turning the sentence's direction around.

/** Wraps a name of unknown direction in Unicode isolates; for plain strings what <bdi> is for elements. */
export function isolate(name: string): string {
  return `\u2068${name}\u2069`;
}
