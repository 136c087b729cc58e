// PostgreSQL for the service: repeated statements are prepared once.

import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { createLog } from "../../../server/platform/log.ts";
import { openPostgres } from "../../../server/platform/database/postgres.ts";
import { afterThisTest } from "../../support/after-this-test.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { makeDatabase } from "../../support/database/postgres.ts";
import { startContent } from "../../support/content/start-content.ts";

const server = inject("postgresUrl");

/** The same database through a proxy that handles each new connection in this way; and how to close all of them. */
async function behindProxy(
  databaseUrl: string,
  handle: (line: Socket, onward: () => Socket) => void,
): Promise<string> {
  const url = new URL(databaseUrl);
  // Where the server listens: a socket in a folder, or a port.
  const folder = url.searchParams.get("host");
  const port = Number(url.port || 5432);
  const toServer =
    folder === null
      ? { port, host: url.hostname }
      : { path: `${folder}/.s.PGSQL.${port}` };
  const between = createServer((line) => handle(line, () => connect(toServer)));
  between.listen(0, "127.0.0.1");
  await once(between, "listening");
  onTestFinished(async () => void between.close());
  url.searchParams.delete("host");
  url.hostname = "127.0.0.1";
  url.port = String((between.address() as AddressInfo).port);
  return url.href;
}

/** Either side may reset its own: the other is closed. */
function join(line: Socket, onward: Socket): void {
  line.on("close", () => onward.destroy());
  line.on("error", () => onward.destroy());
  onward.on("error", () => line.destroy());
  line.pipe(onward).pipe(line);
}

describe.skipIf(server === "")("PostgreSQL for the service", () => {
  it("prepares repeated statements, and no others", async () => {
    const created = await makeDatabase(server);
    onTestFinished(created.drop);
    const database = openPostgres<never>(created.url, { connections: 1 });
    const query = async (text: string, value: unknown) =>
      (await database.read({ text, values: [value] }))[0];
    for (let n = 0; n < 10; n += 1) {
      expect(await query("SELECT $1::int + 1 AS again", n)).toEqual({
        again: n + 1,
      });
      expect(await query(`SELECT $1::int + ${n} AS anew`, 1)).toEqual({
        anew: n + 1,
      });
    }
    const prepared = await database.read({
      text: "SELECT statement FROM pg_prepared_statements",
      values: [],
    });
    expect(prepared).toEqual([{ statement: "SELECT $1::int + 1 AS again" }]);
    await database.close();
  });

  it("prepares again a statement that was rejected", async () => {
    const created = await makeDatabase(server);
    onTestFinished(created.drop);
    const database = openPostgres<never>(created.url, { connections: 1 });
    const query = () =>
      database.read({ text: "SELECT n FROM later WHERE n = $1", values: [7] });
    for (let time = 0; time < 6; time += 1)
      await expect(query()).rejects.toMatchObject({ sqlState: "42P01" });
    const execute = (text: string) => database.writeOne({ text, values: [] });
    await execute("CREATE TABLE later (n int)");
    await execute("INSERT INTO later VALUES (7)");
    expect(await query()).toEqual([{ n: 7 }]);
    await database.close();
  });

  it("[V4-33] [V4-47] reports that it is unavailable when all connections are taken, or break", async () => {
    const created = await makeDatabase(server);
    onTestFinished(created.drop);
    const database = openPostgres<never>(created.url, {
      ...{ connections: 1, connectMs: 50 },
    });
    const isAway = { name: "DatabaseError", sqlState: "08006" };
    const query = { text: "SELECT 1 AS one", values: [] };
    // Such a short timeout that a busy machine may need another try to connect; an open connection is reused.
    await expect
      .poll(() => database.read(query).catch(() => []))
      .toEqual([{ one: 1 }]);
    await database.write(async () => {
      await expect(database.read(query)).rejects.toMatchObject(isAway);
      await expect(database.write((run) => run(query))).rejects.toMatchObject(
        isAway,
      );
    });
    expect(await database.read(query)).toEqual([{ one: 1 }]);
    await database.close();
  });

  it.each(["at once", "in the middle of a transaction"])(
    "[V4-33] reports that it is unavailable when it disconnects %s, and continues",
    async (when) => {
      const created = await makeDatabase(server);
      onTestFinished(created.drop);
      const lines: Socket[] = [];
      const url = await behindProxy(created.url, (line, onward) => {
        lines.push(line);
        if (when === "at once") {
          line.on("error", () => undefined);
          line.destroy();
        } else join(line, onward());
      });
      const database = openPostgres<never>(url, { connections: 1 });
      const isAway = { name: "DatabaseError", sqlState: "08006" };
      const query = { text: "SELECT 1 AS one", values: [] };
      const broken = database.write(async (run) => {
        await run(query);
        lines.forEach((line) => line.destroy());
        await expect(run(query)).rejects.toMatchObject(isAway);
        await run(query);
      });
      await expect(broken).rejects.toMatchObject(isAway);
      if (when !== "at once")
        expect(await database.read(query)).toEqual([{ one: 1 }]);
      await database.close();
    },
  );

  it("[V4-337] reports that it is unavailable when it stops answering, and continues once it answers", async () => {
    const created = await makeDatabase(server);
    onTestFinished(created.drop);
    const lines: Socket[] = [];
    const url = await behindProxy(created.url, (line, onward) => {
      lines.push(line);
      join(line, onward());
    });
    const database = openPostgres<never>(url, {
      ...{ connections: 1, silentMs: 300 },
    });
    const query = { text: "SELECT 1 AS one", values: [] };
    const isAway = { name: "DatabaseError", sqlState: "08006" };
    expect(await database.read(query)).toEqual([{ one: 1 }]);
    const silence = (): void =>
      lines.splice(0).forEach((line) => {
        line.unpipe();
        line.resume();
      });
    silence();
    await expect(database.read(query)).rejects.toMatchObject(isAway);
    expect(await database.read(query)).toEqual([{ one: 1 }]);
    const broken = database.write(async (run) => {
      await run(query);
      silence();
      await run(query);
    });
    await expect(broken).rejects.toMatchObject(isAway);
    expect(await database.read(query)).toEqual([{ one: 1 }]);
    await database.close();
  });

  it("[V4-336] ends a transaction whose instance stands still, and others get its locks", async () => {
    const created = await makeDatabase(server);
    onTestFinished(created.drop);
    const open = (idleMs: number) =>
      openPostgres<never>(created.url, { connections: 1, idleMs });
    const [stopped, other] = [open(50), open(60_000)];
    const execute = (text: string) => other.writeOne({ text, values: [] });
    await execute("CREATE TABLE pair (id int PRIMARY KEY, n int NOT NULL)");
    await execute("INSERT INTO pair VALUES (1, 0)");
    const add = { text: "UPDATE pair SET n = n + 1 WHERE id = 1", values: [] };
    const broken = stopped.write(async (run) => {
      await run(add);
      await other.writeOne(add);
      await run(add);
    });
    await expect(broken).rejects.toMatchObject({ sqlState: "08006" });
    const { read } = stopped;
    expect(await read({ text: "SELECT n FROM pair", values: [] })).toEqual([
      { n: 1 },
    ]);
    await stopped.close();
    await other.close();
  });

  it("survives a connection that breaks while a transaction is idle", async () => {
    const created = await makeDatabase(server);
    onTestFinished(created.drop);
    const database = openPostgres<never>(created.url, { connections: 2 });
    const query = { text: "SELECT pg_backend_pid() AS pid", values: [] };
    const broken = database.write(async (run) => {
      const [{ pid } = { pid: 0 }] = await run(query);
      const end = "SELECT pg_terminate_backend($1, 10000)";
      await database.read({ text: end, values: [pid] });
      // Its end is received before the next response of the other connection.
      await database.read(query);
      await run(query);
    });
    await expect(broken).rejects.toMatchObject({ name: "DatabaseError" });
    expect(await database.read(query)).toHaveLength(1);
    await database.close();
  });

  it.each([
    ["logs no warning for a database of locale C", "", []],
    [
      "warns of a database that does not order JSON by bytes",
      "LOCALE_PROVIDER icu ICU_LOCALE 'en' LOCALE 'C'",
      ["database.collation-unsupported"],
    ],
  ])("[V4-10] at the start it %s", async (_what, mode, expected) => {
    const created = await makeDatabase(server, mode);
    afterThisTest(created.drop);
    const log = createLog({ toStandardOutput: false });
    const warned: string[] = [];
    await startContent(await temporaryFolder(), {
      databaseUrl: created.url,
      log: { ...log, warn: (event) => void warned.push(event) },
    });
    expect(warned).toEqual(expected);
  });
});

describe.skipIf(server === "")("a PostgreSQL with defaults of its own", () => {
  async function execute(text: string): Promise<void> {
    const database = openPostgres<never>(server, { connections: 1 });
    try {
      await database.read({ text, values: [] });
    } finally {
      await database.close();
    }
  }

  it.each([
    ["default_transaction_isolation = 'repeatable read'"],
    ["default_transaction_isolation = 'serializable'"],
    ["lock_timeout = '1ms'"],
  ])(
    "[V4-345] [V4-41] positions items that are created at once as usual: %s",
    async (setting) => {
      const made = await makeDatabase(server);
      afterThisTest(made.drop);
      await execute(`ALTER DATABASE ${made.name} SET ${setting}`);
      const content = await startContent(await temporaryFolder(), {
        databaseUrl: made.url,
      });
      const [playlist] = await content.add("/v4/playlists", { title: "P" });
      const [asset] = await content.add("/v4/assets", { title: "A" });
      const item = { playlist_id: playlist?.id, asset_id: asset?.id };
      const added = await Promise.all(
        Array.from({ length: 20 }, () =>
          content.add("/v4/playlist-items", item),
        ),
      );
      const positions = added.flat().map((row) => row["position"]);
      expect(new Set(positions).size).toBe(20);
    },
  );

  it("[V4-345] returns the same times and decimals, with options in its address too", async () => {
    const made = await makeDatabase(server);
    afterThisTest(made.drop);
    for (const setting of [
      ...["TimeZone = 'Asia/Kathmandu'", "DateStyle = 'SQL, DMY'"],
      "extra_float_digits = -5",
    ])
      await execute(`ALTER DATABASE ${made.name} SET ${setting}`);
    const inside = openPostgres<never>(made.url, { connections: 1 });
    await inside.read({ text: "CREATE SCHEMA signage", values: [] });
    await inside.close();
    const url = new URL(made.url);
    url.searchParams.set("options", "-c search_path=signage");
    const content = await startContent(await temporaryFolder(), {
      databaseUrl: url.href,
    });
    const [playlist] = await content.add("/v4/playlists", { title: "P" });
    const [asset] = await content.add("/v4/assets", { title: "A" });
    const [item] = await content.add(
      "/v4/playlist-items?select=duration,text:duration::text",
      {
        ...{ playlist_id: playlist?.id, asset_id: asset?.id },
        duration: 0.30000000000000004,
      },
    );
    expect(item).toEqual({
      ...{ duration: 0.30000000000000004, text: "0.30000000000000004" },
    });
    const [{ created_at } = { created_at: "" }] = await content.rows(
      "/v4/assets?select=created_at::text",
    );
    const offMs = Date.parse(String(created_at)) - Date.now();
    expect(Math.abs(offMs)).toBeLessThan(3_600_000);
    const tables = openPostgres<never>(made.url, { connections: 1 });
    const [found] = await tables.read({
      text: "SELECT count(*) AS count FROM signage.assets",
      values: [],
    });
    await tables.close();
    expect(found).toEqual({ count: 1 });
  });
});

/** A change outside of the database or in it, and how to undo it; `user` is the service's. */
interface Change {
  readonly isInside?: boolean;
  readonly method?: "POST";
  readonly text: (name: string, user: string) => string;
  readonly undo: (name: string, user: string) => string;
}

const changes: Readonly<Record<string, Change>> = {
  "is read-only, like a standby": {
    method: "POST",
    text: (name) =>
      `ALTER DATABASE ${name} SET default_transaction_read_only = on`,
    undo: (name) =>
      `ALTER DATABASE ${name} SET default_transaction_read_only = off`,
  },
  "accepts no connections": {
    text: (name) => `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`,
    undo: (name) => `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`,
  },
  "is renamed": {
    text: (name) => `ALTER DATABASE ${name} RENAME TO ${name}_away`,
    undo: (name) => `ALTER DATABASE ${name}_away RENAME TO ${name}`,
  },
  "no longer accepts its user": {
    text: (_name, user) => `ALTER ROLE ${user} NOLOGIN`,
    undo: (_name, user) => `ALTER ROLE ${user} LOGIN`,
  },
  "has no connection left for its user": {
    text: (_name, user) => `ALTER ROLE ${user} CONNECTION LIMIT 0`,
    undo: (_name, user) => `ALTER ROLE ${user} CONNECTION LIMIT -1`,
  },
  "revokes a table from its user": {
    isInside: true,
    text: (_name, user) => `REVOKE ALL ON assets FROM ${user}`,
    undo: (_name, user) => `GRANT ALL ON assets TO ${user}`,
  },
  "lacks a table": {
    isInside: true,
    text: () => "ALTER TABLE assets RENAME TO assets_away",
    undo: () => "ALTER TABLE assets_away RENAME TO assets",
  },
};

describe.skipIf(server === "")(
  "a PostgreSQL that is changed while the service runs",
  () => {
    async function execute(url: string, text: string): Promise<void> {
      const database = openPostgres<never>(url, { connections: 1 });
      try {
        await database.read({ text, values: [] });
      } finally {
        await database.close();
      }
    }

    it.each(Object.keys(changes))(
      "[V4-322] and %s is 503 with Retry-After, without internal details, until that is over",
      async (title) => {
        const change = changes[title];
        if (!change) throw new Error("there is no such change");
        const created = await makeDatabase(server);
        const user = `${created.name}_user`;
        await execute(server, `CREATE ROLE ${user} LOGIN`);
        onTestFinished(async () => {
          await created.drop();
          await execute(server, `DROP ROLE ${user}`);
        });
        await execute(created.url, `GRANT ALL ON SCHEMA public TO ${user}`);
        const url = new URL(created.url);
        url.username = user;
        const content = await startContent(await temporaryFolder(), {
          databaseUrl: url.href,
        });
        const query = async () => {
          const answer = await content.request("/v4/assets", {
            ...(change.method && {
              ...{ method: change.method, body: '{"title":"a"}' },
              headers: { "Content-Type": "application/json" },
            }),
          });
          return {
            ...{ status: answer.status, text: await answer.text() },
            hasPause: answer.headers.has("Retry-After"),
          };
        };
        const isWell = { status: change.method ? 201 : 200, hasPause: false };
        expect(await query()).toMatchObject(isWell);
        const where = change.isInside ? created.url : server;
        const hangUp = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE usename = '${user}'`;
        // A database can be renamed only while it has no connections.
        await expect
          .poll(async () => {
            await execute(server, hangUp);
            return execute(where, change.text(created.name, user)).then(
              () => "done",
              (error: Error) => error.message,
            );
          })
          .toBe("done");
        await execute(server, hangUp);
        await expect.poll(query).toMatchObject({ status: 503, hasPause: true });
        const { text } = await query();
        expect(JSON.parse(text)).toMatchObject({
          message: expect.stringMatching(
            /^the database (is read-only|is not available|cannot be)/,
          ) as string,
        });
        expect(text).not.toMatch(/permission|relation|role|t[0-9a-f]{20}/);
        await execute(where, change.undo(created.name, user));
        await execute(server, hangUp);
        await expect.poll(query).toMatchObject(isWell);
      },
    );
  },
);
