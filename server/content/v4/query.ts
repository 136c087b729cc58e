// Plan × dialect → SQL: every row becomes one JSON text, put together by the database.

import type { Column } from "../catalogue.ts";
import type { Dialect, Member } from "./dialect.ts";
import type {
  Comparison,
  Condition,
  Embedding,
  Expression,
  Level,
  OrderBy,
  Output,
} from "./plan.ts";
import {
  allOf,
  anyOf,
  joined,
  literal,
  named,
  sql,
  trusted,
  type Sql,
} from "./sql.ts";
import type { Value } from "./values.ts";

/** What is shown of a column in place of what is stored: addresses that are signed when they are read. */
export type ShownColumns = Readonly<
  Record<string, (row: string, kind: Dialect["kind"]) => Sql>
>;

export interface Composer {
  /** One row per row: `body`, its JSON; `row_key`, its key. */
  rows(level: Level): Sql;
  /** One row: `total`. */
  count(level: Level): Sql;
  /** Which rows of the level's table are meant, without order and window. */
  where(level: Level): Sql;
  condition(condition: Condition): Sql;
}

type ValueOutput = Extract<Output, { kind: "value" }>;

export function createComposer(
  dialect: Dialect,
  shown: ShownColumns,
): Composer {
  /** Plans share the outputs of whole tables, so that they are composed once. */
  const known = new WeakMap<ValueOutput, Member>();

  function rows(level: Level): Sql {
    if (isCount(level))
      return sql`SELECT ${dialect.object(members(level))} AS body, NULL AS row_key`;
    const { table, alias } = level;
    const body = asText(dialect.object(members(level)));
    if (level.order.length === 0)
      return sql`SELECT ${body} AS body, ${column(alias, table.key)} AS row_key
        FROM ${source(level)} WHERE ${where(level)} ORDER BY ${orderOf(level)}${windowOf(level)}`;
    return sql`SELECT ${body} AS body, ${column(alias, table.key)} AS row_key
      FROM ${chosen(level)} JOIN ${named(table.name)} AS ${named(alias)} ON ${column(alias, table.key)} = ${column("chosen", "row_key")}
      ORDER BY ${chosenOrder(level)}`;
  }

  /** First which rows and in what order, then their JSON: that of all others is never made. */
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
    return sql`${named(table.name)} AS ${named(alias)}`;
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
        return [valueMember(output)];
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
    const found = known.get(output);
    if (found) return found;
    const { expression, name } = output;
    const member: Member = {
      name,
      value: shownValue(output),
      isJson: isShownAsJson(output),
    };
    // What is made when it is shown is made anew each time.
    if (!shown[`${expression.table}.${expression.column.name}`])
      known.set(output, member);
    return member;
  }

  function embedded({ level, join, isToOne }: Embedding): Sql {
    const of = joinedLevel(level, join);
    if (isCount(level)) {
      const total = sql`(SELECT count(*) FROM ${of.from} WHERE ${of.where})`;
      const [output] = level.outputs;
      const name = output?.kind === "count" ? output.name : "count";
      const object = dialect.object([{ name, value: total, isJson: false }]);
      return isToOne ? object : oneItem(object);
    }
    const body = dialect.object(members(level));
    if (isToOne)
      return sql`(SELECT ${body} FROM ${of.from} WHERE ${of.where} LIMIT 1)`;
    return dialect.arrayOf(
      sql`SELECT ${body} AS body FROM ${of.from} WHERE ${of.where} ORDER BY ${orderOf(level)}${windowOf(level)}`,
      true,
    );
  }

  function oneItem(object: Sql): Sql {
    return dialect.kind === "postgres"
      ? sql`json_build_array(${object})`
      : sql`json_array(${object})`;
  }

  /** Columns of the one related row among ours; of many, as lists. */
  function spreadMembers(embedding: Embedding): readonly Member[] {
    const { level, join, isToOne } = embedding;
    const of = joinedLevel(level, join);
    return members(level).map(({ name, value, isJson }) => {
      const all = isToOne
        ? sql`(SELECT ${value} FROM ${of.from} WHERE ${of.where} LIMIT 1)`
        : dialect.arrayOf(
            sql`SELECT ${value} AS body FROM ${of.from} WHERE ${of.where} ORDER BY ${orderOf(level)}${windowOf(level)}`,
            isJson,
          );
      const isJsonNow = isJson || !isToOne;
      return {
        name,
        value: isJsonNow ? dialect.nested(all) : all,
        isJson: isJsonNow,
      };
    });
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
        const inner = joinedLevel(of.embedding.level, of.embedding.join);
        return sql`EXISTS (SELECT 1 FROM ${inner.from} WHERE ${inner.where})`;
      }
      case "in":
        return of.values.length === 0
          ? trusted("FALSE")
          : dialect.oneOf(sortable(of.expression), of.values);
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

  /** False, but unknown where there is nothing to look at. */
  function noneOf(value: Sql): Sql {
    return sql`(CASE WHEN ${value} IS NOT NULL THEN FALSE END)`;
  }

  function compared(
    expression: Expression,
    operator: Comparison | "is distinct from",
    value: Value | null,
  ): Sql {
    if (value === null) return trusted("NULL");
    const left = sortable(expression);
    const right = dialect.value(value);
    return operator === "is distinct from"
      ? sql`(${dialect.isDistinct(left, right)})`
      : sql`(${left} ${trusted(operator)} ${right})`;
  }

  /** What is stored, as this version has it. */
  function read({ alias, column: of, path, type }: Expression): Sql {
    const whole = storedColumn(alias, of);
    if (path.length === 0) return whole;
    if (of.type !== "json")
      return dialect.kind === "postgres"
        ? trusted(type === "json" ? "NULL::jsonb" : "NULL::text")
        : trusted("NULL");
    return type === "json"
      ? dialect.jsonAt(whole, path)
      : dialect.textAt(whole, path);
  }

  function storedColumn(alias: string, { name, type, blank }: Column): Sql {
    const stored = column(alias, name);
    if (type === "level") return sql`(${stored} > 0)`;
    if (blank.length === 0) return stored;
    const values = joined(blank.map(literal), ", ");
    return sql`CASE WHEN ${stored} IN (${values}) THEN '' ELSE ${stored} END`;
  }

  function shownValue({ expression, cast }: ValueOutput): Sql {
    const { alias, table, column: of, path, type } = expression;
    const special =
      path.length === 0 ? shown[`${table}.${of.name}`] : undefined;
    const value = special ? special(alias, dialect.kind) : read(expression);
    if (cast !== null) return dialect.cast(value, valueTypes[type], cast);
    switch (type) {
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

  return { rows, count, where, condition };
}

function isShownAsJson({ expression: { type }, cast }: ValueOutput): boolean {
  if (cast !== null) return cast === "flag";
  return type === "flag" || type === "level" || type === "json";
}

const valueTypes: Readonly<Record<Column["type"], Value["type"]>> = {
  text: "text",
  enum: "text",
  whole: "whole",
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

function windowOf({ window: { limit, offset } }: Level): Sql {
  if (limit === null && offset === 0) return trusted("");
  if (limit === null)
    // SQLite knows no offset without a limit, and this one is beyond all rows.
    return sql` LIMIT ${2 ** 52} OFFSET ${offset}`;
  return sql` LIMIT ${limit} OFFSET ${offset}`;
}

function directed(value: Sql, { isDescending, areNullsFirst }: OrderBy): Sql {
  return sql`${value} ${trusted(isDescending ? "DESC" : "ASC")} NULLS ${trusted(areNullsFirst ? "FIRST" : "LAST")}`;
}

function isCount({ outputs }: Level): boolean {
  return outputs.some(({ kind }) => kind === "count");
}
