// The database's clock as an SQL expression, so that machines need not agree on the time.

import { sql, type RawBuilder } from "kysely";
import type { DatabaseKind } from "./database.ts";

/** Milliseconds since 1970, when the statement runs. */
export function moment(kind: DatabaseKind): RawBuilder<number> {
  return kind === "sqlite"
    ? sql<number>`CAST(unixepoch('subsec') * 1000 AS INTEGER)`
    : sql<number>`CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)`;
}
