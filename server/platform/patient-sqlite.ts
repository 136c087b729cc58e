// SQLite as Kysely has it, but for one thing: while somebody else writes it waits without holding up its thread.

import type { DatabaseConnection, Dialect, Driver } from "kysely";
import { setTimeout as pause } from "node:timers/promises";
import { DatabaseError } from "./database.ts";

/** A service beside this one, or the command line, is through with a transaction long before. */
const mostWaitMs = 5_000;
const pauseMs = 5;

/** For a connection that waits for nobody itself (`busy_timeout = 0`). */
export function patient(dialect: Dialect): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (database) => dialect.createIntrospector(database),
    createDriver: () => patientDriver(dialect.createDriver()),
  };
}

function patientDriver(driver: Driver): Driver {
  return {
    init: (options) => driver.init(options),
    acquireConnection: async (options) =>
      patientConnection(await driver.acquireConnection(options)),
    beginTransaction: (connection, settings) =>
      driver.beginTransaction(connection, settings),
    commitTransaction: (connection) => driver.commitTransaction(connection),
    rollbackTransaction: (connection) => driver.rollbackTransaction(connection),
    releaseConnection: (connection) => driver.releaseConnection(connection),
    destroy: () => driver.destroy(),
  };
}

function patientConnection(connection: DatabaseConnection): DatabaseConnection {
  return {
    executeQuery: async <Row>(
      query: Parameters<DatabaseConnection["executeQuery"]>[0],
    ) => {
      for (const startedAt = performance.now(); ; await pause(pauseMs))
        try {
          return await connection.executeQuery<Row>(query);
        } catch (error) {
          const isOver = performance.now() - startedAt > mostWaitMs;
          if (!isBusy(error) || isOver) throw error;
        }
    },
    streamQuery: (query, size) => connection.streamQuery(query, size),
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof DatabaseError && error.sqlState === "55P03";
}
