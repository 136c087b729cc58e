// Composes SQL from text and values that never mix: an interpolation is a bound value unless it is SQL itself.

import type { DatabaseKind, Statement } from "../platform/database/database.ts";

type Part = string | { readonly value: unknown };

export interface Sql {
  readonly parts: readonly Part[];
}

/** sql`a = ${1} AND ${condition}`: the first is bound, the second, being SQL, is spliced in. */
export function sql(
  texts: TemplateStringsArray,
  ...values: readonly unknown[]
): Sql {
  const parts: Part[] = [];
  add(parts, texts[0] ?? "");
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at];
    if (isSql(value)) addAll(parts, value);
    else parts.push({ value });
    add(parts, texts[at + 1] ?? "");
  }
  return { parts };
}

/** Adjacent texts are merged: what is composed once and used often should cost as little as possible. */
function add(parts: Part[], text: string): void {
  const last = parts.at(-1);
  if (typeof last === "string") parts[parts.length - 1] = last + text;
  else parts.push(text);
}

function addAll(to: Part[], { parts }: Sql): void {
  for (const part of parts)
    if (typeof part === "string") add(to, part);
    else to.push(part);
}

function isSql(value: unknown): value is Sql {
  return typeof value === "object" && value !== null && "parts" in value;
}

/** Text of our own code or of the catalogue; never of a client. */
export function trusted(text: string): Sql {
  return { parts: [text] };
}

/** A quoted identifier, whatever characters it contains. */
export function named(name: string): Sql {
  const inside = name.includes('"') ? name.replaceAll('"', '""') : name;
  return trusted(`"${inside}"`);
}

/** A text as a literal; for names of JSON members, for which PostgreSQL accepts no parameters. */
export function literal(text: string): Sql {
  return trusted(`'${text.replaceAll("'", "''")}'`);
}

export function joined(sqls: readonly Sql[], separator: string): Sql {
  const parts: Part[] = [];
  for (const [at, each] of sqls.entries()) {
    if (at > 0) add(parts, separator);
    addAll(parts, each);
  }
  return { parts };
}

/** Values, bound unless they are SQL themselves, separated by commas. */
export function listed(values: readonly unknown[]): Sql {
  const parts: Part[] = [];
  for (const [at, value] of values.entries()) {
    if (at > 0) add(parts, ", ");
    if (isSql(value)) addAll(parts, value);
    else parts.push({ value });
  }
  return { parts };
}

/** The same text, with other values in the places of these. */
export function withValues(
  { parts }: Sql,
  other: (value: unknown, at: number) => unknown,
): Sql {
  let at = 0;
  return {
    parts: parts.map((part) =>
      typeof part === "string" ? part : { value: other(part.value, at++) },
    ),
  };
}

export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0
    ? trusted("TRUE")
    : logical(conditions, " AND ");
}

export function anyOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0
    ? trusted("FALSE")
    : logical(conditions, " OR ");
}

/** SQLite nests a chain of these as deep as it is long, up to a depth of a thousand: long ones are halved. */
const maxInRow = 10;

function logical(conditions: readonly Sql[], word: " AND " | " OR "): Sql {
  const [first, ...others] = conditions;
  if (first && others.length === 0) return first;
  const half = Math.ceil(conditions.length / 2);
  const parts =
    conditions.length <= maxInRow
      ? conditions
      : [conditions.slice(0, half), conditions.slice(half)].map((part) =>
          logical(part, word),
        );
  return sql`(${joined(parts, word)})`;
}

export function statementOf(of: Sql, kind: DatabaseKind): Statement {
  const values: unknown[] = [];
  let text = "";
  for (const part of of.parts)
    if (typeof part === "string") text += part;
    else {
      values.push(part.value);
      text += kind === "postgres" ? `$${values.length}` : "?";
    }
  return { text, values };
}
