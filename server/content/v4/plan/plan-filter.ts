// Plans filters into conditions: resolves the field, checks the operator against its type, converts the value.

import { withoutSignature } from "../../files/address-columns.ts";
import type { Column, ColumnType, Table } from "../../catalogue.ts";
import type { FieldPath } from "../parse/cursor.ts";
import {
  comparisons,
  fullTexts,
  type Filter,
  type Logic,
  type Question,
} from "../parse/filter-syntax.ts";
import type { Clock } from "./timestamp.ts";
import { commonPattern } from "./pattern.ts";
import type { Comparison, Condition, Embedding, Expression } from "./plan.ts";
import {
  noSuchOperator,
  refusedValue,
  unknownColumn,
} from "../../http/v4-errors.ts";
import { typeNames, valueFromText, type Value } from "./values.ts";
import { checkLanguage, parseWords } from "./full-text-query.ts";

/** The position of a filter. */
export interface Place extends Clock {
  readonly table: Table;
  readonly alias: string;
  readonly base: string;
  /** Embedded resources by alias and by name; a filter on one tests whether it has any rows. */
  readonly embeddingNamed: (name: string) => Embedding | null;
}

export function planLogic(place: Place, logic: Logic): Condition {
  if (logic.kind === "filter") return planFilter(place, logic);
  const group: Condition = {
    kind: logic.kind,
    members: logic.members.map((member) => planLogic(place, member)),
  };
  return logic.isNegated ? { kind: "not", condition: group } : group;
}

function planFilter(place: Place, filter: Filter): Condition {
  const condition =
    relatedCondition(place, filter) ??
    questionCondition(expressionOf(place, filter.field), filter, place);
  return filter.isNegated ? { kind: "not", condition } : condition;
}

/** `asset_groups=is.null`: has none; `not.is.null`: has one. */
function relatedCondition(place: Place, filter: Filter): Condition | null {
  const { column, json } = filter.field;
  if (json.length > 0 || place.table.columns.has(column)) return null;
  const embedding = place.embeddingNamed(column);
  if (!embedding) return null;
  const exists: Condition = { kind: "exists", embedding };
  if (filter.operator === "is" && filter.value === "null")
    return { kind: "not", condition: exists };
  if (filter.operator === "is" && filter.value === "not_null") return exists;
  return null;
}

export function expressionOf(
  { table, alias, base }: Pick<Place, "table" | "alias" | "base">,
  field: FieldPath,
): Expression {
  const column = table.columns.get(field.column);
  if (!column?.isShown)
    throw unknownColumn(table.name, field.column.slice(0, 200));
  const type: ColumnType =
    field.json.length === 0 ? column.type : field.isText ? "text" : "json";
  return { alias, base, table: table.name, column, path: field.json, type };
}

const comparisonOf: Readonly<Record<(typeof comparisons)[number], Comparison>> =
  { eq: "=", neq: "<>", gt: ">", gte: ">=", lt: "<", lte: "<=" };

function questionCondition(
  expression: Expression,
  question: Question,
  clock: Clock,
): Condition {
  const { operator, quantifier, list } = question;
  const { name, values, otherValues } = expression.column;
  const typed: Pick<Column, "type" | "name" | "values"> = {
    type: expression.type,
    name,
    values: otherValues.length === 0 ? values : [...values, ...otherValues],
  };
  const read = (text: string): Value =>
    valueFromText(typed, comparedText(expression, text), clock);
  if (quantifier !== null)
    return {
      kind: quantifier === "any" ? "or" : "and",
      members: list.map((item) =>
        singleCondition(expression, question, item, read),
      ),
    };
  if (operator === "in")
    return {
      kind: "in",
      expression,
      values: list.map((item) => read(item ?? "")),
    };
  return singleCondition(expression, question, question.value, read);
}

/** A filter on an address from an earlier answer finds its row, however long ago it was signed (V4-231). */
function comparedText(
  { column, path, base }: Expression,
  text: string,
): string {
  return column.isAddress && path.length === 0
    ? withoutSignature(text, base)
    : text;
}

/** `text` is null for a NULL within any or all. */
function singleCondition(
  expression: Expression,
  { operator, language, value }: Question,
  text: string | null,
  read: (text: string) => Value,
): Condition {
  const comparison = comparisons.find((each) => each === operator);
  if (comparison)
    return {
      kind: "compare",
      operator: comparisonOf[comparison],
      value: text === null ? null : read(text),
      expression,
    };
  const words = fullTexts.find((each) => each === operator);
  if (words) {
    if (expression.type !== "text" && expression.type !== "json")
      throw noSuchOperator("@@", typeNames[expression.type]);
    checkLanguage(language);
    return { kind: "words", expression, query: parseWords(words, value) };
  }
  switch (operator) {
    case "isdistinct":
      return {
        kind: "compare",
        operator: "is distinct from",
        value: read(value),
        expression,
      };
    case "is":
      return isCondition(expression, value);
    case "like":
    case "ilike":
      return {
        kind: "like",
        expression: textual(expression, operator === "like" ? "~~" : "~~*"),
        pattern: text === null ? null : likePattern(text),
        isCaseIgnored: operator === "ilike",
      };
    case "match":
    case "imatch":
      return {
        kind: "match",
        expression: textual(expression, operator === "match" ? "~" : "~*"),
        pattern:
          text === null ? null : commonPattern(text, operator === "imatch"),
      };
    case "cs":
    case "cd":
      if (expression.type !== "json")
        throw noSuchOperator(
          operator === "cs" ? "@>" : "<@",
          typeNames[expression.type],
        );
      return {
        kind: "contains",
        expression,
        value: read(value),
        isContained: operator === "cd",
      };
    default:
      throw noSuchOperator(
        symbols[operator] ?? operator,
        typeNames[expression.type],
      );
  }
}

const symbols: Readonly<Record<string, string>> = {
  ov: "&&",
  sl: "<<",
  sr: ">>",
  nxr: "&<",
  nxl: "&>",
  adj: "-|-",
};

function isCondition(expression: Expression, word: string): Condition {
  const isFlag = expression.type === "flag" || expression.type === "level";
  if (!isFlag && word !== "null" && word !== "not_null")
    throw refusedValue(
      "42804",
      `argument of IS ${word.toUpperCase()} must be type boolean, not type ${typeNames[expression.type]}`,
    );
  return { kind: "is", expression, word: word as "null" };
}

function textual(expression: Expression, symbol: string): Expression {
  if (expression.type !== "text")
    throw noSuchOperator(symbol, typeNames[expression.type]);
  return expression;
}

/** `*` is an alias of `%`. */
function likePattern(text: string): string {
  const pattern = text.replaceAll("*", "%");
  const slashes = /(?<!\\)\\+$/.exec(pattern)?.[0].length ?? 0;
  if (slashes % 2 === 1)
    throw refusedValue(
      "22025",
      "LIKE pattern must not end with escape character",
    );
  return pattern;
}
