// Plans a request into the levels of a read: tables, joins, columns, conditions, order, each restricted to one team.

import type { Catalogue, Column, Table } from "../../catalogue.ts";
import type { FieldPath } from "../parse/cursor.ts";
import { limits } from "../parse/request-limits.ts";
import type { Clock } from "./timestamp.ts";
import type {
  Cast,
  Embedding,
  Expression,
  Level,
  OrderBy,
  Output,
} from "./plan.ts";
import { expressionOf, planLogic, type Place } from "./plan-filter.ts";
import { everything } from "../parse/range.ts";
import { Refusal, refusedValue, tooComplex } from "../../http/v4-errors.ts";
import { findRelation, isToOne, type Relation } from "./relations.ts";
import type { RequestV4, Target, Targeted } from "../parse/request.ts";
import {
  nameOfColumn,
  type ColumnItem,
  type EmbeddingItem,
  type OrderTerm,
  type SelectItem,
} from "../parse/select-syntax.ts";

export interface PlanContext extends Clock {
  readonly catalogue: Catalogue;
  readonly team: string;
  /** The address of this service as the client reaches it. */
  readonly base: string;
}

type RequestedRead = Pick<
  RequestV4,
  "select" | "filters" | "orders" | "windows" | "window"
>;

/** The level of the table itself; `requested` may omit parts. */
export function planRead(
  context: PlanContext,
  table: Table,
  requested: RequestedRead,
): Level {
  const aliases = { next: 0 };
  const level = planLevel({
    ...{ context, table, aliases },
    items: requested.select,
    filters: requested.filters,
    orders: requested.orders,
    windows: requested.windows,
  });
  return { ...level, window: requested.window };
}

interface LevelText {
  readonly context: PlanContext;
  readonly table: Table;
  readonly aliases: { next: number };
  readonly items: readonly SelectItem[];
  readonly filters: RequestedRead["filters"];
  readonly orders: RequestedRead["orders"];
  readonly windows: RequestedRead["windows"];
}

function planLevel(text: LevelText): Level {
  const { context, table, aliases } = text;
  const alias = `t${aliases.next}`;
  aliases.next += 1;
  const items = text.items.filter((item) => item.kind === "embedding");
  for (const part of [text.filters, text.orders, text.windows])
    refuseUnknownTargets(part, items);
  const embeddings = items.map((item) =>
    planEmbedding(text, alias, item, items),
  );
  const embeddingOf = (name: string): Embedding | null => {
    const item = itemNamed(items, name);
    return item ? (embeddings[items.indexOf(item)] ?? null) : null;
  };
  const place: Place = {
    ...{ table, alias, base: context.base },
    ...{ now: context.now, zone: context.zone },
    embeddingNamed: embeddingOf,
  };
  const outputs = outputsOf(text, place, (item) =>
    embeddings.at(items.indexOf(item)),
  );
  if (shownBy(outputs) > limits.shownMembers)
    throw tooComplex(
      `An object may have at most ${limits.shownMembers} columns.`,
    );
  return {
    ...{ table, alias, embeddings, outputs },
    ...{ team: context.team, zone: context.zone },
    conditions: [
      ...text.filters
        .filter(({ target }) => target.length === 0)
        .map(({ value }) => planLogic(place, value)),
      ...embeddings
        .filter(({ isInner }) => isInner)
        .map((embedding) => ({ kind: "exists", embedding }) as const),
    ],
    order: text.orders
      .filter(({ target }) => target.length === 0)
      .flatMap(({ value }) => value.map((term) => planTerm(place, term))),
    window:
      text.windows.find(({ target }) => target.length === 0)?.value ??
      everything,
  };
}

function outputsOf(
  { items }: LevelText,
  place: Place,
  embeddingOf: (item: EmbeddingItem) => Embedding | undefined,
): readonly Output[] {
  const count = items.find((item) => isCount(item, place.table));
  if (count) {
    if (items.some((item) => item !== count && isSeen(item)))
      throw refusedValue(
        "42803",
        `column "${place.table.name}" must appear in the GROUP BY clause or be used in an aggregate function`,
      );
    return [{ kind: "count", name: count.alias ?? "count" }];
  }
  return items.flatMap((item): readonly Output[] => {
    if (item.kind === "every") return fullTable(place);
    if (item.kind === "column") return [planColumn(place, item)];
    const embedding = embeddingOf(item);
    return embedding && isSeen(item) ? [{ kind: "embedding", embedding }] : [];
  });
}

/** An embedding without columns only restricts. */
function isSeen(item: SelectItem): boolean {
  return item.kind !== "embedding" || item.items.length > 0;
}

function shownBy(outputs: readonly Output[]): number {
  return outputs.reduce(
    (sum, output) =>
      sum +
      (output.kind === "embedding" && output.embedding.isSpread
        ? shownBy(output.embedding.level.outputs)
        : 1),
    0,
  );
}

/** The bare word count, which is no table's column (V4-13). */
function isCount(item: SelectItem, table: Table): item is ColumnItem {
  return (
    item.kind === "column" &&
    item.field.column === "count" &&
    item.field.json.length === 0 &&
    !table.columns.has("count")
  );
}

const fullTables = new WeakMap<Table, Map<string, readonly Output[]>>();

/** The same object each time, so that its SQL is composed once. */
function fullTable(place: Place): readonly Output[] {
  const { table, alias } = place;
  const byAlias = fullTables.get(table) ?? new Map<string, readonly Output[]>();
  fullTables.set(table, byAlias);
  const cached = byAlias.get(alias);
  if (cached) return cached;
  const columns = [...table.columns.values()]
    .filter(({ isShown }) => isShown)
    .map((column) => fullColumn(place, column));
  byAlias.set(alias, columns);
  return columns;
}

function fullColumn({ table, alias }: Place, column: Column): Output {
  // Displayed addresses are resolved later, whatever they begin with.
  const expression: Expression = {
    ...{ alias, base: "", table: table.name, column, path: [] },
    type: column.type,
  };
  return { kind: "value", name: column.name, expression, cast: null };
}

function planColumn(place: Place, item: ColumnItem): Output {
  const expression = expressionOf(place, item.field);
  return {
    kind: "value",
    name: nameOfColumn(item),
    expression,
    cast: item.cast === null ? null : castTo(item.cast, expression),
  };
}

const castNames: readonly (readonly [RegExp, Cast | "same"])[] = [
  [/^(text|varchar|character varying)$/, "text"],
  [/^(int|integer|int2|int4|int8|smallint|bigint)$/, "integer"],
  [/^(numeric|decimal|real|float|float4|float8|double precision)$/, "decimal"],
  [/^(bool|boolean)$/, "flag"],
  [/^date$/, "date"],
  [/^(json|jsonb|timestamptz|timestamp with time zone)$/, "same"],
];

const castable: Readonly<Record<Cast, readonly Expression["type"][]>> = {
  text: [
    "text",
    "enum",
    "integer",
    "decimal",
    "flag",
    "level",
    "json",
    "moment",
  ],
  integer: ["integer", "decimal", "flag", "level", "text"],
  decimal: ["integer", "decimal", "text"],
  flag: ["flag", "level", "integer", "text"],
  date: ["moment"],
};

function castTo(name: string, { type }: Expression): Cast | null {
  const castName = castNames.find(([pattern]) => pattern.test(name))?.[1];
  if (castName === undefined)
    throw refusedValue("42704", `type "${name.slice(0, 100)}" does not exist`);
  const isSame =
    castName === "same" &&
    (name.startsWith("json") ? type === "json" : type === "moment");
  if (isSame) return null;
  if (castName === "same" || !castable[castName].includes(type))
    throw refusedValue("42846", `cannot cast type ${type} to ${name}`);
  return castName;
}

function planTerm(place: Place, term: OrderTerm): OrderBy {
  const { isDescending, areNullsFirst } = term;
  if (term.relation === null)
    return {
      expression: expressionOf(place, term.field),
      ...{ through: null, isDescending, areNullsFirst },
    };
  const through = place.embeddingNamed(term.relation);
  if (!through) throw notEmbedded(term.relation);
  if (!through.isToOne)
    throw new Refusal(
      400,
      "PGRST118",
      `A related order on '${term.relation}' is not possible`,
      {
        details: `'${place.table.name}' and '${term.relation}' do not form a many-to-one or one-to-one relationship`,
      },
    );
  return {
    expression: expressionOf(
      { ...through.level, base: place.base },
      term.field,
    ),
    ...{ through, isDescending, areNullsFirst },
  };
}

function planEmbedding(
  text: LevelText,
  parent: string,
  item: EmbeddingItem,
  siblings: readonly EmbeddingItem[],
): Embedding {
  const { context, table, aliases } = text;
  const relation = findRelation(context.catalogue, table, item.name, item.hint);
  const inner = <T>(all: readonly Targeted<T>[]): readonly Targeted<T>[] =>
    all
      .filter(({ target }) => itemNamed(siblings, target[0] ?? "") === item)
      .map(({ target, value }) => ({ target: target.slice(1), value }));
  const level = planLevel({
    ...{ context, aliases, table: relation.to, items: item.items },
    filters: inner(text.filters),
    orders: inner(text.orders),
    windows: inner(text.windows),
  });
  if (aliases.next > limits.embeddings * 2)
    throw tooComplex("There are too many embeddings.");
  return {
    name: item.alias ?? item.name,
    level,
    join: joinOf(relation, parent, level.alias),
    isToOne: isToOne(relation),
    isInner: item.isInner,
    isSpread: item.isSpread,
  };
}

function joinOf(
  { fromColumns, toColumns, through }: Relation,
  parent: string,
  alias: string,
): Embedding["join"] {
  if (through === null)
    return {
      pairs: toColumns.map((column, at) => ({
        column,
        equals: { alias: parent, column: fromColumns[at] ?? "" },
      })),
      through: null,
    };
  const between = `${alias}l`;
  return {
    pairs: [
      { column: "id", equals: { alias: between, column: through.toColumn } },
    ],
    through: {
      table: through.table.name,
      alias: between,
      teamColumn: through.table.teamColumn,
      pairs: [
        { column: through.fromColumn, equals: { alias: parent, column: "id" } },
      ],
    },
  };
}

/** By its alias, otherwise by the table's name. */
function itemNamed(
  items: readonly EmbeddingItem[],
  name: string,
): EmbeddingItem | undefined {
  return (
    items.find((item) => (item.alias ?? item.name) === name) ??
    items.find((item) => item.name === name)
  );
}

function refuseUnknownTargets(
  all: readonly { readonly target: Target }[],
  items: readonly EmbeddingItem[],
): void {
  for (const { target } of all) {
    const [name] = target;
    if (name !== undefined && !itemNamed(items, name)) throw notEmbedded(name);
  }
}

function notEmbedded(name: string): Refusal {
  const shown = name.slice(0, 200);
  return new Refusal(
    400,
    "PGRST108",
    `'${shown}' is not an embedded resource in this request`,
    {
      hint: `Verify that '${shown}' is included in the 'select' query parameter.`,
    },
  );
}

/** One column of one table, for conditions that no client wrote. */
export function ownColumn(
  table: Table,
  alias: string,
  name: string,
): Expression {
  const field: FieldPath = { column: name, json: [], isText: false };
  return expressionOf({ table, alias, base: "" }, field);
}
