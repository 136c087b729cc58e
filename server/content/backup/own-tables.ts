// The tables of the service itself: a PostgreSQL database may have others, in other schemas.

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
  const { rows } = await sql<{ name: string }>`
    SELECT current_schema() AS name`.execute(kysely);
  return tables.filter(({ schema }) => schema === rows[0]?.name);
}
