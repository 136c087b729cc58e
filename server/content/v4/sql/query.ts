// Composes SQL from a plan for a dialect: the database builds each row as one JSON text.

import { plainAddress, shownAddress } from "../../files/address-columns.ts";
import type { Column } from "../../catalogue.ts";
import { limits } from "../parse/request-limits.ts";
import type { Dialect, Member } from "./dialect.ts";
import type {
  Comparison,
  Condition,
  Embedding,
  Expression,
  Level,
  OrderBy,
  Output,
} from "../plan/plan.ts";
import {
  allOf,
  anyOf,
  joined,
  literal,
  named,
  sql,
  trusted,
  type Sql,
} from "../../sql.ts";
import type { Value } from "../plan/values.ts";
import { markedMoment } from "./zone.ts";

export interface Composer {
  /** One result per row: `body`, its JSON; `row_key`, its key. */
  rows(level: Level): Sql;
  /** The same, and in each row `total`, as `count` has it. */
  rowsWithTotal(level: Level): Sql;
  /** The same of the rows that this insert returns; they are not in their table yet while it runs. `noted` is written as well. */
  inserted(level: Level, insert: Sql, noted: Sql): Sql;
  /** One row: `total`. */
  count(level: Level): Sql;
  /** The condition that selects rows of the level's table, without order and window. */
  where(level: Level): Sql;
  condition(condition: Condition): Sql;
}

type ValueOutput = Extract<Output, { kind: "value" }>;

export function createComposer(dialect: Dialect): Composer {
  /** Plans share the outputs of whole tables, so that their SQL is composed once. */
  const cache = new WeakMap<ValueOutput, Member>();

  function rows(level: Level): Sql {
    return isCount(level)
      ? sql`SELECT ${dialect.object(members(level))} AS body, NULL AS row_key${windowOf(level)}`
      : rowsWith(level, trusted(""));
  }

  function rowsWithTotal(level: Level): Sql {
    return rowsWith(level, sql`, (${count(level)}) AS total`);
  }

  function inserted(level: Level, insert: Sql, noted: Sql): Sql {
    const table = { ...level.table, name: "inserted" };
    return sql`WITH inserted AS (${insert}), noted AS (${noted}) ${rows({ ...level, table })}`;
  }

  function rowsWith(level: Level, others: Sql): Sql {
    const { table, alias } = level;
    const body = asText(dialect.object(members(level)));
    const shown = sql`${body} AS body, ${column(alias, table.key)} AS row_key${others}`;
    // Without an order, and from the first row on, there is nothing to skip.
    if (level.order.length === 0 && level.window.offset === 0)
      return sql`SELECT ${shown}
        FROM ${source(level)} WHERE ${where(level)} ORDER BY ${orderOf(level)}${windowOf(level)}`;
    return sql`SELECT ${shown}
      FROM ${chosen(level)} JOIN ${source(level)} ON ${column(alias, table.key)} = ${column("chosen", "row_key")}
      ORDER BY ${chosenOrder(level)}`;
  }

  /** Selects and orders rows before building their JSON, which is never built for the others. */
  function chosen(level: Level): Sql {
    const { table, alias } = level;
    const terms = level.order.map(
      (term, at) => sql`${termOf(term)} AS ${named(`o${at}`)}`,
    );
    return sql`(SELECT ${joined([sql`${column(alias, table.key)} AS row_key`, ...terms], ", ")}
      FROM ${source(level)} WHERE ${where(level)} ORDER BY ${orderOf(level)}${windowOf(level)}) AS chosen`;
  }

  function chosenOrder(level: Level): Sql {
    const terms = level.order.map((term, at) =>
      directed(column("chosen", `o${at}`), term),
    );
    return joined([...terms, column("chosen", "row_key")], ", ");
  }

  function asText(json: Sql): Sql {
    return dialect.kind === "postgres" ? sql`${json}::text` : json;
  }

  function source({ table, alias }: Level): Sql {
    const rows =
      table.readAs === null
        ? named(table.name)
        : sql`(${trusted(table.readAs)})`;
    return sql`${rows} AS ${named(alias)}`;
  }

  function where(level: Level): Sql {
    const inTime = dialect.inTime(level.alias);
    return allOf([
      ...(inTime ? [inTime] : []),
      sql`${column(level.alias, level.table.teamColumn)} = ${level.team}`,
      ...level.conditions.map(condition),
      ...(level.keys
        ? [dialect.keysOneOf(column(level.alias, level.table.key), level.keys)]
        : []),
    ]);
  }

  function count(level: Level): Sql {
    return sql`SELECT count(*) AS total FROM ${source(level)} WHERE ${where(level)}`;
  }

  function members(level: Level): readonly Member[] {
    return level.outputs.flatMap((output) => membersOf(level, output));
  }

  function membersOf(level: Level, output: Output): readonly Member[] {
    switch (output.kind) {
      case "value":
        return [
          level.zone !== null && output.expression.type === "moment"
            ? momentMember(output)
            : valueMember(output),
        ];
      case "count":
        return [
          { name: output.name, value: sql`(${count(level)})`, isJson: false },
        ];
      case "embedding":
        return output.embedding.isSpread
          ? spreadMembers(output.embedding)
          : [
              {
                name: output.embedding.name,
                value: dialect.nested(embedded(output.embedding)),
                isJson: true,
              },
            ];
    }
  }

  function valueMember(output: ValueOutput): Member {
    const cached = cache.get(output);
    if (cached) return cached;
    const member: Member = {
      name: output.name,
      value: shownValue(output),
      isJson: isShownAsJson(output),
    };
    cache.set(output, member);
    return member;
  }

  function momentMember({ name, expression, cast }: ValueOutput): Member {
    const value = markedMoment(read(expression), cast);
    return { name, value, isJson: false };
  }

  function embedded(embedding: Embedding): Sql {
    return related(embedding, dialect.object(relatedMembers(embedding)), true);
  }

  /** Columns of the one related row among those of this level; of many rows, as lists. */
  function spreadMembers(embedding: Embedding): readonly Member[] {
    const { isToOne } = embedding;
    return relatedMembers(embedding).map(({ name, value, isJson }) => {
      const all = related(embedding, value, isJson);
      const isJsonNow = isJson || !isToOne;
      return {
        name,
        value: isJsonNow ? dialect.nested(all) : all,
        isJson: isJsonNow,
      };
    });
  }

  function relatedMembers({ level, join }: Embedding): readonly Member[] {
    const [output] = level.outputs;
    if (output?.kind !== "count") return members(level);
    const of = joinedLevel(level, join);
    const total = sql`(SELECT count(*) FROM ${of.from} WHERE ${of.where})`;
    return [{ name: output.name, value: total, isJson: false }];
  }

  /** This value of the one related row, or of all of them as a list; a count is a single row. */
  function related(
    { level, join, isToOne }: Embedding,
    value: Sql,
    isJson: boolean,
  ): Sql {
    const of = joinedLevel(level, join);
    if (isToOne)
      return isCount(level)
        ? value
        : sql`(SELECT ${value} FROM ${of.from} WHERE ${of.where} LIMIT 1)`;
    const rows = isCount(level)
      ? sql`SELECT ${value} AS body`
      : sql`SELECT ${value} AS body FROM ${of.from} WHERE ${of.where} ORDER BY ${orderOf(level)}`;
    return dialect.arrayOf(sql`${rows}${windowOf(level)}`, isJson);
  }

  function joinedLevel(
    level: Level,
    { pairs, through }: Embedding["join"],
  ): { readonly from: Sql; readonly where: Sql } {
    const equal = (alias: string, all: typeof pairs): readonly Sql[] =>
      all.map(
        ({ column: ours, equals }) =>
          sql`${column(alias, ours)} = ${column(equals.alias, equals.column)}`,
      );
    if (through === null)
      return {
        from: source(level),
        where: allOf([...equal(level.alias, pairs), where(level)]),
      };
    return {
      from: sql`${named(through.table)} AS ${named(through.alias)} JOIN ${source(level)} ON ${allOf(equal(level.alias, pairs))}`,
      where: allOf([
        ...equal(through.alias, through.pairs),
        sql`${column(through.alias, through.teamColumn)} = ${level.team}`,
        where(level),
      ]),
    };
  }

  function orderOf(level: Level): Sql {
    const terms = level.order.flatMap((term) =>
      keysOf(term).map((key) => directed(key, term)),
    );
    return joined([...terms, column(level.alias, level.table.key)], ", ");
  }

  function keysOf(term: OrderBy): readonly Sql[] {
    const { table, column, path } = term.expression;
    const isIndexed =
      (table === "assets" || table === "asset_groups") &&
      column.name === "title" &&
      path.length === 0 &&
      term.through === null;
    return isIndexed ? dialect.byTitle(termOf(term)) : [termOf(term)];
  }

  function termOf({ expression, through }: OrderBy): Sql {
    const value = sortable(expression);
    if (through === null) return value;
    const of = joinedLevel(through.level, through.join);
    return sql`(SELECT ${value} FROM ${of.from} WHERE ${of.where} LIMIT 1)`;
  }

  function sortable(expression: Expression): Sql {
    const value = read(expression);
    return expression.type === "json" ? dialect.comparable(value) : value;
  }

  function condition(of: Condition): Sql {
    switch (of.kind) {
      case "and":
        return allOf(of.members.map(condition));
      case "or":
        return anyOf(of.members.map(condition));
      case "not":
        return sql`NOT (${condition(of.condition)})`;
      case "exists": {
        const { level, join, isToOne } = of.embedding;
        // A count of rows exists even where there are no rows (V4-49).
        if (isCount(level)) return sql`EXISTS (SELECT 1${windowOf(level)})`;
        const inner = joinedLevel(level, join);
        const window = isToOne ? trusted("") : windowOf(level);
        return sql`EXISTS (SELECT 1 FROM ${inner.from} WHERE ${inner.where}${window})`;
      }
      case "in":
        return of.values.length === 0
          ? trusted("FALSE")
          : dialect.oneOf(comparable(of.expression, of.values), of.values);
      case "is":
        return sql`(${read(of.expression)} ${trusted(isWords[of.word])})`;
      case "compare":
        return compared(of.expression, of.operator, of.value);
      case "like":
        return of.pattern === null
          ? trusted("NULL")
          : sql`(${dialect.like(read(of.expression), of.pattern, of.isCaseIgnored)})`;
      case "match":
        return of.pattern === null
          ? trusted("NULL")
          : sql`(${dialect.matches(read(of.expression), of.pattern)})`;
      case "words":
        return of.query === null
          ? noneOf(read(of.expression))
          : sql`(${dialect.hasWords(read(of.expression), of.query, of.expression.type === "json")})`;
      case "contains": {
        const stored = read(of.expression);
        const value = dialect.stored(of.value);
        return of.isContained
          ? dialect.contains(value, stored)
          : dialect.contains(stored, value);
      }
    }
  }

  /** False, but NULL when the value is NULL. */
  function noneOf(value: Sql): Sql {
    return sql`(CASE WHEN ${value} IS NOT NULL THEN FALSE END)`;
  }

  function compared(
    expression: Expression,
    operator: Comparison | "is distinct from",
    value: Value | null,
  ): Sql {
    if (value === null) return trusted("NULL");
    const left =
      operator === "=" ? comparable(expression, [value]) : sortable(expression);
    const right = dialect.value(value);
    return operator === "is distinct from"
      ? sql`(${dialect.isDistinct(left, right)})`
      : sql`(${left} ${trusted(operator)} ${right})`;
  }

  /** For equality with values that none of the blank ones is shown as, the column itself, which may have an index. */
  function comparable(expression: Expression, values: readonly Value[]): Sql {
    const { alias, column: of, path } = expression;
    const isShown = ({ value }: Value): boolean =>
      value !== "" && !of.blank.some((blank) => blank === value);
    return of.blank.length > 0 && path.length === 0 && values.every(isShown)
      ? column(alias, of.name)
      : sortable(expression);
  }

  /** The stored value, as this version shows it. */
  function read({ alias, base, column: of, path, type }: Expression): Sql {
    const stored = storedColumn(alias, of);
    if (path.length === 0)
      return of.isAddress ? plainAddress(stored, base) : stored;
    if (of.type !== "json")
      return dialect.kind === "postgres"
        ? trusted(type === "json" ? "NULL::jsonb" : "NULL::text")
        : trusted("NULL");
    return type === "json"
      ? dialect.jsonAt(stored, path)
      : dialect.textAt(stored, path);
  }

  function storedColumn(alias: string, { name, type, blank }: Column): Sql {
    const stored = column(alias, name);
    if (type === "level") return sql`(${stored} > 0)`;
    if (blank.length === 0) return stored;
    const values = joined(blank.map(literal), ", ");
    return sql`CASE WHEN ${stored} IN (${values}) THEN '' ELSE ${stored} END`;
  }

  function shownValue({ expression, cast }: ValueOutput): Sql {
    const { alias, column: of, path, type } = expression;
    const isMadeOut =
      of.isAddress && path.length === 0 && (cast === null || cast === "text");
    const value = isMadeOut
      ? shownAddress(storedColumn(alias, of))
      : read(expression);
    if (cast !== null) {
      const shown = dialect.cast(value, valueTypes[type], cast);
      return cast === "decimal" ? dialect.shownDecimal(shown) : shown;
    }
    switch (type) {
      case "decimal":
        return dialect.shownDecimal(value);
      case "flag":
      case "level":
        return dialect.shownFlag(value);
      case "json":
        return dialect.shownJson(value);
      case "moment":
        return dialect.shownMoment(value);
      default:
        return value;
    }
  }

  return { rows, rowsWithTotal, inserted, count, where, condition };
}

function isShownAsJson({ expression: { type }, cast }: ValueOutput): boolean {
  if (cast !== null) return cast === "flag" || cast === "decimal";
  return (
    type === "flag" || type === "level" || type === "json" || type === "decimal"
  );
}

const valueTypes: Readonly<Record<Column["type"], Value["type"]>> = {
  text: "text",
  enum: "text",
  integer: "integer",
  decimal: "decimal",
  flag: "flag",
  level: "flag",
  json: "json",
  moment: "moment",
};

const isWords = {
  null: "IS NULL",
  not_null: "IS NOT NULL",
  true: "IS TRUE",
  false: "IS FALSE",
  unknown: "IS NULL",
} as const;

function column(alias: string, name: string): Sql {
  return sql`${named(alias)}.${named(name)}`;
}

/** As part of the text: PostgreSQL plans a statement with a bound limit each time it runs. Others would be too many texts. */
const usualLimits = new Set([
  ...[1, 2, 5, 10, 20, 25, 30, 50, 100, 200, 250, 500, 1000],
  limits.rowsAtOnce + 1,
]);

function windowOf({ window: { limit, offset } }: Level): Sql {
  if (limit === null && offset === 0) return trusted("");
  if (limit === null)
    // SQLite has no OFFSET without a LIMIT, and this one exceeds any number of rows.
    return sql` LIMIT ${2 ** 52} OFFSET ${offset}`;
  const most = usualLimits.has(limit) ? trusted(String(limit)) : sql`${limit}`;
  return offset === 0
    ? sql` LIMIT ${most}`
    : sql` LIMIT ${most} OFFSET ${offset}`;
}

function directed(value: Sql, { isDescending, areNullsFirst }: OrderBy): Sql {
  return sql`${value} ${trusted(isDescending ? "DESC" : "ASC")} NULLS ${trusted(areNullsFirst ? "FIRST" : "LAST")}`;
}

function isCount({ outputs }: Level): boolean {
  return outputs.some(({ kind }) => kind === "count");
}
