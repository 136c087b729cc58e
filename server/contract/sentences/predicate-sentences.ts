// What is wrong with a schedule rule: core's sentences as templates (V2-850).

import {
  englishExpected,
  englishProblemWords,
  englishSlips,
} from "../../core/predicate/predicate-problem.ts";

const words = englishProblemWords;

/** By the message in the manager's catalogue; a name in braces stands for a detail. The first that fits counts. */
export const predicateSentences: Readonly<Record<string, string>> = {
  empty: words.empty("{start}"),
  tooLong: words.tooLong("{limit}"),
  tooDeep: words.tooDeep("{limit}"),
  ...Object.fromEntries(
    Object.entries(englishSlips).map(([slip, text]) => [`slips.${slip}`, text]),
  ),
  notBehindVariable: words.notBehindVariable,
  incomplete: words.incomplete("{expected}"),
  unexpected: words.unexpected("{found}", "{expected}"),
  runsOn: words.runsOn("{found}", "{previous}"),
  tooLarge: words.tooLarge("{found}"),
  meaningless: words.meaningless("{found}"),
};

/** In the place of `{start}` and `{expected}`. */
export const predicateExpectations = englishExpected;
