// The tables of the service itself: a PostgreSQL database may have others, in other schemas. Partitions are read and written
// through the table that they inherit from.

import { sql, type Kysely, type TableMetadata } from "kysely";
import type { DatabaseKind } from "../../platform/database/database.ts";
import type { ContentTables } from "../tables.ts";

export async function ownTables(
  kysely: Kysely<ContentTables>,
  kind: DatabaseKind,
): Promise<readonly TableMetadata[]> {
  const tables = (await kysely.introspection.getTables()).filter(
    ({ isView }) => !isView,
  );
  if (kind === "sqlite") return tables;
  const { rows } = await sql<{ schema: string; name: string }>`
    SELECT current_schema() AS schema, relname AS name FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = pg_class.oid)`.execute(
    kysely,
  );
  const own = new Set(rows.map(({ schema, name }) => `${schema} ${name}`));
  return tables.filter(({ schema, name }) => own.has(`${schema} ${name}`));
}
