// Threads that read SQLite, and their end.

import { execFile } from "node:child_process";
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
  const file = path.join(await temporaryFolder(), "content.db");
  openSqlite(file).close();
  // Each time a little later: most of them while SQLite is loaded.
  const program = `
    import { createSqliteReaders } from ${JSON.stringify(readers)};
    for (let ms = 10; ms < 70; ms += 1) {
      const options = { file: ${JSON.stringify(file)}, binding: undefined, statementMs: 10_000 };
      const readers = createSqliteReaders(options, async () => undefined);
      const read = readers.all({ text: "SELECT 1 AS one", values: [] }).catch(() => null);
      const until = performance.now() + ms;
      while (performance.now() < until)
        await new Promise((resolve) => setImmediate(resolve));
      await readers.close();
      await read;
    }
    console.log("all closed");
  `;
  const { stdout } = await run(process.execPath, [
    ...["--input-type=module", "--eval", program],
  ]);
  expect(stdout).toBe("all closed\n");
});
