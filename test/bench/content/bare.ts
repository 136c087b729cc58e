// The limit, in a process of its own: bare Express that sends the same statements to the same kind of database.

import express, { type Response } from "express";
import type { AddressInfo } from "node:net";
import type { Statement } from "../../../server/platform/database.ts";
import type { Recorded } from "./record.ts";
import { makeId, openContentDatabase } from "./store.ts";

/** Paths and what each asks of the database. */
export interface BareJob {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly team: string;
  readonly reads: Readonly<Record<string, readonly Recorded[]>>;
  /** What goes ahead of a transaction, and the transaction. */
  readonly writes: Readonly<Record<string, Writing>>;
}

interface Writing {
  readonly reads: readonly Recorded[];
  readonly writes: readonly Statement[];
  /** To be other ones each time. */
  readonly ids: readonly string[];
}

process.once("message", (job: BareJob) => {
  const { team } = job;
  const database = openContentDatabase(job.dataDir, job.databaseUrl);
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  for (const [path, recorded] of Object.entries(job.reads))
    app.get(path, async (_request, response) => {
      const [rows = []] = await Promise.all(
        recorded.map(({ way, statement: asked }) => database[way](asked)),
      );
      sendJson(
        response,
        `[${rows.map((row) => String(row["body"])).join(",")}]`,
      );
    });
  for (const [path, writing] of Object.entries(job.writes))
    app.post(path, express.json(), async (_request, response) => {
      for (const { way, statement: asked } of writing.reads)
        await database[way](asked);
      const fresh = new Map<unknown, unknown>(
        writing.ids.map((id) => [id, makeId()]),
      );
      const rows = await database.write(async (run) => {
        let last: Awaited<ReturnType<typeof run>> = [];
        for (const { text, values } of writing.writes)
          last = await run({
            text,
            values: values.map((value) => fresh.get(value) ?? value),
          });
        return last;
      });
      sendJson(response, String(rows[0]?.["body"]));
    });
  app.post("/assets", express.json(), async (request, response) => {
    const { title } = request.body as { title: string };
    await database.write(async (run) => {
      await run(
        statement(
          "INSERT INTO assets (id, team_id, title, created_at) VALUES (?, ?, ?, ?) RETURNING id",
          [makeId(), team, title, Date.now()],
        ),
      );
    });
    response.status(201).end();
  });
  app.patch("/assets/:id", express.json(), async (request, response) => {
    const { title } = request.body as { title: string };
    await database.write(async (run) => {
      await run(
        statement("UPDATE assets SET title = ? WHERE id = ? AND team_id = ?", [
          ...[title, request.params.id, team],
        ]),
      );
    });
    response.status(204).end();
  });

  function statement(text: string, values: readonly unknown[]): Statement {
    let at = 0;
    return database.kind === "sqlite"
      ? { text, values }
      : { text: text.replaceAll("?", () => `$${(at += 1)}`), values };
  }

  const server = app.listen(0, "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo;
    process.send?.({ port });
  });
});

function sendJson(response: Response, text: string): void {
  response
    .setHeader("Content-Type", "application/json; charset=utf-8")
    .end(text);
}
