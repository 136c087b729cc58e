// A predicate and its errors, in the operator's language.

import { germanPredicateWords } from "../../../../server/core/predicate/predicate-words-german.ts";
import {
  englishPredicateWords,
  predicateInWords,
} from "../../../../server/core/predicate/predicate-words.ts";
import {
  englishProblemWords,
  germanProblemWords,
  predicateFaultText,
  type PredicateProblem,
} from "../../../../server/core/predicate/predicate-problem.ts";
import { parsePredicate } from "../../../../server/core/predicate/predicate.ts";
import { formats, language } from "../../../locales/language.ts";
import { timeFromText, timeToText } from "./fields.ts";

const isGerman = language.toLowerCase().split("-")[0] === "de";
const predicateWords = isGerman ? germanPredicateWords : englishPredicateWords;

/** A time of day in this language's clock format; with seconds where there are any. */
export function timeText(timeMs: number): string {
  const text = timeToText(timeMs);
  return text.length === 5
    ? formats.timeOfDay(timeFromText(text) ?? timeMs)
    : text;
}

/** The same sentences are rendered again and again: every lane, and every row of reasons. */
const cache = new Map<string, string>();
const maxCached = 2000;

/** Empty where it cannot be parsed. */
export function inWords(text: string, zone: string): string {
  const key = `${zone}\n${text}`;
  const before = cache.get(key);
  if (before !== undefined) return before;
  const words = predicateText(text, zone);
  if (cache.size >= maxCached) cache.clear();
  cache.set(key, words);
  return words;
}

function predicateText(text: string, zone: string): string {
  const { predicate } = parsePredicate(text);
  if (!predicate) return "";
  return predicateInWords(predicate.tree, {
    ...{ zone, year: new Date().getFullYear() },
    words: { ...predicateWords, clock: formats.timeOfDay },
  });
}

export function sentenceOf({ fault }: PredicateProblem): string {
  return predicateFaultText(
    fault,
    isGerman ? germanProblemWords : englishProblemWords,
  );
}
