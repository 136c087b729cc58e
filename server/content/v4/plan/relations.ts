// Relations between tables, and how an embedded resource is resolved by name and hint.

import type { Catalogue, Table } from "../../catalogue.ts";
import { Refusal } from "../../http/v4-errors.ts";

/** A relation from one table to another. */
export interface Relation {
  readonly to: Table;
  readonly kind: "many-to-one" | "one-to-one" | "one-to-many" | "many-to-many";
  /** Name of the reference, or of the linking table. */
  readonly constraint: string;
  /** Columns of the table it starts from, with the matching columns of the other. */
  readonly fromColumns: readonly string[];
  readonly toColumns: readonly string[];
  readonly through: {
    readonly table: Table;
    readonly fromColumn: string;
    readonly toColumn: string;
  } | null;
}

function relationsOf(catalogue: Catalogue, from: Table): readonly Relation[] {
  const tableNamed = (name: string): Table => {
    const table = catalogue.tables.get(name);
    if (!table) throw new Error(`The catalogue lacks the table ${name}.`);
    return table;
  };
  const outward = catalogue.references
    .filter((reference) => reference.from === from.name)
    .map(({ to, name, columns, keys, isOneToOne }): Relation => ({
      to: tableNamed(to),
      kind: isOneToOne ? "one-to-one" : "many-to-one",
      constraint: name,
      ...{ fromColumns: columns, toColumns: keys, through: null },
    }));
  const inward = catalogue.references
    .filter((reference) => reference.to === from.name)
    .map(({ from: other, name, columns, keys, isOneToOne }): Relation => ({
      to: tableNamed(other),
      kind: isOneToOne ? "one-to-one" : "one-to-many",
      constraint: name,
      ...{ fromColumns: keys, toColumns: columns, through: null },
    }));
  const across = catalogue.links.flatMap((link) => [
    ...(link.left === from.name
      ? [acrossTo(link.right, link.leftColumn, link.rightColumn, link.through)]
      : []),
    ...(link.right === from.name
      ? [acrossTo(link.left, link.rightColumn, link.leftColumn, link.through)]
      : []),
  ]);
  function acrossTo(
    to: string,
    fromColumn: string,
    toColumn: string,
    through: string,
  ): Relation {
    return {
      to: tableNamed(to),
      kind: "many-to-many",
      constraint: through,
      ...{ fromColumns: ["id"], toColumns: ["id"] },
      through: { table: tableNamed(through), fromColumn, toColumn },
    };
  }
  return [...outward, ...inward, ...across];
}

export function isToOne({ kind }: Relation): boolean {
  return kind === "many-to-one" || kind === "one-to-one";
}

/** By the table's name, or by the column or constraint that references it; the hint selects one of several. */
export function findRelation(
  catalogue: Catalogue,
  from: Table,
  name: string,
  hint: string | null,
): Relation {
  const all = relationsOf(catalogue, from);
  const byName = all.filter((relation) => isCalled(relation, name));
  const found =
    hint === null
      ? byName
      : byName.filter((relation) => isHinted(relation, hint));
  const [only, ...others] = found;
  if (only === undefined) throw noRelation(from, name, hint, all);
  if (others.length > 0) throw ambiguous(from, name, found);
  return only;
}

function isCalled(relation: Relation, name: string): boolean {
  if (relation.to.name === name) return true;
  return (
    isToOne(relation) &&
    (relation.constraint === name ||
      (relation.fromColumns.length === 1 && relation.fromColumns[0] === name))
  );
}

function isHinted(relation: Relation, hint: string): boolean {
  return (
    relation.constraint === hint ||
    relation.to.name === hint ||
    [...relation.fromColumns, ...relation.toColumns].some(
      (column) => column === hint && column !== "id",
    )
  );
}

function noRelation(
  from: Table,
  name: string,
  hint: string | null,
  all: readonly Relation[],
): Refusal {
  const requestedName = name.slice(0, 200);
  const similar = all.find(
    ({ to }) => to.name === requestedName.replaceAll("-", "_").toLowerCase(),
  );
  return new Refusal(
    400,
    "PGRST200",
    `Could not find a relationship between '${from.name}' and '${requestedName}' in the schema cache`,
    {
      details: `Searched for a foreign key relationship between '${from.name}' and '${requestedName}'${hint === null ? "" : ` using the hint '${hint.slice(0, 200)}'`} in the schema 'public', but no matches were found.`,
      hint: similar
        ? `Perhaps you meant '${similar.to.name}' instead of '${requestedName}'.`
        : null,
    },
  );
}

function ambiguous(
  from: Table,
  name: string,
  relations: readonly Relation[],
): Refusal {
  return new Refusal(
    300,
    "PGRST201",
    `Could not embed because more than one relationship was found for '${from.name}' and '${name}'`,
    {
      details: relations.map(
        ({ to, kind, constraint, fromColumns, toColumns }) => ({
          cardinality: kind,
          embedding: `${from.name} with ${to.name}`,
          relationship: `${constraint} using ${from.name}(${fromColumns.join()}) and ${to.name}(${toColumns.join()})`,
        }),
      ),
      hint: `Try changing '${name}' to one of the following: ${relations
        .map(({ constraint }) => `'${name}!${constraint}'`)
        .join(", ")}. Find the desired relationship in the 'details' key.`,
    },
  );
}
