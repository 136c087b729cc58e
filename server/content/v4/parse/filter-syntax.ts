// Parser of the filter syntax: `not.eq.x`, `in.(a,b)`, `like(any).{a*,b*}`, and trees of and/or.

import {
  readFieldPath,
  readQuoted,
  readText,
  type Cursor,
  type FieldPath,
} from "./cursor.ts";
import { limits } from "./request-limits.ts";
import { tooComplex } from "../../http/v4-errors.ts";

export const comparisons = ["eq", "neq", "gt", "gte", "lt", "lte"] as const;
const patterns = ["like", "ilike", "match", "imatch"] as const;
export const fullTexts = ["fts", "plfts", "phfts", "wfts"] as const;
const containments = ["cs", "cd", "ov"] as const;
const ranges = ["sl", "sr", "nxr", "nxl", "adj"] as const;
const operators = [
  ...comparisons,
  ...patterns,
  "in",
  "is",
  "isdistinct",
  ...fullTexts,
  ...containments,
  ...ranges,
] as const;

export type Operator = (typeof operators)[number];

const isWords = ["null", "not_null", "true", "false", "unknown"] as const;
export type IsWord = (typeof isWords)[number];

/** A condition on a field, as it was written. */
export interface Question {
  readonly operator: Operator;
  readonly isNegated: boolean;
  readonly quantifier: "any" | "all" | null;
  /** Of full-text operators: the configuration in parentheses. */
  readonly language: string | null;
  readonly value: string;
  /** Of `in`, and of any and all; null stands for NULL. */
  readonly list: readonly (string | null)[];
}

export interface Filter extends Question {
  readonly kind: "filter";
  readonly field: FieldPath;
}

export interface LogicGroup {
  readonly kind: "and" | "or";
  readonly isNegated: boolean;
  readonly members: readonly Logic[];
}

export type Logic = Filter | LogicGroup;

const quantified = new Set<Operator>([
  "eq",
  "gt",
  "gte",
  "lt",
  "lte",
  ...patterns,
]);

/** The whole value of a parameter: everything after the dot is the operand. */
export function parseQuestion(text: string): Question {
  const cursor = readText("filter", text);
  return readQuestion(cursor, () => {
    const rest = text.slice(cursor.place());
    cursor.goTo(text.length);
    return rest;
  });
}

function readQuestion(cursor: Cursor, readValue: () => string): Question {
  const isNegated = cursor.take("not.");
  const expected = `${isNegated ? "" : '"not" or '}operator (eq, gt, ...)`;
  const start = cursor.place();
  const word = cursor.match(/[a-z]+/);
  const operator = operators.find((known) => known === word);
  if (!operator) {
    cursor.goTo(start);
    return cursor.fail(expected);
  }
  const modifier = readModifier(cursor, operator);
  cursor.expect(".");
  const question = { operator, isNegated, quantifier: null, language: null };
  if (operator === "in")
    return { ...question, value: "", list: readList(cursor) };
  const value = readValue();
  if (operator === "is") {
    const known = isWords.find((each) => each === value.toLowerCase());
    if (!known) {
      cursor.goTo(cursor.place() - value.length);
      return cursor.fail(isWords.join(", "));
    }
    return { ...question, value: known, list: [] };
  }
  if (modifier === "any" || modifier === "all")
    return {
      ...question,
      quantifier: modifier,
      value,
      list: parseArray(cursor, value),
    };
  return { ...question, language: modifier, value, list: [] };
}

function readModifier(cursor: Cursor, operator: Operator): string | null {
  if (cursor.peek() !== "(") return null;
  const isFullText = fullTexts.some((each) => each === operator);
  if (!isFullText && !quantified.has(operator)) return cursor.fail('"."');
  cursor.expect("(");
  const word = cursor.match(isFullText ? /[\w-]+/y : /any|all/y);
  if (word === null) return cursor.fail(isFullText ? "a language" : "any, all");
  cursor.expect(")");
  return word;
}

/** `(a,b,"c,d")`; empty or blank parentheses contain no item. */
function readList(cursor: Cursor): readonly string[] {
  cursor.expect("(");
  const items: string[] = [];
  if (cursor.match(/\s*\)/y) !== null) return items;
  for (;;) {
    items.push(readListItem(cursor));
    if (items.length > limits.listItems)
      throw tooComplex(`A list may have at most ${limits.listItems} values.`);
    if (!cursor.take(",")) break;
  }
  cursor.expect(")");
  return items;
}

function readListItem(cursor: Cursor): string {
  const start = cursor.place();
  if (cursor.peek() === '"' && cursor.match(/"(?:[^"\\]|\\[^])*"(?=[,)])/)) {
    cursor.goTo(start);
    return readQuoted(cursor) ?? "";
  }
  return cursor.match(/[^,)]*/) ?? "";
}

/** PostgreSQL's array literal: `{a,"b,c",NULL}`. */
function parseArray(outer: Cursor, text: string): readonly (string | null)[] {
  const cursor = readText("array", text);
  const items: (string | null)[] = [];
  cursor.skipBlanks();
  cursor.expect("{");
  cursor.skipBlanks();
  if (!cursor.take("}")) {
    for (;;) {
      cursor.skipBlanks();
      items.push(readArrayItem(cursor));
      if (items.length > limits.listItems)
        throw tooComplex(`A list may have at most ${limits.listItems} values.`);
      cursor.skipBlanks();
      if (!cursor.take(",")) break;
    }
    cursor.expect("}");
  }
  cursor.skipBlanks();
  if (!cursor.isAtEnd()) outer.fail("end of the array");
  return items;
}

function readArrayItem(cursor: Cursor): string | null {
  const quoted = readQuoted(cursor);
  if (quoted !== null) return quoted;
  const plain = cursor.match(/(?:[^,{}"\\]|\\[^])+/)?.trim();
  if (!plain) return cursor.fail("a value");
  return plain.toUpperCase() === "NULL"
    ? null
    : plain.replace(/\\([^])/gu, "$1");
}

/** The value of `and`, `or`, `not.and` and `not.or`. */
export function parseLogic(
  kind: "and" | "or",
  isNegated: boolean,
  text: string,
): LogicGroup {
  const cursor = readText("logic tree", text);
  const members = readMembers(cursor, 1);
  cursor.skipBlanks();
  if (!cursor.isAtEnd()) cursor.fail("end of input");
  return { kind, isNegated, members };
}

function readMembers(cursor: Cursor, depth: number): readonly Logic[] {
  if (depth > limits.logicDepth)
    throw tooComplex(
      `and/or may be nested at most ${limits.logicDepth} levels deep.`,
    );
  cursor.skipBlanks();
  cursor.expect("(");
  const members: Logic[] = [];
  for (;;) {
    cursor.skipBlanks();
    members.push(readMember(cursor, depth));
    cursor.skipBlanks();
    if (!cursor.take(",")) break;
  }
  cursor.expect(")");
  return members;
}

function readMember(cursor: Cursor, depth: number): Logic {
  const start = cursor.place();
  const isNegated = cursor.take("not.");
  for (const kind of ["and", "or"] as const) {
    if (cursor.match(new RegExp(`${kind}(?=\\s*\\()`)) !== null)
      return { kind, isNegated, members: readMembers(cursor, depth + 1) };
  }
  cursor.goTo(start);
  const field = readFieldPath(cursor);
  cursor.expect(".");
  return {
    kind: "filter",
    field,
    ...readQuestion(cursor, () => readMemberValue(cursor)),
  };
}

/** In quotes, in braces, or up to the next comma or parenthesis. */
function readMemberValue(cursor: Cursor): string {
  const start = cursor.place();
  if (cursor.match(/"(?:[^"\\]|\\[^])*"(?=\s*[,)])/) !== null) {
    cursor.goTo(start);
    return readQuoted(cursor) ?? "";
  }
  if (cursor.peek() === "{") {
    const array = cursor.match(/\{(?:[^{}"]|"(?:[^"\\]|\\[^])*")*\}/);
    if (array !== null) return array;
  }
  return cursor.match(/[^,)]*/) ?? "";
}

export function conditionsIn(logic: Logic): number {
  return logic.kind === "filter"
    ? 1
    : logic.members.reduce((sum, member) => sum + conditionsIn(member), 0);
}
