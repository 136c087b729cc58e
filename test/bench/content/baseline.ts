// The limit, in its own process: bare Express that sends the same statements to the same kind of database.

import express, { type Response } from "express";
import type { AddressInfo } from "node:net";
import { catalogues } from "../../../server/content/catalogue.ts";
import type {
  Row,
  Statement,
} from "../../../server/platform/database/database.ts";
import type { Recorded } from "./record.ts";
import { makeId, openContentDatabase } from "./store.ts";

/** Paths, and what each queries from the database. */
export interface BareJob {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly team: string;
  readonly reads: Readonly<Record<string, readonly Recorded[]>>;
  /** The statements before a transaction, and the transaction. */
  readonly writes: Readonly<Record<string, Writing>>;
}

/** As in the service. */
const togetherMs = 50;

interface Writing {
  readonly reads: readonly Recorded[];
  readonly writes: readonly Statement[];
  /** Replaced by different ones each time. */
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
      const results = await readAll(database, recorded);
      // Of a count and rows, the rows come last.
      const rows = results.at(-1) ?? [];
      sendJson(
        response,
        `[${rows.map((row) => String(row["body"])).join(",")}]`,
      );
    });
  for (const [path, writing] of Object.entries(job.writes)) {
    const statements = writing.writes.map(({ text, values }) => ({
      text,
      values: values.map((value) => renewing(value, writing.ids)),
    }));
    app.post(path, express.json(), async (_request, response) => {
      await readAll(database, writing.reads);
      const fresh = writing.ids.map(makeId);
      const rows = await database.write(async (run) => {
        let last: Awaited<ReturnType<typeof run>> = [];
        for (const { text, values } of statements)
          last = await run({ text, values: values.map((of) => of(fresh)) });
        return last;
      });
      notifyScreens();
      sendJson(response, String(rows[0]?.["body"]));
    });
  }
  app.post("/assets", express.json(), async (request, response) => {
    const { title } = request.body as { title: string };
    await database.writeOne(
      statement(
        "INSERT INTO assets (id, team_id, title, created_at) VALUES (?, ?, ?, ?) RETURNING id",
        [makeId(), team, title, Date.now()],
      ),
    );
    notifyScreens();
    response.status(201).end();
  });
  app.post("/assets/shown", express.json(), async (request, response) => {
    const { title } = request.body as { title: string };
    const [row] = await database.writeOne(
      statement(insertShown[database.kind], [
        ...[makeId(), team, title, Date.now()],
      ]),
    );
    notifyScreens();
    response.status(201);
    sendJson(response, `[${String(row?.["body"])}]`);
  });
  app.post(
    "/assets/many",
    express.json({ limit: "10mb" }),
    async (request, response) => {
      const rows = request.body as readonly { readonly title: string }[];
      const listed = rows.map(({ title }) => ({ id: makeId(), title }));
      await database.writeOne(
        statement(insertMany[database.kind], [
          ...[team, Date.now(), JSON.stringify(listed)],
        ]),
      );
      notifyScreens();
      response.status(201).end();
    },
  );
  app.patch("/assets/:id", express.json(), async (request, response) => {
    const { title } = request.body as { title: string };
    await database.writeOne(
      statement(
        "UPDATE assets SET title = ? WHERE id = ? AND team_id = ? RETURNING id",
        [title, request.params.id, team],
      ),
    );
    notifyScreens();
    response.status(204).end();
  });

  let isNotifying = false;

  /** Notifies screens that wait at any instance of writes: a counter that is incremented once for many writes. */
  function notifyScreens(): void {
    if (isNotifying) return;
    isNotifying = true;
    setTimeout(() => {
      isNotifying = false;
      void database.writeOne(
        statement(
          "INSERT INTO team_changes (team_id, revision, calls) VALUES (?, 1, 0) ON CONFLICT (team_id) DO UPDATE SET revision = team_changes.revision + 1",
          [team],
        ),
      );
    }, togetherMs);
  }

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

const columns = [...(catalogues["4.1"].tables.get("assets")?.columns ?? [])]
  .filter(([, { isShown }]) => isShown)
  .map(([name]) => name);
const insertOne =
  "INSERT INTO assets (id, team_id, title, created_at) VALUES (?, ?, ?, ?)";
const insertShown = {
  sqlite: `${insertOne} RETURNING json_object(${columns.map((name) => `'${name}', ${name}`).join(", ")}) AS body`,
  postgres: `WITH inserted AS (${insertOne} RETURNING ${columns.join(", ")}) SELECT row_to_json(inserted)::text AS body FROM inserted`,
} as const;
const insertMany = {
  sqlite: `INSERT INTO assets (id, team_id, title, created_at)
    SELECT value ->> 'id', ?, value ->> 'title', ? FROM json_each(?) RETURNING id`,
  postgres: `INSERT INTO assets (id, team_id, title, created_at)
    SELECT id, ?, title, ?::bigint FROM jsonb_to_recordset(?::jsonb) AS listed (id text, title text) RETURNING id`,
} as const;

/** The rows of each statement. */
async function readAll(
  database: ReturnType<typeof openContentDatabase>,
  recorded: readonly Recorded[],
): Promise<readonly (readonly Row[])[]> {
  const together = recorded.filter(({ way }) => way === "together");
  if (together.length > 0)
    return database.readTogether(together.map(({ statement }) => statement));
  const results: (readonly Row[])[] = [];
  for (const { way, statement } of recorded)
    results.push(
      await (way === "read"
        ? database.read(statement)
        : database.readHeavy(statement)),
    );
  return results;
}

type Renewed = (fresh: readonly string[]) => unknown;

/** Keeps a value, with the ids made for that request replaced by new ones: alone, in a list, or in a text with several. */
function renewing(value: unknown, ids: readonly string[]): Renewed {
  if (Array.isArray(value)) {
    const parts = value.map((each) => renewing(each, ids));
    return (fresh) => parts.map((of) => of(fresh));
  }
  if (typeof value !== "string") return () => value;
  const at = ids.indexOf(value);
  if (at >= 0) return (fresh) => fresh[at];
  const parts = value.split(new RegExp(`(${ids.join("|")})`));
  if (ids.length === 0 || parts.length === 1) return () => value;
  const places = parts.map((part) => ids.indexOf(part));
  return (fresh) =>
    parts.map((part, index) => fresh[places[index] ?? -1] ?? part).join("");
}

function sendJson(response: Response, text: string): void {
  response
    .setHeader("Content-Type", "application/json; charset=utf-8")
    .end(text);
}
