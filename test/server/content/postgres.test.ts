// PostgreSQL for a service: what is asked again and again is understood once.

import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { createLog } from "../../../server/platform/log.ts";
import { openPostgres } from "../../../server/platform/postgres.ts";
import { afterThisTest } from "../../support/after-this-test.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { makeDatabase } from "../../support/postgres.ts";
import { startContent } from "../../support/start-content.ts";

const server = inject("postgresUrl");

describe.skipIf(server === "")("PostgreSQL for a service", () => {
  it("prepares what comes again and again, and nothing else", async () => {
    const made = await makeDatabase(server);
    onTestFinished(made.drop);
    const database = openPostgres<never>(made.url, { connections: 1 });
    const ask = async (text: string, value: unknown) =>
      (await database.read({ text, values: [value] }))[0];
    for (let n = 0; n < 10; n += 1) {
      expect(await ask("SELECT $1::int + 1 AS again", n)).toEqual({
        again: n + 1,
      });
      expect(await ask(`SELECT $1::int + ${n} AS anew`, 1)).toEqual({
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

  it("understands once more what was refused", async () => {
    const made = await makeDatabase(server);
    onTestFinished(made.drop);
    const database = openPostgres<never>(made.url, { connections: 1 });
    const ask = () =>
      database.read({ text: "SELECT n FROM later WHERE n = $1", values: [7] });
    for (let time = 0; time < 6; time += 1)
      await expect(ask()).rejects.toMatchObject({ sqlState: "42P01" });
    const say = (text: string) => database.writeOne({ text, values: [] });
    await say("CREATE TABLE later (n int)");
    await say("INSERT INTO later VALUES (7)");
    expect(await ask()).toEqual([{ n: 7 }]);
    await database.close();
  });

  it("[V4-33] [V4-47] says that it is away when all connections are taken, or break", async () => {
    const made = await makeDatabase(server);
    onTestFinished(made.drop);
    const database = openPostgres<never>(made.url, {
      ...{ connections: 1, connectMs: 50 },
    });
    const isAway = { name: "DatabaseError", sqlState: "08006" };
    const ask = { text: "SELECT 1 AS one", values: [] };
    // So short a time that a busy machine may need another go to connect; what is connected is used again.
    await expect
      .poll(() => database.read(ask).catch(() => []))
      .toEqual([{ one: 1 }]);
    await database.write(async () => {
      await expect(database.read(ask)).rejects.toMatchObject(isAway);
      await expect(database.write((run) => run(ask))).rejects.toMatchObject(
        isAway,
      );
    });
    expect(await database.read(ask)).toEqual([{ one: 1 }]);
    await database.close();
  });

  it.each(["at once", "in the middle of a transaction"])(
    "[V4-33] says that it is away when it hangs up %s, and goes on",
    async (when) => {
      const made = await makeDatabase(server);
      onTestFinished(made.drop);
      const url = new URL(made.url);
      // Where the server listens: a socket in a folder, or a port.
      const folder = url.searchParams.get("host");
      const port = Number(url.port || 5432);
      const toServer =
        folder === null
          ? { port, host: url.hostname }
          : { path: `${folder}/.s.PGSQL.${port}` };
      const lines: Socket[] = [];
      const between = createServer((line) => {
        lines.push(line);
        if (when === "at once") {
          line.on("error", () => undefined);
          line.destroy();
          return;
        }
        const onward = connect(toServer);
        line.on("close", () => onward.destroy());
        // Either side may reset its own: the other is closed.
        line.on("error", () => onward.destroy());
        onward.on("error", () => line.destroy());
        line.pipe(onward).pipe(line);
      });
      between.listen(0, "127.0.0.1");
      await once(between, "listening");
      onTestFinished(async () => void between.close());
      url.searchParams.delete("host");
      url.hostname = "127.0.0.1";
      url.port = String((between.address() as AddressInfo).port);
      const database = openPostgres<never>(url.href, { connections: 1 });
      const isAway = { name: "DatabaseError", sqlState: "08006" };
      const ask = { text: "SELECT 1 AS one", values: [] };
      const broken = database.write(async (run) => {
        await run(ask);
        lines.forEach((line) => line.destroy());
        await expect(run(ask)).rejects.toMatchObject(isAway);
        await run(ask);
      });
      await expect(broken).rejects.toMatchObject(isAway);
      if (when !== "at once")
        expect(await database.read(ask)).toEqual([{ one: 1 }]);
      await database.close();
    },
  );

  it("survives a connection that breaks while a transaction thinks", async () => {
    const made = await makeDatabase(server);
    onTestFinished(made.drop);
    const database = openPostgres<never>(made.url, { connections: 2 });
    const ask = { text: "SELECT pg_backend_pid() AS pid", values: [] };
    const broken = database.write(async (run) => {
      const [{ pid } = { pid: 0 }] = await run(ask);
      const end = "SELECT pg_terminate_backend($1, 10000)";
      await database.read({ text: end, values: [pid] });
      // Its end is heard before the next answer of the other connection.
      await database.read(ask);
      await run(ask);
    });
    await expect(broken).rejects.toMatchObject({ name: "DatabaseError" });
    expect(await database.read(ask)).toHaveLength(1);
    await database.close();
  });

  it.each([
    ["says nothing of a database of locale C", "", []],
    [
      "warns of one that orders JSON otherwise than by bytes",
      "LOCALE_PROVIDER icu ICU_LOCALE 'en' LOCALE 'C'",
      ["database.ordered-otherwise"],
    ],
  ])("[V4-10] at the start it %s", async (_what, manner, expected) => {
    const made = await makeDatabase(server, manner);
    afterThisTest(made.drop);
    const log = createLog({ toStandardOutput: false });
    const warned: string[] = [];
    await startContent(await temporaryFolder(), {
      databaseUrl: made.url,
      log: { ...log, warn: (event) => void warned.push(event) },
    });
    expect(warned).toEqual(expected);
  });
});
