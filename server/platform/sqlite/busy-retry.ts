// SQLite as Kysely has it, but for one thing: while somebody else writes it waits without holding up its thread.

import {
  CompiledQuery,
  SqliteAdapter,
  type DatabaseConnection,
  type Dialect,
  type Driver,
} from "kysely";
import { setTimeout as pause } from "node:timers/promises";
import { DatabaseError } from "../database/database.ts";

/** A service beside this one, or the command line, is through with a transaction long before. */
const maxWaitMs = 5_000;
const pauseMs = 5;

/** For a connection that waits for nobody itself (`busy_timeout = 0`), and is given in turn. */
export function patient(
  dialect: Dialect,
  enter: () => Promise<() => void>,
): Dialect {
  return {
    createAdapter: () => new SharedSqliteAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (database) => dialect.createIntrospector(database),
    createDriver: () => patientDriver(dialect.createDriver(), enter),
  };
}

/** Kysely need not see to it that there is one at a time: others who write must wait too. */
class SharedSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function patientDriver(
  driver: Driver,
  enter: () => Promise<() => void>,
): Driver {
  let leave = (): void => undefined;
  return {
    init: (options) => driver.init(options),
    acquireConnection: async (options) => {
      leave = await enter();
      return patientConnection(await driver.acquireConnection(options));
    },
    beginTransaction: async (connection) => {
      await connection.executeQuery(CompiledQuery.raw("BEGIN IMMEDIATE"));
    },
    commitTransaction: (connection) => driver.commitTransaction(connection),
    rollbackTransaction: (connection) => driver.rollbackTransaction(connection),
    releaseConnection: async (connection) => {
      await driver.releaseConnection(connection);
      leave();
    },
    destroy: () => driver.destroy(),
  };
}

/** While somebody else has the database to write, again and again. */
export async function untilFree<T>(act: () => Promise<T>): Promise<T> {
  for (const startedAt = performance.now(); ; await pause(pauseMs))
    try {
      return await act();
    } catch (error) {
      const isOver = performance.now() - startedAt > maxWaitMs;
      if (!isBusy(error) || isOver) throw error;
    }
}

function patientConnection(connection: DatabaseConnection): DatabaseConnection {
  return {
    executeQuery: <Row>(
      query: Parameters<DatabaseConnection["executeQuery"]>[0],
    ) => untilFree(() => connection.executeQuery<Row>(query)),
    streamQuery: (query, size) => connection.streamQuery(query, size),
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof DatabaseError && error.sqlState === "55P03";
}
