// SQLite dialect for Kysely that retries while another process writes, without blocking the thread.

import {
  CompiledQuery,
  SqliteAdapter,
  type DatabaseConnection,
  type Dialect,
  type Driver,
} from "kysely";
import { setTimeout as pause } from "node:timers/promises";
import { DatabaseError } from "../database/database.ts";

/** Another process on the same database, such as the command line, finishes its transaction long before. */
const maxWaitMs = 5_000;
const pauseMs = 5;

/** For a connection that does not wait for locks itself (`busy_timeout = 0`), and is assigned in turn. */
export function withBusyRetry(
  dialect: Dialect,
  enter: () => Promise<() => void>,
): Dialect {
  return {
    createAdapter: () => new SharedSqliteAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (database) => dialect.createIntrospector(database),
    createDriver: () => retryingDriver(dialect.createDriver(), enter),
  };
}

/** Kysely need not serialise the use of the connection: other writers have to queue for it too. */
class SharedSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function retryingDriver(
  driver: Driver,
  enter: () => Promise<() => void>,
): Driver {
  let leave = (): void => undefined;
  return {
    init: (options) => driver.init(options),
    acquireConnection: async (options) => {
      leave = await enter();
      return retryingConnection(await driver.acquireConnection(options));
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

/** Retries while another process holds the write lock. */
export async function untilFree<T>(act: () => Promise<T>): Promise<T> {
  for (const startedAt = performance.now(); ; await pause(pauseMs))
    try {
      return await act();
    } catch (error) {
      const isOver = performance.now() - startedAt > maxWaitMs;
      if (!isBusy(error) || isOver) throw error;
    }
}

function retryingConnection(
  connection: DatabaseConnection,
): DatabaseConnection {
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
