// Parses full-text queries: four syntaxes, one meaning, without stemming (V4-19).

import { wordsOf, type WordQuery } from "../../../platform/text/word-match.ts";
import { readText, type Cursor } from "../parse/cursor.ts";
import { limits } from "../parse/request-limits.ts";
import { refusedValue, tooComplex } from "../../http/v4-errors.ts";

export type WordSyntax = "fts" | "plfts" | "phfts" | "wfts";

/** Null when it contains no word: nothing matches it. */
export function parseWords(syntax: WordSyntax, text: string): WordQuery | null {
  if (text.length > limits.patternLength)
    throw tooComplex(
      `A search may have at most ${limits.patternLength} characters.`,
    );
  switch (syntax) {
    case "plfts":
      return both(wordsOf(text).map(exactly));
    case "phfts":
      return phrase(wordsOf(text));
    case "wfts":
      return webSearch(text);
    case "fts":
      return readExpression(text);
  }
}

const exactly = (word: string): WordQuery => ({ word, isPrefix: false });

function both(parts: readonly WordQuery[]): WordQuery | null {
  return parts.reduce<WordQuery | null>(
    (all, part) => (all === null ? part : { and: [all, part] }),
    null,
  );
}

function phrase(words: readonly string[], isPrefix = false): WordQuery | null {
  return words.reduce<WordQuery | null>(
    (all, word) =>
      all === null
        ? { word, isPrefix }
        : { phrase: [all, { word, isPrefix }], distance: 1 },
    null,
  );
}

/** Words, "phrases", or, and a dash for not. */
function webSearch(text: string): WordQuery | null {
  const branches: WordQuery[][] = [[]];
  for (const [part, dash, quoted, plain] of text.matchAll(
    /(-?)(?:"([^"]*)"?|([^\s"]+))/g,
  )) {
    if (part.toLowerCase() === "or") {
      branches.push([]);
      continue;
    }
    const found = phrase(wordsOf(quoted ?? plain ?? ""));
    if (found) branches.at(-1)?.push(dash ? { not: found } : found);
  }
  return branches
    .map(both)
    .filter((branch) => branch !== null)
    .reduce<WordQuery | null>(
      (all, branch) => (all === null ? branch : { or: [all, branch] }),
      null,
    );
}

/** `a & (b | !c) <-> d:*`: not binds tightest, then followed by, and, or. */
function readExpression(text: string): WordQuery | null {
  const cursor = readText("full text", text);
  cursor.match(/\s*/);
  if (cursor.isAtEnd()) return null;
  const query = readOr(cursor, 0);
  if (!cursor.isAtEnd()) throw bad(text);
  return query;
}

function readOr(cursor: Cursor, depth: number): WordQuery | null {
  if (depth > limits.logicDepth)
    throw tooComplex("The search is nested too deeply.");
  let query = readAnd(cursor, depth);
  while (cursor.match(/\s*\|\s*/y) !== null)
    query = pairOf(query, readAnd(cursor, depth), (a, b) => ({ or: [a, b] }));
  return query;
}

function readAnd(cursor: Cursor, depth: number): WordQuery | null {
  let query = readFollowed(cursor, depth);
  while (cursor.match(/\s*&\s*/y) !== null)
    query = pairOf(query, readFollowed(cursor, depth), (a, b) => ({
      and: [a, b],
    }));
  return query;
}

function readFollowed(cursor: Cursor, depth: number): WordQuery | null {
  let query = readNot(cursor, depth);
  for (;;) {
    const arrow = cursor.match(/\s*<(?:-|\d{1,4})>\s*/y);
    if (arrow === null) return query;
    const distance = Number(/\d+/.exec(arrow)?.[0] ?? 1);
    const second = readNot(cursor, depth);
    for (const part of [query, second]) refuseInPhrase(part);
    query = pairOf(query, second, (a, b) => ({ phrase: [a, b], distance }));
  }
}

function readNot(cursor: Cursor, depth: number): WordQuery | null {
  cursor.match(/\s*/);
  if (cursor.take("!")) {
    const query = readNot(cursor, depth + 1);
    return query && { not: query };
  }
  if (cursor.take("(")) {
    const query = readOr(cursor, depth + 1);
    cursor.match(/\s*/);
    if (!cursor.take(")")) throw bad(cursor.text);
    cursor.match(/\s*/);
    return query;
  }
  const match = cursor.match(/'(?:[^']|'')*'|[^\s&|!()<>:']+/);
  if (match === null) throw bad(cursor.text);
  const isPrefix = (cursor.match(/:[*A-Da-d]+/) ?? "").includes("*");
  const query = phrase(wordsOf(match), isPrefix);
  cursor.match(/\s*(?=$|[&|)<])/y);
  return query;
}

/** The position of "not a" or "a and b" within a phrase is undefined. */
function refuseInPhrase(query: WordQuery | null): void {
  if (query !== null && ("not" in query || "and" in query))
    throw refusedValue(
      "0A000",
      "Only words and alternatives can follow each other",
    );
}

/** An operand without words is dropped. */
function pairOf(
  first: WordQuery | null,
  second: WordQuery | null,
  make: (first: WordQuery, second: WordQuery) => WordQuery,
): WordQuery | null {
  return first && second ? make(first, second) : (first ?? second);
}

function bad(text: string): Error {
  return refusedValue(
    "42601",
    `syntax error in tsquery: "${text.slice(0, 200)}"`,
  );
}

/** The configurations PostgreSQL ships with; all of them are handled without stemming. */
const configurations = new Set(
  (
    "simple arabic armenian basque catalan danish dutch english finnish french german greek hindi hungarian " +
    "indonesian irish italian lithuanian nepali norwegian portuguese romanian russian serbian spanish swedish tamil " +
    "turkish yiddish"
  ).split(" "),
);

export function checkLanguage(language: string | null): void {
  if (language !== null && !configurations.has(language))
    throw refusedValue(
      "42704",
      `text search configuration "${language}" does not exist`,
    );
}
