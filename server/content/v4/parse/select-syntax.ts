// Parser of select and order: columns with aliases and casts, embedded resources, order terms.

import {
  readArrows,
  readFieldPath,
  readName,
  readText,
  type Cursor,
  type FieldPath,
} from "./cursor.ts";
import { limits } from "./request-limits.ts";
import { badQuery, Refusal, tooComplex } from "../../http/v4-errors.ts";

export interface ColumnItem {
  readonly kind: "column";
  readonly field: FieldPath;
  readonly alias: string | null;
  readonly cast: string | null;
}

export interface EmbeddingItem {
  readonly kind: "embedding";
  readonly name: string;
  readonly alias: string | null;
  readonly hint: string | null;
  readonly isInner: boolean;
  /** Its columns are placed among those of the enclosing level. */
  readonly isSpread: boolean;
  readonly items: readonly SelectItem[];
}

export type SelectItem =
  | ColumnItem
  | EmbeddingItem
  | { readonly kind: "every" };

export interface OrderTerm {
  /** Orders by a related row: `asset_groups(title)`. */
  readonly relation: string | null;
  readonly field: FieldPath;
  readonly isDescending: boolean;
  readonly areNullsFirst: boolean;
}

export function parseSelect(text: string): readonly SelectItem[] {
  if (text.trim() === "") return [{ kind: "every" }];
  const cursor = readText("select parameter", text);
  const budget = { embeddings: 0 };
  const items = readItems(cursor, 0, budget);
  if (!cursor.isAtEnd()) cursor.fail('"," or end of input');
  return items;
}

interface Budget {
  embeddings: number;
}

function readItems(
  cursor: Cursor,
  depth: number,
  budget: Budget,
): readonly SelectItem[] {
  const items: SelectItem[] = [];
  for (;;) {
    cursor.skipBlanks();
    items.push(readItem(cursor, depth, budget));
    if (items.length > limits.selectItems)
      throw tooComplex(
        `select may have at most ${limits.selectItems} columns.`,
      );
    cursor.skipBlanks();
    if (!cursor.take(",")) return items;
  }
}

function readItem(cursor: Cursor, depth: number, budget: Budget): SelectItem {
  if (cursor.take("*")) return { kind: "every" };
  const isSpread = cursor.take("...");
  let name = readName(cursor);
  let alias: string | null = null;
  if (cursor.peek() === ":" && !cursor.text.startsWith("::", cursor.place())) {
    cursor.expect(":");
    cursor.skipBlanks();
    alias = name;
    name = readName(cursor);
  }
  if (cursor.peek() === "(" || cursor.peek() === "!" || isSpread)
    return readEmbedding(cursor, { name, alias, isSpread, depth, budget });
  const field = { column: name, ...readArrows(cursor) };
  const cast = cursor.take("::")
    ? (cursor
        .match(/[A-Za-z_][\w ]*(?:\[\])?/)
        ?.trim()
        .toLowerCase() ?? cursor.fail("a type"))
    : null;
  refuseAggregates(cursor);
  return { kind: "column", field, alias, cast };
}

interface EmbeddingStart {
  readonly name: string;
  readonly alias: string | null;
  readonly isSpread: boolean;
  readonly depth: number;
  readonly budget: Budget;
}

function readEmbedding(
  cursor: Cursor,
  { name, alias, isSpread, depth, budget }: EmbeddingStart,
): SelectItem {
  if (name === "count" && cursor.match(/\(\)/) !== null) throw noAggregates();
  budget.embeddings += 1;
  if (depth >= limits.embeddingDepth || budget.embeddings > limits.embeddings)
    throw tooComplex(
      `Embeddings may be nested at most ${limits.embeddingDepth} levels deep, with at most ${limits.embeddings} in total.`,
    );
  let hint: string | null = null;
  let isInner = false;
  while (cursor.take("!")) {
    const word = readName(cursor);
    if (word === "inner") isInner = true;
    else if (word !== "left") hint = word;
  }
  cursor.expect("(");
  cursor.skipBlanks();
  const items =
    cursor.peek() === ")" ? [] : readItems(cursor, depth + 1, budget);
  cursor.expect(")");
  return { kind: "embedding", name, alias, hint, isInner, isSpread, items };
}

function refuseAggregates(cursor: Cursor): void {
  if (cursor.match(/\.(?:count|sum|avg|min|max)\(\)/) !== null)
    throw noAggregates();
}

function noAggregates(): Refusal {
  return new Refusal(
    400,
    "PGRST123",
    "Use of aggregate functions is not allowed",
  );
}

/** The name of an item in the answer. */
export function nameOfColumn({ field, alias }: ColumnItem): string {
  if (alias !== null) return alias;
  const key = field.json.findLast((step) => typeof step === "string");
  return key ?? field.column;
}

export function parseOrder(text: string): readonly OrderTerm[] {
  const cursor = readText("order", text);
  const terms: OrderTerm[] = [];
  for (;;) {
    cursor.skipBlanks();
    terms.push(readTerm(cursor));
    if (terms.length > limits.orderTerms)
      throw tooComplex(`order may have at most ${limits.orderTerms} terms.`);
    cursor.skipBlanks();
    if (!cursor.take(",")) break;
  }
  if (!cursor.isAtEnd()) cursor.fail('"," or end of input');
  return terms;
}

function readTerm(cursor: Cursor): OrderTerm {
  let field = readFieldPath(cursor);
  let relation: string | null = null;
  if (field.json.length === 0 && cursor.take("(")) {
    relation = field.column;
    field = readFieldPath(cursor);
    cursor.expect(")");
  }
  const direction = cursor.match(/\.(?:asc|desc)(?![a-z])/);
  const nulls = cursor.match(/\.nulls(?:first|last)/);
  const isDescending = direction === ".desc";
  if (cursor.peek() === ".") {
    cursor.goTo(cursor.place() + 1);
    cursor.fail("delimiter, asc, desc, nullsfirst, nullslast");
  }
  return {
    ...{ relation, field, isDescending },
    areNullsFirst: nulls === null ? isDescending : nulls === ".nullsfirst",
  };
}

/** `columns` and `on_conflict`: names separated by commas, quoted or not. */
export function parseNames(parameter: string, text: string): readonly string[] {
  const cursor = readText(`${parameter} parameter`, text);
  const names: string[] = [];
  for (;;) {
    cursor.skipBlanks();
    names.push(readName(cursor));
    cursor.skipBlanks();
    if (!cursor.take(",")) break;
  }
  if (!cursor.isAtEnd()) cursor.fail('"," or end of input');
  if (names.length > limits.selectItems)
    throw badQuery(`${parameter} names too many columns`, null);
  return names;
}
