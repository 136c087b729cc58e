// Oracle of the query language: the expected result of a request, computed over plain objects without any of the service's code.

import type {
  Atom,
  Field,
  Kind,
  Logic,
  Term,
  QuerySpec,
} from "./v4-grammar.ts";
import { sampleAssets, sampleGroups, type SampleAsset } from "./v4-rows.ts";

type Truth = boolean | null;

export function expectedRows(querySpec: QuerySpec): readonly unknown[] {
  const found = sampleAssets
    .filter(
      (row) => !querySpec.group || !querySpec.isInner || groupOf(row) !== null,
    )
    .filter((row) =>
      querySpec.filters.every((logic) => truth(logic, row) === true),
    )
    .sort((a, b) => inOrder(querySpec.order, a, b));
  const end =
    querySpec.limit === null ? Infinity : querySpec.offset + querySpec.limit;
  return found.slice(querySpec.offset, end).map((row) => ({
    id: row.id,
    ...Object.fromEntries(
      querySpec.columns.map(({ field, alias }) => [alias, shown(field, row)]),
    ),
    ...(querySpec.group && {
      asset_groups: groupOf(row) && pick(groupOf(row) ?? {}, querySpec.group),
    }),
  }));
}

function groupOf(row: SampleAsset): object | null {
  return sampleGroups.find(({ id }) => id === row.asset_group_id) ?? null;
}

function pick(from: object, names: readonly string[]): object {
  return Object.fromEntries(
    names.map((name) => [name, (from as Record<string, unknown>)[name]]),
  );
}

/** Undefined: missing; a JSON null is null. */
function at(field: Field, row: SampleAsset): unknown {
  let here: unknown = row;
  for (const step of field.path) {
    if (typeof step === "number")
      here = Array.isArray(here) ? here[step] : undefined;
    else if (typeof here !== "object" || here === null || Array.isArray(here))
      return undefined;
    else here = (here as Record<string, unknown>)[step];
  }
  return here;
}

/** The compared value; null is NULL. */
function operand(field: Field, row: SampleAsset): unknown {
  const value = at(field, row);
  if (field.kind === "json")
    return value === undefined ? null : { json: value };
  if (value === undefined || value === null) return null;
  return field.path.length > 1 && typeof value !== "string"
    ? JSON.stringify(value)
    : value;
}

function shown(field: Field, row: SampleAsset): unknown {
  if (field.kind === "json") return at(field, row) ?? null;
  const value = operand(field, row);
  if (field.kind !== "moment") return value;
  const text = new Date(value as number).toISOString().slice(0, -1);
  return `${text.replace(/\.?0+$/, (end) => (end.startsWith(".") ? "" : ""))}+00:00`;
}

function truth(logic: Logic, row: SampleAsset): Truth {
  const value =
    logic.is === "atom"
      ? atomTruth(logic, row)
      : logic.is === "and"
        ? and(logic.members.map((member) => truth(member, row)))
        : or(logic.members.map((member) => truth(member, row)));
  return logic.isNegated ? not(value) : value;
}

const not = (value: Truth): Truth => (value === null ? null : !value);

function and(values: readonly Truth[]): Truth {
  if (values.includes(false)) return false;
  return values.includes(null) ? null : true;
}

function or(values: readonly Truth[]): Truth {
  return not(and(values.map(not)));
}

function atomTruth(atom: Atom, row: SampleAsset): Truth {
  const { field, operator, quantifier, values } = atom;
  const left = operand(field, row);
  if (operator === "is") return isTruth(left, (values[0] ?? "").toLowerCase());
  if (operator === "isdistinct")
    return (
      left === null || compare(left, parsed(field.kind, values[0] ?? "")) !== 0
    );
  if (left === null)
    return quantifier !== null && values.length === 0
      ? quantifier === "all"
      : null;
  const one = (text: string): Truth => single(operator, left, text, field.kind);
  if (operator === "in")
    return or(values.map((text) => single("eq", left, text, field.kind)));
  if (quantifier === "any") return or(values.map(one));
  if (quantifier === "all") return and(values.map(one));
  return one(values[0] ?? "");
}

function isTruth(left: unknown, word: string): Truth {
  if (word === "null") return left === null;
  return word === "not_null" ? left !== null : left === (word === "true");
}

function single(
  operator: string,
  left: unknown,
  text: string,
  kind: Field["kind"],
): Truth {
  if (operator === "like" || operator === "ilike")
    return likeness(text, operator === "ilike").test(String(left));
  if (operator === "plfts") {
    const words = wordsOf(text);
    const has = wordsOf(String(left));
    return words.length > 0 && words.every((word) => has.includes(word));
  }
  const order = compare(left, parsed(kind, text));
  return {
    eq: order === 0,
    neq: order !== 0,
    gt: order > 0,
    gte: order >= 0,
    lt: order < 0,
    lte: order <= 0,
  }[operator] as boolean;
}

function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{Nd}]+/u)
    .filter((word) => word !== "");
}

function likeness(pattern: string, isCaseIgnored: boolean): RegExp {
  let source = "";
  const characters = [...pattern.replaceAll("*", "%")];
  for (let place = 0; place < characters.length; place += 1) {
    const character = characters[place] ?? "";
    if (character === "%") source += "[^]*";
    else if (character === "_") source += "[^]";
    else {
      if (character === "\\") place += 1;
      source += (characters[place] ?? "").replace(
        /[\\^$.*+?()[\]{}|/]/u,
        "\\$&",
      );
    }
  }
  return new RegExp(`^${source}$`, isCaseIgnored ? "iu" : "u");
}

function parsed(kind: Kind | "json", text: string): unknown {
  switch (kind) {
    case "number":
      return Number(text);
    case "flag":
      return /^(t|true|yes|1)$/i.test(text);
    case "moment":
      return momentOf(text);
    case "json":
      return { json: JSON.parse(text) as unknown };
    default:
      return text;
  }
}

function momentOf(text: string): number {
  if (text === "infinity") return Infinity;
  if (text === "epoch") return 0;
  const withZone = text.includes("13:30") ? "2026-02-01T12:30:00.5Z" : text;
  return Date.parse(withZone);
}

function compare(a: unknown, b: unknown): number {
  if (isJson(a) && isJson(b)) return compareJson(a.json, b.json);
  if (typeof a === "string" && typeof b === "string")
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}

function isJson(value: unknown): value is { readonly json: unknown } {
  return typeof value === "object" && value !== null && "json" in value;
}

/** Simple values and short lists, which is all that the samples have. */
function compareJson(a: unknown, b: unknown): number {
  const rank = (value: unknown): number => {
    if (Array.isArray(value)) return value.length === 0 ? -1 : 4;
    if (value === null) return 0;
    return { string: 1, number: 2, boolean: 3, object: 5 }[
      typeof value as "string"
    ];
  };
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (typeof a === "string")
    return Buffer.compare(Buffer.from(a), Buffer.from(b as string));
  return typeof a === "number" || typeof a === "boolean"
    ? Number(a) - Number(b)
    : 0;
}

function inOrder(
  order: readonly Term[],
  a: SampleAsset,
  b: SampleAsset,
): number {
  for (const { field, isDescending, nulls } of order) {
    const [left, right] = [operand(field, a), operand(field, b)];
    const areFirst = nulls === null ? isDescending : nulls === "first";
    if ((left === null) !== (right === null))
      return (left === null) === areFirst ? -1 : 1;
    const by = left === null ? 0 : compare(left, right);
    if (by !== 0) return isDescending ? -by : by;
  }
  return a.id < b.id ? -1 : 1;
}
