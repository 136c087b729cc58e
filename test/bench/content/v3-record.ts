// Records the statements that version 3 executes for a request, reading and writing: the same ones are what it is compared with.

import express from "express";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ContentTables } from "../../../server/content/tables.ts";
import type {
  Database,
  Statement,
} from "../../../server/platform/database/database.ts";
import { v3Alone } from "../../support/content/v3-alone.ts";
import type { RequestSpec } from "../api/load.ts";
import type { Recorded } from "./record.ts";
import { makeId } from "./store.ts";

export interface RecordedV3 {
  readonly reads: readonly Recorded[];
  /** Of the one transaction, in order. */
  readonly writes: readonly Statement[];
  /** Made for this request, so that every other request needs new ones. */
  readonly ids: readonly string[];
}

/** Throws for a rejected request. */
export async function recordV3(
  database: Database<ContentTables>,
  team: string,
  { method, path, headers, body }: RequestSpec,
): Promise<RecordedV3> {
  const reads: Recorded[] = [];
  const writes: Statement[] = [];
  const ids: string[] = [];
  const noting =
    (way: "read" | "readHeavy") =>
    (statement: Statement): ReturnType<Database<ContentTables>["read"]> => {
      reads.push({ way, statement });
      return database[way](statement);
    };
  const recording: Database<ContentTables> = {
    ...database,
    read: noting("read"),
    readHeavy: noting("readHeavy"),
    write: (work) =>
      database.write((run) =>
        work((statement) => {
          writes.push(statement);
          return run(statement);
        }),
      ),
  };
  const app = express();
  app.use((_request, response, next) => {
    Object.assign(response.locals, { team });
    next();
  });
  app.use(
    v3Alone({
      ...{ database: recording, now: Date.now },
      makeId: () => {
        const id = makeId();
        ids.push(id);
        return id;
      },
    }),
  );
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...headers, "Content-Type": "application/json" },
    ...(body !== undefined && { body: body.replaceAll("{n}", "0") }),
  });
  const text = await answer.text();
  server.close();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  if (reads.length + writes.length === 0)
    throw new Error(`${path}: nothing was asked`);
  return { reads, writes, ids };
}
