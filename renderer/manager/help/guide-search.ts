// One search over all guides and interface rules: sections that match as one types, best first, each with an excerpt.

import MiniSearch from "minisearch";
import type { Guide } from "./guide-text.ts";

export interface FoundSection {
  readonly guide: Guide;
  readonly anchor: string;
  readonly title: string;
  readonly excerpt: string;
  /** Words to highlight, in lower case. */
  readonly words: readonly string[];
}

export type GuideSearch = (query: string) => readonly FoundSection[];

/** Nobody reads further down: another word is faster. */
const maxFound = 30;
const excerptLength = 180;
/** Shorter words are too similar to each other to allow for a typing error. */
const fuzzyFrom = 5;

interface Entry {
  readonly id: number;
  readonly guideTitle: string;
  readonly title: string;
  readonly text: string;
}

export function createGuideSearch(guides: readonly Guide[]): GuideSearch {
  const sections = guides.flatMap((guide) =>
    guide.sections.map((section) => ({ guide, ...section })),
  );
  const index = new MiniSearch<Entry>({
    fields: ["title", "guideTitle", "text"],
    // `docker-compose` is found by either of its words, and `is_enabled` by both spellings.
    tokenize: (text) => text.split(/[^\p{L}\p{N}$]+/u).filter(Boolean),
    searchOptions: {
      boost: { title: 4, guideTitle: 2 },
      // The last word may still be being typed, and the others be inflected.
      prefix: true,
      fuzzy: (word) => (word.length >= fuzzyFrom ? 0.2 : false),
      combineWith: "AND",
    },
  });
  index.addAll(
    sections.map(({ guide, title, text }, id) => ({
      ...{ id, title, text, guideTitle: guide.title },
    })),
  );
  return (query) =>
    index
      .search(query)
      .flatMap(({ id, terms, score, match }) => {
        const section = sections[id as number];
        if (!section) return [];
        const { guide, anchor, title, text } = section;
        // Guides are for everybody, rules for developers.
        const rank = guide.kind === "guide" ? score * 2 : score;
        const words = terms.filter((term) => match[term] !== undefined);
        const excerpt = excerptOf(text, words);
        return [{ rank, found: { guide, anchor, title, excerpt, words } }];
      })
      .sort((one, other) => other.rank - one.rank)
      .slice(0, maxFound)
      .map(({ found }) => found);
}

/** The part of a text around the first of the words. */
export function excerptOf(text: string, words: readonly string[]): string {
  if (text.length <= excerptLength) return text;
  const small = text.toLowerCase();
  const places = words
    .map((word) => small.indexOf(word))
    .filter((place) => place >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const from = first < excerptLength / 2 ? 0 : wordStart(text, first - 60);
  const until = wordStart(text, from + excerptLength);
  const before = from === 0 ? "" : "… ";
  const after = until >= text.length ? "" : " …";
  return `${before}${text.slice(from, until).trim()}${after}`;
}

/** The beginning of the first word after that place. */
function wordStart(text: string, place: number): number {
  if (place >= text.length) return text.length;
  const blank = text.indexOf(" ", place);
  return blank < 0 ? text.length : blank + 1;
}
