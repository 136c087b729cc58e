// Notes who changed what in the content service, in the transaction of the change (V4-380 to V4-382).

import { CompiledQuery, type Kysely } from "kysely";
import type {
  ActivityChangeV3,
  ActivityKindV3,
  ActivityV3,
} from "../../contract/v3/v3-activity.ts";
import { shownName } from "../../core/log-values.ts";
import type { DatabaseKind } from "../../platform/database/database.ts";
import { createRequestScope } from "../../platform/http/request-scope.ts";
import { joined, listed, sql, statementOf, trusted, type Sql } from "../sql.ts";
import type { ContentTables } from "../tables.ts";

/** Who makes a change, and from where. */
export interface Author {
  readonly kind: ActivityV3["actor_kind"];
  readonly id: string | null;
  readonly name: string;
  readonly address: string | null;
}

/** Read when something is noted: a request's actor is known only after it began. Null while the service acts by itself. */
export const authorScope = createRequestScope<() => Author>();

const serviceItself: Author = {
  ...{ kind: "service", id: null, name: "", address: null },
};

/** The person at the command line of this machine, who is not known by name. */
export const commandAuthor: Author = { ...serviceItself, kind: "command" };

export interface Note {
  readonly kind: ActivityKindV3;
  readonly what: ActivityV3["what"];
  /** Null: several. Any of them as SQL, where the statement that writes the entry has it. */
  readonly id: string | Sql | null;
  readonly name: string | Sql;
  readonly changes?: readonly ActivityChangeV3[] | Sql;
  /** How many things it stands for; 1 by default. */
  readonly count?: number;
}

export interface NoteContext {
  readonly team: string;
  readonly now: number;
  readonly makeId: () => string;
  /** Where it is not who sends the request, such as a person who signs in. */
  readonly author?: Partial<Author>;
}

const maxName = 500;

/** All of them as one statement. At least one. */
export function activityInsert(
  context: NoteContext,
  notes: readonly Note[],
): Sql {
  const rows = notes.map(
    (note) => sql`(${listed(activityRow(context, note))})`,
  );
  return sql`${activityInto} VALUES ${joined(rows, ", ")}`;
}

/** One for each row of this source; at most one. */
export function activityInsertFrom(
  context: NoteContext,
  note: Note,
  source: Sql,
): Sql {
  return sql`${activityInto} SELECT ${listed(activityRow(context, note))} FROM ${source}`;
}

export const activityColumns = [
  ...["id", "team_id", "at", "actor_kind", "actor_id", "actor_name", "address"],
  ...["kind", "what", "resource_id", "name", "changes", "count"],
] as const;

export const activityInto = trusted(
  `INSERT INTO service_activity (${activityColumns.join(", ")})`,
);

/** What is inserted, in the order of the columns. */
export function activityRow(
  { team, now, makeId, author }: NoteContext,
  note: Note,
): readonly unknown[] {
  const { kind, id, name, address }: Author = {
    ...(authorScope.current()?.() ?? serviceItself),
    ...author,
  };
  const named =
    typeof note.name === "string"
      ? shownName(note.name).slice(0, maxName)
      : note.name;
  const { changes = [] } = note;
  const shown = "parts" in changes ? changes : JSON.stringify(changes);
  return [
    ...[makeId(), team, now, kind, id, name, address],
    ...[note.kind, note.what, note.id, named, shown, note.count ?? 1],
  ];
}

/** The same in a transaction of Kysely; without notes, nothing. */
export async function noteActivity(
  transaction: Kysely<ContentTables>,
  database: DatabaseKind,
  context: NoteContext,
  ...notes: readonly Note[]
): Promise<void> {
  if (notes.length === 0) return;
  const { text, values } = statementOf(
    activityInsert(context, notes),
    database,
  );
  await transaction.executeQuery(CompiledQuery.raw(text, [...values]));
}
