// PostgreSQL as a database of the content service: a connection pool, for Kysely and for plain statements.

import {
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
} from "kysely";
import type { Socket } from "node:net";
import pg from "pg";
import {
  asDatabaseError,
  observed,
  observing,
  retryUndone,
  type Database,
  type ObserveStatement,
  type Row,
  type Run,
  type Statement,
} from "./database.ts";
import { addressed } from "./postgres-address.ts";
import { listenForNotifications } from "./postgres-notifications.ts";

export interface PostgresOptions {
  /** More connections than the database has processors would only wait inside it instead of here. */
  readonly connections?: number | undefined;
  /** A statement that takes longer is cancelled. */
  readonly statementMs?: number | undefined;
  /** A caller that gets no connection within this time receives the error that the database is unavailable. */
  readonly connectMs?: number | undefined;
  /** The server ends a transaction in which its client sends nothing for this long. */
  readonly idleMs?: number | undefined;
  /** A connection on which nothing is received or sent for this long is closed. */
  readonly silentMs?: number | undefined;
  readonly observe?: ObserveStatement | undefined;
}

/** PostgreSQL's numbers for its types. */
const typeIds: Readonly<Record<"integer" | "json" | "jsonb", number>> = {
  integer: pg.types.builtins.INT8,
  json: pg.types.builtins.JSON,
  jsonb: pg.types.builtins.JSONB,
};

export function openPostgres<Tables>(
  url: string,
  options: PostgresOptions = {},
): Database<Tables> {
  const pool = openPool(url, options.connections ?? 10, options);
  // Slow queries have connections of their own, so that the others never wait for them.
  const heavyPool = openPool(url, heavyConnections, options);
  const kysely = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: translating(pool, options.observe) }),
  });
  const nameOf = createNames();
  const runOn = (queryable: Pick<pg.ClientBase, "query">): Run =>
    observed(runWith(queryable, nameOf), options.observe);

  /** Returns the connection as it was received, or closes it when its state is in doubt. */
  async function inTransaction<T>(
    from: pg.Pool,
    begin: string,
    work: (run: Run) => Promise<T>,
  ): Promise<T> {
    const client = await connected(from);
    const run = runOn(client);
    try {
      await run({ text: begin, values: [] });
      const result = await work(run);
      await run({ text: "COMMIT", values: [] });
      client.release();
      return result;
    } catch (error) {
      await client.query("ROLLBACK").then(
        () => client.release(),
        () => client.release(true),
      );
      throw error;
    }
  }

  return {
    kind: "postgres",
    kysely,
    read: runOn(pool),
    readHeavy: runOn(heavyPool),
    readTogether: (statements) =>
      inTransaction(heavyPool, snapshot, (run) => readEach(run, statements)),
    readInPieces: async function* (statements, rowsAtOnce) {
      const client = await connected(heavyPool);
      const run = runOn(client);
      try {
        await run({ text: snapshot, values: [] });
        for (const [statement, { text, values }] of statements.entries()) {
          await run({
            text: `DECLARE pieces NO SCROLL CURSOR FOR ${text}`,
            values,
          });
          for (;;) {
            const rows = await run({
              text: `FETCH ${rowsAtOnce} FROM pieces`,
              values: [],
            });
            if (rows.length > 0) yield { statement, rows };
            if (rows.length < rowsAtOnce) break;
          }
          await run({ text: "CLOSE pieces", values: [] });
        }
      } finally {
        await client.query("ROLLBACK").then(
          () => client.release(),
          () => client.release(true),
        );
      }
    },
    write: (work) => retryUndone(() => inTransaction(pool, "BEGIN", work)),
    transaction: (work) =>
      retryUndone(() => kysely.transaction().execute(work)),
    writeOne: (statement) => retryUndone(() => runOn(pool)(statement)),
    listen: (options) =>
      listenForNotifications(addressed(url), runOn(pool), options),
    close: async () => {
      await heavyPool.end();
      await kysely.destroy();
    },
  };
}

/** All statements see what was committed when the first of them began. */
const snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/** The rows of each statement, of one snapshot. Leaves the transaction open when it throws. */
export async function inSnapshot(
  run: Run,
  statements: readonly Statement[],
): Promise<readonly (readonly Row[])[]> {
  await run({ text: snapshot, values: [] });
  const results = await readEach(run, statements);
  await run({ text: "COMMIT", values: [] });
  return results;
}

async function readEach(
  run: Run,
  statements: readonly Statement[],
): Promise<readonly (readonly Row[])[]> {
  const results: (readonly Row[])[] = [];
  for (const statement of statements) results.push(await run(statement));
  return results;
}

/** Each connection prepares a statement once; a prepared statement takes some of the server's memory. */
const maxNamed = 60;
const longestNamed = 20_000;
/** A text that occurs this often among a thousand others will be used again. */
const oftenEnough = 4;
const maxCounted = 1_000;

/** Names for statements that are used repeatedly, up to the limit. */
export function createNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  return (text) => {
    const cached = names.get(text);
    if (cached !== undefined || names.size >= maxNamed) return cached;
    if (text.length > longestNamed) return undefined;
    const count = (counts.get(text) ?? 0) + 1;
    if (counts.size >= maxCounted) counts.clear();
    counts.set(text, count);
    if (count < oftenEnough) return undefined;
    counts.delete(text);
    const name = `often_${names.size}`;
    names.set(text, name);
    return name;
  };
}

/** With a callback: the promises of a connection keep references to each other, and with them to all rows of a long list. */
export function runWith(
  queryable: Pick<pg.ClientBase, "query">,
  nameOf: (text: string) => string | undefined,
): Run {
  return async ({ text, values }) => {
    try {
      return await new Promise<readonly Row[]>((resolve, reject) => {
        // The driver passes null where its types declare an error.
        queryable.query<Row>(
          // Statements without values are short, and parsed as fast as they are looked up by name.
          {
            ...{ text, values: [...values] },
            name: values.length > 0 ? nameOf(text) : undefined,
          },
          (error: Error | null, result) => {
            if (error) reject(error);
            else resolve(result.rows);
          },
        );
      });
    } catch (error) {
      throw asDatabaseError(error);
    }
  };
}

/** As many as most databases have processors to spare. */
const heavyConnections = 6;

export function openPool(
  url: string,
  connections: number,
  {
    statementMs = 15_000,
    connectMs = 10_000,
    idleMs = 10_000,
    silentMs = statementMs + 5_000,
  }: PostgresOptions,
): pg.Pool {
  const pool = new pg.Pool({
    ...addressed(url),
    max: connections,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    // Less than others wait for its locks: an instance that stands still, or whose machine is gone, blocks nobody for long (V4-336).
    idle_in_transaction_session_timeout: idleMs,
    types: { getTypeParser },
    verify: (client, done) => {
      detectLostClients(client).then(() => done(), done);
    },
  });
  // The pool replaces an idle connection that breaks; if that fails, the next statement reports it.
  pool.on("error", () => undefined);
  // A connection that breaks during a transaction fails the next statement, and must not end the process.
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    endWhenSilent(client, silentMs);
  });
  return pool;
}

/**
 * A server that stands still, or whose machine is gone, does not even report that a statement took too long. The pool has closed
 * connections without a statement by then.
 */
function endWhenSilent(client: pg.ClientBase, silentMs: number): void {
  const { stream } = (
    client as unknown as { readonly connection: { readonly stream: Socket } }
  ).connection;
  stream.setTimeout(silentMs, () => stream.destroy());
}

/**
 * The server checks periodically whether the client is still connected, so that statements of a killed process end. Not every
 * system it runs on can do that; there they end a little later.
 */
async function detectLostClients(client: pg.ClientBase): Promise<void> {
  await client
    .query("SET client_connection_check_interval = 1000")
    .catch(() => undefined);
}

/** In the form that Kysely expects, with the driver's errors converted. */
function translating(
  pool: pg.Pool,
  observe: ObserveStatement | undefined,
): PostgresPool {
  return {
    options: pool.options,
    connect: async () => {
      const client = await connected(pool);
      const query = async (text: string, values: readonly unknown[]) => {
        try {
          return await client.query(text, [...values]);
        } catch (error) {
          throw asDatabaseError(error);
        }
      };
      return {
        query: observe
          ? (text: string, values: readonly unknown[]) =>
              observing(observe, [{ text, values }], () => query(text, values))
          : query,
        release: () => client.release(),
        // Kysely needs a cursor only for streaming, which is not used here.
      } as unknown as PostgresPoolClient;
    },
    end: () => pool.end(),
  };
}

export async function connected(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw asDatabaseError(error);
  }
}

/** Integers as numbers, JSON as its text: the same as SQLite returns. */
function getTypeParser(id: number, format?: "text" | "binary"): unknown {
  if (id === typeIds.integer) return integer;
  if (id === typeIds.json || id === typeIds.jsonb)
    return (text: string) => text;
  return format === "binary"
    ? pg.types.getTypeParser(id, "binary")
    : pg.types.getTypeParser(id, "text");
}

function integer(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}
