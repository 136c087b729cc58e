// Text cursor for parsers of the query language: characters, names, quoted texts, error positions.

import type { JsonStep } from "../../../platform/text/json-compare.ts";
import { limits } from "./request-limits.ts";
import { badSyntax } from "../../http/v4-errors.ts";

/** A column and a path within its JSON. */
export interface FieldPath {
  readonly column: string;
  readonly json: readonly JsonStep[];
  /** The last arrow was `->>`: yields a text, not JSON. */
  readonly isText: boolean;
}

export interface Cursor {
  readonly text: string;
  place(): number;
  goTo(place: number): void;
  isAtEnd(): boolean;
  peek(): string;
  /** Consumes it if it is next. */
  take(expected: string): boolean;
  expect(expected: string): void;
  match(pattern: RegExp): string | null;
  skipBlanks(): void;
  fail(expecting: string): never;
}

/** `what` names the text in errors: filter, select parameter, order … */
export function readText(what: string, text: string): Cursor {
  let at = 0;
  const cursor: Cursor = {
    text,
    place: () => at,
    goTo: (place) => {
      at = place;
    },
    isAtEnd: () => at >= text.length,
    peek: () => text[at] ?? "",
    take: (expected) => {
      if (!text.startsWith(expected, at)) return false;
      at += expected.length;
      return true;
    },
    expect: (expected) => {
      if (!cursor.take(expected)) cursor.fail(`"${expected}"`);
    },
    match: (pattern) => {
      const sticky = new RegExp(pattern.source, "uy");
      sticky.lastIndex = at;
      const found = sticky.exec(text)?.[0] ?? null;
      if (found !== null) at += found.length;
      return found;
    },
    skipBlanks: () => {
      while (text[at] === " " || text[at] === "\t") at += 1;
    },
    fail: (expecting) => {
      const found =
        at < text.length
          ? `"${String.fromCodePoint(text.codePointAt(at) ?? 0)}"`
          : "end of input";
      throw badSyntax(
        what,
        text,
        at + 1,
        `unexpected ${found} expecting ${expecting}`,
      );
    },
  };
  return cursor;
}

/** Text in quotes, in which a backslash escapes the next character. */
export function readQuoted(cursor: Cursor): string | null {
  if (!cursor.take('"')) return null;
  const inside = cursor.match(/(?:[^"\\]|\\[^])*/) ?? "";
  cursor.expect('"');
  return inside.replace(/\\([^])/gu, "$1");
}

/** Letters, digits, `_`, `$`, inner spaces, and single dashes that do not begin an arrow. */
const namePattern = /[\p{L}\p{N}_$ ]+(?:-(?!>)[\p{L}\p{N}_$ ]+)*/u;
/** A key in JSON may contain any characters except the syntax around it. */
const keyPattern = /[^(\-:.,>)]+(?:-(?!>)[^(\-:.,>)]+)*/u;
/** A number followed by anything else is a key. */
const indexPattern = /-?\d+(?=\s*(?:->|::|[.,)]|$))/y;

export function readName(cursor: Cursor): string {
  const quoted = readQuoted(cursor);
  if (quoted !== null) return quoted;
  const name = cursor.match(namePattern)?.trim();
  return name ? name : cursor.fail("field name (* or [a..z0..9_$])");
}

/** A name and the arrows after it: `metadata->a->0->>b`. */
export function readFieldPath(cursor: Cursor): FieldPath {
  return { column: readName(cursor), ...readArrows(cursor) };
}

export function readArrows(cursor: Cursor): Omit<FieldPath, "column"> {
  const json: JsonStep[] = [];
  let isText = false;
  while (cursor.peek() === "-") {
    if (isText)
      throw badSyntax(
        "json path",
        cursor.text,
        cursor.place() + 1,
        'nothing can follow "->>"',
      );
    if (cursor.take("->>")) isText = true;
    else cursor.expect("->");
    json.push(readStep(cursor));
    if (json.length > limits.pathSteps) cursor.fail("a shorter path");
  }
  return { json, isText };
}

function readStep(cursor: Cursor): JsonStep {
  const quoted = readQuoted(cursor);
  if (quoted !== null) return quoted;
  const start = cursor.place();
  const index = cursor.match(indexPattern);
  if (index !== null && Math.abs(Number(index)) < 2 ** 31) return Number(index);
  cursor.goTo(start);
  const key = cursor.match(keyPattern)?.trim();
  return key
    ? key
    : cursor.fail("any non reserved character different from: .,>()");
}
