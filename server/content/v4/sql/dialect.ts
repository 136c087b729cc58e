// SQL dialects: the differences between SQLite and PostgreSQL in reading and writing rows, as small functions.

import type { DatabaseKind } from "../../../platform/database/database.ts";
import {
  sortKeyOf,
  type JsonStep,
} from "../../../platform/text/json-compare.ts";
import { writeJson } from "../../../platform/text/json-text.ts";
import type { WordQuery } from "../../../platform/text/word-match.ts";
import type { Cast } from "../plan/plan.ts";
import { joined, literal, named, sql, trusted, type Sql } from "../../sql.ts";
import type { Value } from "../plan/values.ts";

export interface Dialect {
  readonly kind: DatabaseKind;
  /** A condition that is true until the statement's time limit; null where the database enforces the limit itself. */
  inTime(alias: string): Sql | null;
  /** A value of its type, for comparison with a column of that type. */
  value(value: Value): Sql;
  /** A value of its type, as it is stored. */
  stored(value: Value): Sql;
  /** A JSON column as an expression that sorts in the order of JSON values. */
  comparable(json: Sql): Sql;
  isDistinct(left: Sql, right: Sql): Sql;
  /** The order terms that sort by this title along its index. */
  byTitle(title: Sql): readonly Sql[];
  oneOf(expression: Sql, values: readonly Value[]): Sql;
  jsonAt(json: Sql, path: readonly JsonStep[]): Sql;
  textAt(json: Sql, path: readonly JsonStep[]): Sql;
  like(text: Sql, pattern: string, isCaseIgnored: boolean): Sql;
  matches(text: Sql, pattern: string): Sql;
  hasWords(text: Sql, query: WordQuery, isJson: boolean): Sql;
  contains(whole: Sql, part: Sql): Sql;
  /** As a member of a JSON object. */
  shownFlag(flag: Sql): Sql;
  shownJson(json: Sql): Sql;
  shownDecimal(decimal: Sql): Sql;
  shownMoment(moment: Sql): Sql;
  cast(expression: Sql, from: Value["type"], to: Cast): Sql;
  /** One JSON object of these members. */
  object(members: readonly Member[]): Sql;
  /** All rows of a query with a column `body`, as one JSON array. */
  arrayOf(rows: Sql, areJson: boolean): Sql;
  /** JSON that is the result of a subquery. */
  nested(json: Sql): Sql;
  /** True when the column is one of these keys, bound as one value. */
  keysOneOf(column: Sql, keys: readonly string[]): Sql;
  /** Values as rows of one column, bound as one value; null where the database has no lists, or not of such values. */
  readonly listOf: ((values: readonly (Value | null)[]) => Sql | null) | null;
}

export interface Member {
  readonly name: string;
  readonly value: Sql;
  /** Whether it is JSON, rather than a text that looks like it. */
  readonly isJson: boolean;
}

const sqlite: Dialect = {
  kind: "sqlite",
  // The clock is read at one row in 256: that adds almost nothing to a scan.
  inTime: (alias) => sql`(${named(alias)}.rowid & 255 OR in_time())`,
  value: (value) =>
    value.type === "json"
      ? sql`${sortKeyOf(value.value)}`
      : sql`${value.value}`,
  stored: (value) =>
    sql`${value.type === "json" ? writeJson(value.value) : value.value}`,
  comparable: (json) => sql`json_sort_key(${json})`,
  isDistinct: (left, right) => sql`${left} IS NOT ${right}`,
  byTitle: (title) => [title],
  oneOf: (expression, values) =>
    sql`${expression} IN (${joined(values.map(sqliteValue), ", ")})`,
  jsonAt: (json, path) => sql`json_at(${json}, ${JSON.stringify(path)})`,
  textAt: (json, path) => sql`json_text_at(${json}, ${JSON.stringify(path)})`,
  like: (text, pattern, isCaseIgnored) =>
    isCaseIgnored
      ? sql`lower_text(${text}) GLOB ${globFrom(pattern.toLowerCase())}`
      : sql`${text} GLOB ${globFrom(pattern)}`,
  matches: (text, pattern) => sql`matches_pattern(${text}, ${pattern})`,
  hasWords: (text, query, isJson) =>
    sql`matches_words(${isJson ? sql`json_strings(${text})` : text}, ${JSON.stringify(query)})`,
  contains: (whole, part) => sql`json_contains(${whole}, ${part})`,
  shownFlag: (flag) =>
    sql`CASE ${flag} WHEN 1 THEN json('true') WHEN 0 THEN json('false') END`,
  shownJson: (json) => sql`json(${json})`,
  // Most are small whole numbers; the rest are written as PostgreSQL does.
  shownDecimal: (decimal) =>
    sql`CASE WHEN typeof(${decimal}) = 'integer' THEN ${decimal}
      WHEN abs(${decimal}) < 1e15 AND ${decimal} = CAST(${decimal} AS INTEGER) THEN CAST(${decimal} AS INTEGER)
      ELSE json(decimal_text(${decimal})) END`,
  shownMoment: (moment) =>
    sql`rtrim(rtrim(strftime('%Y-%m-%dT%H:%M:%f', ${moment} / 1000.0, 'unixepoch'), '0'), '.') || '+00:00'`,
  cast: sqliteCast,
  object: (members) =>
    sql`json_object(${joined(
      members.map(({ name, value }) => sql`${literal(name)}, ${value}`),
      ", ",
    )})`,
  arrayOf: (rows, areJson) =>
    sql`(SELECT json_group_array(${trusted(areJson ? "json(body)" : "body")}) FROM (${rows}))`,
  // The result of a subquery is a plain text again.
  nested: (json) => sql`json(${json})`,
  keysOneOf: (column, keys) =>
    sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`,
  listOf: null,
};

function sqliteValue(value: Value): Sql {
  return sqlite.value(value);
}

/** GLOB is SQLite's own and case-sensitive; its wildcards differ. */
function globFrom(pattern: string): string {
  return pattern.replace(/\\([^])|[%_*?[]/gu, (found, escaped?: string) => {
    if (escaped !== undefined) return globLiteral(escaped);
    if (found === "%") return "*";
    return found === "_" ? "?" : globLiteral(found);
  });
}

function globLiteral(character: string): string {
  return /[*?[]/.test(character) ? `[${character}]` : character;
}

function sqliteCast(expression: Sql, from: Value["type"], to: Cast): Sql {
  switch (to) {
    case "text":
      if (from === "flag")
        return sql`CASE ${expression} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`;
      if (from === "moment")
        return sql`rtrim(rtrim(strftime('%Y-%m-%d %H:%M:%f', ${expression} / 1000.0, 'unixepoch'), '0'), '.') || '+00'`;
      if (from === "decimal") return sql`decimal_text(${expression})`;
      return sql`CAST(${expression} AS TEXT)`;
    case "integer":
      // A large integer would lose its last digits on the way through a decimal.
      if (from === "integer") return expression;
      return from === "text"
        ? sql`text_as_whole(${expression})`
        : from === "decimal"
          ? sql`decimal_as_whole(${expression})`
          : sql`CAST(round(${expression}) AS INTEGER)`;
    case "decimal":
      if (from === "integer") return expression;
      return from === "text"
        ? sql`text_as_decimal(${expression})`
        : sql`CAST(${expression} AS REAL)`;
    case "flag": {
      const flag =
        from === "text"
          ? sql`text_as_flag(${expression})`
          : sql`(${expression} <> 0)`;
      return sqlite.shownFlag(flag);
    }
    case "date":
      return sql`strftime('%Y-%m-%d', ${expression} / 1000.0, 'unixepoch')`;
  }
}

const postgresTypes: Readonly<Record<Value["type"], string>> = {
  text: "text",
  integer: "bigint",
  decimal: "double precision",
  flag: "boolean",
  moment: "bigint",
  json: "jsonb",
};

const postgres: Dialect = {
  kind: "postgres",
  inTime: () => null,
  value: (value) => {
    const type = trusted(
      isOdd(value) ? "double precision" : postgresTypes[value.type],
    );
    return sql`${postgresInput(value)}::${type}`;
  },
  stored: (value) => postgres.value(value),
  comparable: (json) => json,
  isDistinct: (left, right) => sql`${left} IS DISTINCT FROM ${right}`,
  byTitle: (title) => [sql`left(${title}, 500)`, title],
  oneOf: (expression, values) => {
    const [first] = values;
    if (first === undefined) return trusted("FALSE");
    const type = values.some(isOdd)
      ? "double precision"
      : postgresTypes[first.type];
    return sql`${expression} = ANY(${values.map(postgresInput)}::${trusted(type)}[])`;
  },
  jsonAt: (json, path) => postgresPath(json, path, path.length),
  textAt: (json, path) => {
    const last = path.at(-1) ?? "";
    return typeof last === "number"
      ? sql`(${postgresPath(json, path, path.length)} #>> '{}') COLLATE "C"`
      : sql`(${postgresPath(json, path, path.length - 1)} ->> ${last}::text) COLLATE "C"`;
  },
  like: (text, pattern, isCaseIgnored) =>
    isCaseIgnored
      ? // Most texts are ASCII, whose letters have the same lower case in the collation "C", which is compared faster.
        sql`CASE WHEN octet_length(${text}) = length(${text}) THEN ${text} COLLATE "C" ILIKE ${pattern.toLowerCase()}::text
          ELSE lower(${text} COLLATE "und-x-icu") COLLATE "C" LIKE ${pattern.toLowerCase()}::text END`
      : sql`${text} LIKE ${pattern}::text`,
  matches: (text, pattern) => sql`${text} ~ ${pattern}::text`,
  hasWords: (text, query, isJson) => {
    // Without JSON the result is unknown; JSON without texts contains no word.
    const plain = isJson
      ? sql`CASE WHEN ${text} IS NOT NULL THEN coalesce((SELECT string_agg(part #>> '{}', ' ') FROM jsonb_path_query(${text}, 'strict $.**') AS part WHERE jsonb_typeof(part) = 'string'), '') END`
      : text;
    // Not by tsvector: it is limited to 1 MiB, counts 16,383 words and keeps 256 positions of each (V4-303).
    return sql`(SELECT ${hasWordsIn(query)} FROM (SELECT (' ' || regexp_replace(lower(${plain} COLLATE "und-x-icu"), '[^[:alnum:]]+', ' ', 'g') || ' ') COLLATE "C" AS words OFFSET 0) searched)`;
  },
  contains: (whole, part) => sql`${whole} @> ${part}`,
  shownFlag: (flag) => flag,
  shownJson: (json) => json,
  shownDecimal: (decimal) => decimal,
  shownMoment: (moment) =>
    sql`rtrim(rtrim(to_char(to_timestamp(${moment} / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS'), '0'), '.') || '+00:00'`,
  cast: postgresCast,
  object: (members) =>
    sql`(SELECT row_to_json(r) FROM (SELECT ${joined(
      members.map(({ name, value }) => sql`${value} AS ${named(name)}`),
      ", ",
    )}) r)`,
  arrayOf: (rows) =>
    sql`(SELECT coalesce(json_agg(body), '[]') FROM (${rows}) rows)`,
  nested: (json) => json,
  keysOneOf: (column, keys) => sql`${column} = ANY(${keys}::text[])`,
  listOf: (values) => {
    const first = values.find((value) => value !== null);
    if (!first || isOdd(first)) return null;
    if (
      values.some(
        (value) => value && (value.type !== first.type || isOdd(value)),
      )
    )
      return null;
    const inputs = values.map((value) => value && postgresInput(value));
    return sql`${inputs}::${trusted(postgresTypes[first.type])}[]`;
  },
};

/** Searches `words`, which begins and ends with a space and has one between two words; NULL where that is NULL. */
function hasWordsIn(query: WordQuery): Sql {
  if ("not" in query) return sql`(NOT ${hasWordsIn(query.not)})`;
  if ("and" in query)
    return sql`(${joined(query.and.map(hasWordsIn), " AND ")})`;
  if ("or" in query) return sql`(${joined(query.or.map(hasWordsIn), " OR ")})`;
  const text = plainText(query);
  return text === null
    ? sql`(CASE WHEN words IS NOT NULL THEN EXISTS (
        WITH word AS MATERIALIZED (
          SELECT text, place FROM unnest(string_to_array(btrim(words), ' ')) WITH ORDINALITY AS all_words (text, place)
        )
        ${spansOf(query)}
      ) END)`
    : sql`(strpos(words, ${text}::text) > 0)`;
}

/** The literal text that the query matches; null when it is not a single text. */
function plainText(query: WordQuery): string | null {
  if ("word" in query) return ` ${query.word}${query.isPrefix ? "" : " "}`;
  if (!("phrase" in query) || query.distance !== 1) return null;
  const [before, after] = query.phrase.map(plainText);
  if (!before?.endsWith(" ") || !after) return null;
  return before + after.slice(1);
}

/** Positions of the first and last word of every match, as `word-match.ts` finds them. */
function spansOf(query: WordQuery): Sql {
  if ("word" in query)
    return query.isPrefix
      ? sql`SELECT place AS first, place AS last FROM word WHERE starts_with(text, ${query.word}::text)`
      : sql`SELECT place AS first, place AS last FROM word WHERE text = ${query.word}::text`;
  if ("or" in query) return joined(query.or.map(spansOf), " UNION ALL ");
  // The parser allows nothing else in a phrase.
  if (!("phrase" in query)) return trusted("SELECT 0, 0 WHERE FALSE");
  const [before, after] = query.phrase.map(spansOf);
  // The planner cannot know the number of words: a full join is never executed as a nested loop.
  return sql`SELECT before.first, after.last FROM (${before}) before
    FULL JOIN (${after}) after ON after.first = before.last + ${trusted(String(query.distance))}
    WHERE coalesce(before.first, 0) > 0 AND coalesce(after.first, 0) > 0`;
}

/** Fractions of a millisecond and infinite timestamps are not whole numbers. */
function isOdd({ type, value }: Value): boolean {
  return type === "moment" && !Number.isSafeInteger(value);
}

function postgresInput(value: Value): unknown {
  if (value.type === "json") return writeJson(value.value);
  // SQLite does not store the sign of a zero.
  if (value.type === "decimal" && value.value === 0) return 0;
  return value.type === "integer" ? value.value.toString() : value.value;
}

/** Of a list only: with the arrow, the first item of a non-list would be the value itself. */
function itemOf(json: Sql, at: number): Sql {
  const place = at < 0 ? `last - ${-at - 1}` : String(at);
  return sql`jsonb_path_query_first(${json}, ${trusted(`'strict $[${place}]'`)}, '{}', TRUE)`;
}

function postgresPath(
  json: Sql,
  path: readonly JsonStep[],
  length: number,
): Sql {
  return path
    .slice(0, length)
    .reduce(
      (inner, step) =>
        typeof step === "number"
          ? itemOf(inner, step)
          : sql`(${inner} -> ${step}::text)`,
      json,
    );
}

function postgresCast(expression: Sql, from: Value["type"], to: Cast): Sql {
  switch (to) {
    case "text":
      return from === "moment"
        ? sql`rtrim(rtrim(to_char(to_timestamp(${expression} / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS'), '0'), '.') || '+00'`
        : sql`(${expression})::text`;
    case "integer":
      if (from === "flag") return sql`(${expression})::int`;
      return from === "decimal"
        ? // Via its text: a direct conversion would keep fifteen digits.
          sql`round((${expression})::text::numeric)::bigint`
        : from === "text"
          ? // From PostgreSQL 16 on, 0x10, 0o7, 0b1 and 1_000 are integers, too.
            sql`regexp_replace(${expression}, '[xob_]', 'z', 'i')::bigint`
          : sql`(${expression})::bigint`;
    case "decimal":
      if (from === "integer") return sql`(${expression})::numeric`;
      // Infinity and NaN are not JSON numbers; hexadecimal digits depend on the C library of the server.
      return from === "text"
        ? sql`regexp_replace(${expression}, '[inx]', 'z', 'i')::double precision`
        : sql`(${expression})::double precision`;
    case "flag":
      return from === "integer"
        ? sql`((${expression}) <> 0)`
        : sql`(${expression})::boolean`;
    case "date":
      return sql`to_char(to_timestamp(${expression} / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;
  }
}

export const dialects: Readonly<Record<DatabaseKind, Dialect>> = {
  sqlite,
  postgres,
};
