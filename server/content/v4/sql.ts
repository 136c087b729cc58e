// SQL as text and values that never mix: what is interpolated is a value unless it is SQL itself.

import type { DatabaseKind, Statement } from "../../platform/database.ts";

type Part = string | { readonly value: unknown };

export interface Sql {
  readonly parts: readonly Part[];
}

/** sql`a = ${1} AND ${condition}`: the first is bound, the second, being SQL, is spliced in. */
export function sql(
  texts: TemplateStringsArray,
  ...values: readonly unknown[]
): Sql {
  const parts: Part[] = [texts[0] ?? ""];
  values.forEach((value, at) => {
    if (isSql(value)) parts.push(...value.parts);
    else parts.push({ value });
    parts.push(texts[at + 1] ?? "");
  });
  return { parts };
}

function isSql(value: unknown): value is Sql {
  return typeof value === "object" && value !== null && "parts" in value;
}

/** Text of our own code or of the catalogue; never of a client. */
export function trusted(text: string): Sql {
  return { parts: [text] };
}

/** A name in quotes, whatever is in it. */
export function named(name: string): Sql {
  return trusted(`"${name.replaceAll('"', '""')}"`);
}

/** A text as a literal; for names of JSON members, which PostgreSQL takes no parameters for. */
export function literal(text: string): Sql {
  return trusted(`'${text.replaceAll("'", "''")}'`);
}

export function joined(sqls: readonly Sql[], separator: string): Sql {
  return {
    parts: sqls.flatMap((each, at) =>
      at === 0 ? each.parts : [separator, ...each.parts],
    ),
  };
}

/** The same with its texts put together, for what is composed once and used often. */
export function compact({ parts }: Sql): Sql {
  const merged: Part[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (typeof part === "string" && typeof last === "string")
      merged[merged.length - 1] = last + part;
    else merged.push(part);
  }
  return { parts: merged };
}

export function allOf(conditions: readonly Sql[]): Sql {
  if (conditions.length === 0) return trusted("TRUE");
  return conditions.length === 1
    ? (conditions[0] as Sql)
    : sql`(${joined(conditions, " AND ")})`;
}

export function anyOf(conditions: readonly Sql[]): Sql {
  if (conditions.length === 0) return trusted("FALSE");
  return conditions.length === 1
    ? (conditions[0] as Sql)
    : sql`(${joined(conditions, " OR ")})`;
}

export function statementOf(of: Sql, kind: DatabaseKind): Statement {
  const values: unknown[] = [];
  const texts = of.parts.map((part) => {
    if (typeof part === "string") return part;
    values.push(part.value);
    return kind === "postgres" ? `$${values.length}` : "?";
  });
  return { text: texts.join(""), values };
}
