// SQLite for the service: long reads do not block quick ones, and lists are of one moment.

import { open as openFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Database } from "../../../../server/platform/database/database.ts";
import { openSqliteDatabase } from "../../../../server/platform/sqlite/sqlite-database.ts";
import { temporaryFolder } from "../../../support/folder.ts";

interface Tables {
  readonly numbers: { readonly n: number; readonly is_odd: boolean };
}

async function numbersFile(): Promise<string> {
  return path.join(await temporaryFolder(), "numbers.db");
}

function open(file: string): Database<Tables> {
  const database = openSqliteDatabase<Tables>(file);
  onTestFinished(() => database.close());
  return database;
}

async function openNumbers(file?: string): Promise<Database<Tables>> {
  const database = open(file ?? (await numbersFile()));
  await database.write(async (run) => {
    const text = "CREATE TABLE numbers (n INTEGER, is_odd INTEGER) STRICT";
    await run({ text, values: [] });
  });
  const values = Array.from({ length: 5000 }, (_, n) => ({
    ...{ n, is_odd: n % 2 === 1 },
  }));
  await database.kysely.insertInto("numbers").values(values).execute();
  return database;
}

const plain = (text: string, values: readonly unknown[] = []) => ({
  ...{ text, values },
});

/** Some hundred milliseconds of work, with a result at its end. */
const long = plain(
  "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3000000) SELECT max(n) AS largest FROM c",
);

describe("SQLite for the service", () => {
  it("serves quick reads while a slow one is running", async () => {
    const database = await openNumbers();
    await database.readHeavy(plain("SELECT 1"));
    const order: string[] = [];
    const heavy = database.readHeavy(long).then(([row]) => {
      order.push("heavy");
      return row;
    });
    const quick = await database.read(
      plain("SELECT count(*) AS c FROM numbers"),
    );
    order.push("quick");
    expect(await heavy).toEqual({ largest: 3_000_000 });
    expect(quick).toEqual([{ c: 5000 }]);
    expect(order).toEqual(["quick", "heavy"]);
  });

  it("reads a list in chunks, of the moment it began", async () => {
    const database = await openNumbers();
    const pieces = database.readInPieces(
      [
        plain("SELECT count(*) AS total FROM numbers"),
        plain("SELECT n FROM numbers WHERE n >= ? ORDER BY n", [10]),
      ],
      1000,
    );
    const ahead = { statement: 0, rows: [{ total: 5000 }] };
    expect((await pieces.next()).value).toEqual(ahead);
    await database.write(async (run) => {
      await run(plain("DELETE FROM numbers"));
    });
    const sizes = [];
    for await (const { rows } of pieces) sizes.push(rows.length);
    expect(sizes).toEqual([1000, 1000, 1000, 1000, 990]);
    const [left] = await database.readHeavy(
      plain("SELECT count(*) AS c FROM numbers"),
    );
    expect(left).toEqual({ c: 0 });
  });

  it("releases a list that is not read to its end", async () => {
    const database = await openNumbers();
    for (let time = 0; time < 10; time += 1) {
      const pieces = database.readInPieces(
        [plain("SELECT 1"), plain("SELECT n FROM numbers")],
        10,
      );
      await pieces.next();
      await pieces.next();
      await pieces.return(undefined);
    }
    const [row] = await database.readHeavy(plain("SELECT 7 AS n"));
    expect(row).toEqual({ n: 7 });
  });

  it("reports a rejected statement with PostgreSQL's code, and rolls back the rest", async () => {
    const database = await openNumbers();
    const failing = database.write(async (run) => {
      await run(plain("DELETE FROM numbers"));
      await run(plain("CREATE UNIQUE INDEX one ON numbers (is_odd)"));
      await run(plain("INSERT INTO numbers VALUES (1, 1), (2, 1)"));
    });
    await expect(failing).rejects.toMatchObject({ sqlState: "23505" });
    const [row] = await database.read(
      plain("SELECT count(*) AS c FROM numbers"),
    );
    expect(row).toEqual({ c: 5000 });
    const wrong = database.readHeavy(plain("SELECT text_as_whole('x')"));
    await expect(wrong).rejects.toMatchObject({ sqlState: "22P02" });
  });

  it("queues writers, in whatever way they write", async () => {
    const database = await openNumbers();
    const order: string[] = [];
    const [begun, goOn] = [gate(), gate()];
    const first = database.write(async (run) => {
      await run(plain("DELETE FROM numbers"));
      begun.open();
      await goOn.opened;
      order.push("first");
    });
    await begun.opened;
    const others = [
      database
        .writeOne(plain("INSERT INTO numbers VALUES (1, 1) RETURNING n"))
        .then((rows) => order.push(`one ${JSON.stringify(rows)}`)),
      database.kysely
        .insertInto("numbers")
        .values({ n: 2, is_odd: false })
        .execute()
        .then(() => order.push("by Kysely")),
      database
        .write((run) => run(plain("INSERT INTO numbers VALUES (3, 1)")))
        .then(() => order.push("last")),
    ];
    const undone = database.write(async (run) => {
      await run(plain("DELETE FROM numbers"));
      throw new Error("another way");
    });
    await Promise.all([
      expect(undone).rejects.toThrow("another way"),
      (async () => goOn.open())(),
    ]);
    await Promise.all([first, ...others]);
    expect(order[0]).toBe("first");
    expect(order.slice(1).sort()).toEqual([
      "by Kysely",
      "last",
      'one [{"n":1}]',
    ]);
    expect(await database.read(plain("SELECT n FROM numbers"))).toEqual([
      ...[{ n: 1 }, { n: 2 }, { n: 3 }],
    ]);
  });

  it("aborts a writing statement that searches texts for too long", async () => {
    const database = await openNumbers();
    const slow = database.write((run) =>
      run(
        plain(
          "DELETE FROM numbers WHERE matches_pattern((SELECT group_concat(n) FROM numbers) || n, ?)",
          ["(?:[0-9]?,?){60}[0-9]{20}"],
        ),
      ),
    );
    await expect(slow).rejects.toMatchObject({ sqlState: "57014" });
  });

  it("compares bytes that were bound in a thread", async () => {
    const database = await openNumbers();
    const [row] = await database.readHeavy(
      plain("SELECT json_sort_key('1.0') = ? AS same", [
        Buffer.from([3, 3, 0x40, 1, 0x31, 0]),
      ]),
    );
    expect(row).toEqual({ same: 1 });
  });

  it("[V4-331] writes nothing more once one connection found no tables, although the others have them in their cache", async () => {
    const file = await numbersFile();
    const database = await openNumbers(file);
    const count = plain("SELECT count(*) AS c FROM numbers");
    expect(await database.read(count)).toEqual([{ c: 5000 }]);
    // In the shared memory of its connections: this much of the journal is marked as already in the database.
    const shared = await openFile(`${file}-shm`, "r+");
    await shared.write(Buffer.from([0xff, 0xff, 0, 0]), { position: 96 });
    await shared.close();
    await expect(database.readHeavy(count)).rejects.toThrow(/no such table/);
    expect(await database.read(count)).toEqual([{ c: 5000 }]);
    await expect(
      database.write((run) => run(plain("DELETE FROM numbers"))),
    ).rejects.toThrow("The database is damaged.");
  });

  it("waits for another service that writes, and blocks nothing meanwhile", async () => {
    const file = await numbersFile();
    const one = await openNumbers(file);
    const other = open(file);
    const order: string[] = [];
    const [begun, goOn] = [gate(), gate()];
    const first = one.write(async (run) => {
      await run(plain("INSERT INTO numbers VALUES (5000, 0)"));
      begun.open();
      await goOn.opened;
      order.push("first");
    });
    await begun.opened;
    const second = other
      .write((run) => run(plain("INSERT INTO numbers VALUES (5001, 1)")))
      .then(() => order.push("second"));
    const seen = await other.read(plain("SELECT max(n) AS most FROM numbers"));
    expect(seen).toEqual([{ most: 4999 }]);
    order.push("read");
    goOn.open();
    await Promise.all([first, second]);
    expect(order).toEqual(["read", "first", "second"]);
  });
});

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}
