// Threads that read SQLite, and their end.

import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { openSqlite } from "../../../../server/platform/sqlite/sqlite.ts";
import { temporaryFolder } from "../../../support/folder.ts";

const run = promisify(execFile);
const readers = fileURLToPath(
  new URL(
    "../../../../server/platform/sqlite/sqlite-readers.ts",
    import.meta.url,
  ),
);

it("a database that is closed while its threads open it doesn't end the process", async () => {
  const folder = await temporaryFolder();
  const file = path.join(folder, "content.db");
  openSqlite(file).close();
  // Each time a little later, around the moment at which a thread loads SQLite.
  const program = `
    import { createSqliteReaders } from ${JSON.stringify(readers)};
    const open = () => createSqliteReaders(
      { file: ${JSON.stringify(file)}, binding: undefined, statementMs: 10_000 },
      async () => undefined,
    );
    const read = (of) => of.all({ text: "SELECT 1 AS one", values: [] });
    const times = [];
    for (let round = 0; round < 5; round += 1) {
      const started = performance.now();
      const first = open();
      await read(first);
      times.push(performance.now() - started);
      await first.close();
    }
    const usual = times.sort((a, b) => a - b)[2];
    for (let part = 0.7; part < 1; part += 0.004) {
      const readers = open();
      const reading = read(readers).catch(() => null);
      const until = performance.now() + part * usual;
      while (performance.now() < until)
        await new Promise((resolve) => setImmediate(resolve));
      await readers.close();
      await reading;
    }
    console.log("all closed");
  `;
  const script = path.join(folder, "close.mjs");
  await writeFile(script, program);
  const { stdout } = await run(process.execPath, [script]);
  expect(stdout).toBe("all closed\n");
});
