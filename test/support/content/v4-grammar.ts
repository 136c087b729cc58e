// Generates random requests of the query language: as a tree for the oracle, and as the text a client would send.

import fc from "fast-check";
import { sampleAssets } from "./v4-rows.ts";

export type Kind = "text" | "number" | "flag" | "enum" | "moment";

export interface Field {
  /** As it is written in a request. */
  readonly name: string;
  readonly kind: Kind | "json";
  /** Where it is in a row. */
  readonly path: readonly (string | number)[];
}

export interface Atom {
  readonly is: "atom";
  readonly field: Field;
  readonly isNegated: boolean;
  readonly operator: string;
  readonly quantifier: "any" | "all" | null;
  readonly values: readonly string[];
}

export interface Group {
  readonly is: "and" | "or";
  readonly isNegated: boolean;
  readonly members: readonly Logic[];
}

export type Logic = Atom | Group;

export interface Term {
  readonly field: Field;
  readonly isDescending: boolean;
  readonly nulls: "first" | "last" | null;
}

export interface QuerySpec {
  readonly filters: readonly Logic[];
  readonly order: readonly Term[];
  readonly limit: number | null;
  readonly offset: number;
  readonly columns: readonly {
    readonly field: Field;
    readonly alias: string;
  }[];
  /** Which columns of the group are embedded; null: none. */
  readonly group: readonly ("id" | "title")[] | null;
  readonly isInner: boolean;
}

const plain = (name: string, kind: Kind): Field => ({
  name,
  kind,
  path: [name],
});

const fields: readonly Field[] = [
  ...[plain("id", "text"), plain("title", "text"), plain("md5", "text")],
  ...[plain("asset_group_id", "text"), plain("width", "number")],
  ...[plain("duration", "number"), plain("source_size", "number")],
  ...[plain("send_metadata", "flag"), plain("pdf_page_enabled", "flag")],
  ...[plain("type", "enum"), plain("status", "enum")],
  plain("created_at", "moment"),
  { name: "metadata->n", kind: "json", path: ["metadata", "n"] },
  { name: "metadata->>n", kind: "text", path: ["metadata", "n"] },
  { name: "metadata->>s", kind: "text", path: ["metadata", "s"] },
  { name: "metadata->tags->>0", kind: "text", path: ["metadata", "tags", 0] },
  { name: "metadata->1", kind: "json", path: ["metadata", 1] },
];

const words = fc.constantFrom(
  ...sampleAssets.map(({ title }) => title),
  ...["", "welcome", "lobby", "G1", "G2", "A3", "5", "10", "red", "two"],
  ...["d41d8cd9", "Ü", "ü", "e", "a,b", 'a"b', "a\\b", "(x)", "{y}", "null"],
  ...["100%", "_", "%", "fresh_", ".eq.", "not.eq.1", "ß", "𝄞", "é", " x "],
);

const numbers = fc.constantFrom(
  ...["0", "1", "5", "10", "12.5", "640", "1920", "3840", "-1.5", "1e1"],
);
const integers = fc.constantFrom("0", "10", "640", "1920", "9007199254740991");
const moments = fc.constantFrom(
  ...["2026-01-01", "2026-01-02T00:00:00.123Z", "2026-02-01T12:30:00+00:00"],
  ...["2026-02-01 13:30:00.5+01", "infinity", "epoch"],
);

function valueFor({ kind, name }: Field): fc.Arbitrary<string> {
  if (kind === "number") return name === "duration" ? numbers : integers;
  if (kind === "flag") return fc.constantFrom("true", "f", "YES", "0");
  if (kind === "moment") return moments;
  if (kind === "json")
    return fc.oneof(
      numbers.filter((text) => !text.includes("e")),
      fc.constantFrom("null", '"two"', "true", "[]"),
    );
  if (kind === "enum")
    return name === "type"
      ? fc.constantFrom("image", "video", "pdf", "appweb", "web")
      : fc.constantFrom("none", "finished", "error", "downloading");
  return words;
}

const comparing = ["eq", "neq", "gt", "gte", "lt", "lte"];

function operatorsFor({ kind }: Field): readonly string[] {
  const all = [...comparing, "in", "is", "isdistinct"];
  return kind === "text" ? [...all, "like", "ilike", "plfts"] : all;
}

const atoms: fc.Arbitrary<Atom> = fc.constantFrom(...fields).chain((field) =>
  fc.constantFrom(...operatorsFor(field)).chain((operator) =>
    fc.record({
      is: fc.constant("atom" as const),
      field: fc.constant(field),
      isNegated: fc.boolean(),
      operator: fc.constant(operator),
      quantifier: /^(eq|gte?|lte?|i?like)$/.test(operator)
        ? fc.constantFrom(null, null, "any" as const, "all" as const)
        : fc.constant(null),
      values: valuesFor(field, operator),
    }),
  ),
);

function valuesFor(
  field: Field,
  operator: string,
): fc.Arbitrary<readonly string[]> {
  if (operator === "is")
    return field.kind === "flag"
      ? fc.constantFrom(["null"], ["not_null"], ["true"], ["FALSE"])
      : fc.constantFrom(["null"], ["NOT_NULL"]);
  const value = /like$/.test(operator)
    ? fc
        .tuple(fc.constantFrom("", "*", "%"), words, fc.constantFrom("", "*"))
        .map((parts) => parts.join("").replaceAll("\\", "\\\\"))
    : valueFor(field);
  return fc.array(value, { minLength: 1, maxLength: 4 });
}

const { logic } = fc.letrec<{ logic: Logic; group: Group }>((tie) => ({
  logic: fc.oneof({ depthSize: "small" }, atoms, tie("group")),
  group: fc.record({
    is: fc.constantFrom("and" as const, "or" as const),
    isNegated: fc.boolean(),
    members: fc.array(tie("logic"), { minLength: 1, maxLength: 3 }),
  }),
}));

const terms = fc.record({
  field: fc.constantFrom(...fields),
  isDescending: fc.boolean(),
  nulls: fc.constantFrom(null, "first" as const, "last" as const),
});

export const querySpecs: fc.Arbitrary<QuerySpec> = fc.record({
  filters: fc.array(logic, { maxLength: 3 }),
  order: fc.array(terms, { maxLength: 3 }),
  limit: fc.constantFrom(null, null, 0, 1, 2, 5),
  offset: fc.constantFrom(0, 0, 0, 1, 3, 9),
  columns: fc
    .uniqueArray(fc.constantFrom(...fields), { maxLength: 4 })
    .map((chosen) => chosen.map((field, at) => ({ field, alias: `c${at}` }))),
  group: fc.constantFrom(null, ["id"] as const, ["title", "id"] as const),
  isInner: fc.boolean(),
});

/** The query string. */
export function textOf(querySpec: QuerySpec): string {
  const parts = querySpec.filters.map(parameterOf);
  const embedded = querySpec.group
    ? [
        `asset_groups${querySpec.isInner ? "!inner" : ""}(${querySpec.group.join()})`,
      ]
    : [];
  const columns = querySpec.columns.map(
    ({ field, alias }) => `${alias}:${field.name}`,
  );
  parts.push(`select=${encode(["id", ...columns, ...embedded].join())}`);
  if (querySpec.order.length > 0)
    parts.push(`order=${encode(querySpec.order.map(termText).join())}`);
  if (querySpec.limit !== null) parts.push(`limit=${querySpec.limit}`);
  if (querySpec.offset > 0) parts.push(`offset=${querySpec.offset}`);
  return parts.join("&");
}

const encode = encodeURIComponent;

function termText({ field, isDescending, nulls }: Term): string {
  return `${field.name}${isDescending ? ".desc" : ""}${nulls ? `.nulls${nulls}` : ""}`;
}

function parameterOf(logic: Logic): string {
  if (logic.is === "atom")
    return `${encode(logic.field.name)}=${encode(questionText(logic, false))}`;
  const name = `${logic.isNegated ? "not." : ""}${logic.is}`;
  return `${name}=${encode(`(${logic.members.map(memberText).join()})`)}`;
}

function memberText(logic: Logic): string {
  if (logic.is === "atom")
    return `${logic.field.name}.${questionText(logic, true)}`;
  return `${logic.isNegated ? "not." : ""}${logic.is}(${logic.members.map(memberText).join()})`;
}

const quoted = (text: string): string =>
  `"${text.replace(/["\\]/g, (found) => `\\${found}`)}"`;

function questionText(
  { isNegated, operator, quantifier, values }: Atom,
  isInside: boolean,
): string {
  const start = `${isNegated ? "not." : ""}${operator}`;
  if (operator === "in") return `${start}.(${values.map(quoted).join()})`;
  if (quantifier)
    return `${start}(${quantifier}).{${values.map(quoted).join()}}`;
  const value = values[0] ?? "";
  return `${start}.${isInside && operator !== "is" ? quoted(value) : value}`;
}
