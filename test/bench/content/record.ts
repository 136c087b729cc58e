// Records the statements that the service executes for a request: the same ones are what it is compared with.

import express from "express";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ContentTables } from "../../../server/content/tables.ts";
import { createV4Router } from "../../../server/content/v4/router.ts";
import type {
  Database,
  Statement,
} from "../../../server/platform/database/database.ts";
import type { RequestSpec } from "../api/load.ts";
import { makeId } from "./store.ts";

/** One statement, and by which of the database's methods it was executed. */
export interface Recorded {
  readonly way: "read" | "readHeavy" | "together";
  readonly statement: Statement;
}

/** Statements of a read request, in order of execution; throws when there are none. */
export async function statementsOf(
  database: Database<ContentTables>,
  team: string,
  { method, path, headers }: RequestSpec,
): Promise<readonly Recorded[]> {
  const recorded: Recorded[] = [];
  const app = express();
  app.use((_request, response, next) => {
    Object.assign(response.locals, { team });
    next();
  });
  const recording: Database<ContentTables> = {
    ...database,
    read: (statement) => {
      recorded.push({ way: "read", statement });
      return database.read(statement);
    },
    readHeavy: (statement) => {
      recorded.push({ way: "readHeavy", statement });
      return database.readHeavy(statement);
    },
    readTogether: (statements) => {
      for (const statement of statements)
        recorded.push({ way: "together", statement });
      return database.readTogether(statements);
    },
  };
  app.use(createV4Router({ database: recording, now: Date.now, makeId }));
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    ...{ method, headers: { ...headers } },
  });
  const text = await answer.text();
  server.close();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  if (recorded.length === 0) throw new Error(`${path}: nothing was asked`);
  return recorded;
}
