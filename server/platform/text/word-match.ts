// Searches for words in a text: split at everything that is neither letter nor digit, case-insensitive.

/** A query: a word or its beginning, phrases with a distance, and, or, not. */
export type WordQuery =
  | { readonly word: string; readonly isPrefix: boolean }
  | { readonly not: WordQuery }
  | { readonly and: readonly [WordQuery, WordQuery] }
  | { readonly or: readonly [WordQuery, WordQuery] }
  | {
      readonly phrase: readonly [WordQuery, WordQuery];
      readonly distance: number;
    };

const wordPattern = /[\p{L}\p{Nd}]+/gu;

export function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(wordPattern) ?? [];
}

export function matchesWords(
  words: readonly string[],
  query: WordQuery,
): boolean {
  if ("not" in query) return !matchesWords(words, query.not);
  if ("and" in query)
    return query.and.every((part) => matchesWords(words, part));
  if ("or" in query) return query.or.some((part) => matchesWords(words, part));
  return spans(words, query).length > 0;
}

/** Positions of the first and the last word. */
type Span = readonly [first: number, last: number];

function spans(words: readonly string[], query: WordQuery): readonly Span[] {
  if ("word" in query)
    return words.flatMap((word, place) =>
      (query.isPrefix ? word.startsWith(query.word) : word === query.word)
        ? [[place, place] as const]
        : [],
    );
  if ("or" in query) return query.or.flatMap((part) => [...spans(words, part)]);
  if (!("phrase" in query)) return [];
  const [before, after] = query.phrase;
  const firstsByLast = new Map<number, number[]>();
  for (const [first, last] of spans(words, before))
    firstsByLast.set(last, [...(firstsByLast.get(last) ?? []), first]);
  return spans(words, after).flatMap(([first, last]) =>
    (firstsByLast.get(first - query.distance) ?? []).map(
      (beginning) => [beginning, last] as const,
    ),
  );
}
