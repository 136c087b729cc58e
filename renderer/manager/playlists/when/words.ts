// A predicate and what is wrong with it, in the operator's language.

import { germanPredicateWords } from "../../../../server/core/predicate-words-german.ts";
import {
  englishPredicateWords,
  predicateInWords,
} from "../../../../server/core/predicate-words.ts";
import {
  englishProblemWords,
  germanProblemWords,
  sayFault,
  type PredicateProblem,
} from "../../../../server/core/predicate-problem.ts";
import { parsePredicate } from "../../../../server/core/predicate.ts";
import { language } from "../../texts/texts.ts";

const isGerman = language.toLowerCase().split("-")[0] === "de";

/** Empty where it cannot be read. */
export function inWords(text: string, zone: string): string {
  const { predicate } = parsePredicate(text);
  if (!predicate) return "";
  return predicateInWords(predicate.tree, {
    ...{ zone, year: new Date().getFullYear() },
    words: isGerman ? germanPredicateWords : englishPredicateWords,
  });
}

export function sentenceOf({ fault }: PredicateProblem): string {
  return sayFault(fault, isGerman ? germanProblemWords : englishProblemWords);
}
