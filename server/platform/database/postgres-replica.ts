// A read replica of PostgreSQL, which applies its primary's log a little later: reads that need it to have applied a position.

import {
  connected,
  createNames,
  inSnapshot,
  openPool,
  runWith,
  type PostgresOptions,
} from "./postgres.ts";
import type { Row, Run, Statement } from "./database.ts";

export interface PostgresReplica {
  /** The rows of each statement, of one snapshot; null if it has not applied the position yet, or is not a replica any more. */
  readFrom(
    position: number,
    statements: readonly Statement[],
  ): Promise<readonly (readonly Row[])[] | null>;
  close(): Promise<void>;
}

/** A position in the log, in bytes, as an SQL expression: of the primary, once everything committed is before it. */
export const logPosition =
  "(pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint";

/** In the session of the read: behind the address may be another server than a moment ago. */
const hasApplied =
  "SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() - '0/0'::pg_lsn >= $1 AS is_so";

export function openPostgresReplica(
  url: string,
  options: PostgresOptions,
): PostgresReplica {
  const pool = openPool(url, options.connections ?? 10, options);
  const nameOf = createNames();

  async function readOn(
    run: Run,
    position: number,
    statements: readonly Statement[],
  ): Promise<readonly (readonly Row[])[] | null> {
    const [row] = await run({ text: hasApplied, values: [position] });
    if (row?.["is_so"] !== true) return null;
    const [first] = statements;
    return first && statements.length === 1
      ? [await run(first)]
      : inSnapshot(run, statements);
  }

  return {
    readFrom: async (position, statements) => {
      const client = await connected(pool);
      const run = runWith(client, nameOf);
      try {
        const rows = await readOn(run, position, statements);
        client.release();
        return rows;
      } catch (error) {
        // Out of the transaction, if there is one.
        await client.query("ROLLBACK").then(
          () => client.release(),
          () => client.release(true),
        );
        throw error;
      }
    },
    close: () => pool.end(),
  };
}
