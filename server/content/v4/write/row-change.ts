// A row that is changed by itself, and its statements: composed once for many changes of the same columns, which takes as long as
// executing them.

import type { Statement } from "../../../platform/database/database.ts";
import type { NoteContext } from "../../activity/activity.ts";
import type { Table } from "../../catalogue.ts";
import { createMemory, type Memory } from "../../lru-cache.ts";
import { statementOf, withValues, type Sql } from "../../sql.ts";
import type { NewRow } from "../plan/plan-write.ts";
import type { Value } from "../plan/values.ts";
import type { Dialect } from "../sql/dialect.ts";

/** It needs no lock or check before, and no other change after. */
export interface RowChange {
  readonly table: Table;
  readonly alias: string;
  /** Selects one row at most. */
  readonly where: Sql;
  readonly changes: NewRow;
}

/** Changes the row and notes it; returns its key. Null if nothing is selected, or somebody else changes it at the same time. */
export type ChangeRow = (
  change: RowChange,
  noteContext: () => NoteContext,
) => Promise<string | null>;

/** What differs between two changes of the same columns. */
export interface Given {
  readonly change: RowChange;
  readonly where: readonly unknown[];
  readonly others: Readonly<Record<string, unknown>>;
}

/** Stands for a value. */
export class Slot {
  readonly valueIn: (given: Given) => unknown;

  constructor(valueIn: (given: Given) => unknown) {
    this.valueIn = valueIn;
  }
}

export function otherSlot(name: string): Slot {
  return new Slot(({ others }) => others[name]);
}

/** The condition with slots. */
export function slottedWhere({ where }: RowChange): Sql {
  return withValues(
    where,
    (_value, at) => new Slot((given) => given.where[at]),
  );
}

/** Stores slots in place of the values of this change, each of which is an object of its own. */
export function slottedDialect(
  dialect: Dialect,
  { changes }: RowChange,
): Dialect {
  const names = new Map([...changes].map(([name, value]) => [value, name]));
  const inputOf = (value: Value | null | undefined): unknown =>
    value && valuesOf(dialect.stored(value))[0];
  return {
    ...dialect,
    stored: (value) => {
      const name = names.get(value) ?? "";
      return withValues(
        dialect.stored(value),
        () => new Slot(({ change }) => inputOf(change.changes.get(name))),
      );
    },
  };
}

const maxComposed = 100;
const longestComposed = 2_000;

/** Statements with slots, of the columns of this change; filled in for it. */
export function createComposing(
  { kind }: Dialect,
  compose: (change: RowChange) => readonly Sql[],
): (change: RowChange) => (others: Given["others"]) => readonly Statement[] {
  const composed = new WeakMap<Table, Memory<readonly Statement[]>>();

  function composedFor(change: RowChange): readonly Statement[] {
    const { table } = change;
    const memory =
      composed.get(table) ??
      createMemory<readonly Statement[]>(maxComposed, longestComposed);
    composed.set(table, memory);
    const key = keyOf(change);
    const cached = memory.get(key);
    if (cached) return cached;
    const statements = compose(change).map((of) => statementOf(of, kind));
    memory.set(key, statements);
    return statements;
  }

  return (change) => {
    const statements = composedFor(change);
    const where = valuesOf(change.where);
    return (others) =>
      statements.map(({ text, values }) => ({
        text,
        values: values.map((value) =>
          value instanceof Slot
            ? value.valueIn({ change, where, others })
            : value,
        ),
      }));
  };
}

/** Which row it is, as far as that can be known before; the same row selected in another way has another one. */
export function rowIdOf({ table, where }: RowChange): string {
  return `${table.name} ${textIn(where)} ${JSON.stringify(valuesOf(where), (_name, value: unknown) => (typeof value === "bigint" ? String(value) : value))}`;
}

/** Everything that the text of a statement depends on. */
function keyOf({ table, alias, where, changes }: RowChange): string {
  let key = `${alias} ${textIn(where)}`;
  for (const [name, value] of changes) {
    const isLevel = table.columns.get(name)?.type === "level";
    const kind = value?.type ?? "null";
    key += ` ${name} ${isLevel && value?.type === "flag" ? String(value.value) : kind}`;
  }
  return key;
}

function valuesOf({ parts }: Sql): readonly unknown[] {
  return parts.flatMap((part) =>
    typeof part === "string" ? [] : [part.value],
  );
}

function textIn({ parts }: Sql): string {
  let text = "";
  for (const part of parts) text += typeof part === "string" ? part : "?";
  return text;
}
