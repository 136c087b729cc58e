// A database that is damaged under a service that runs.

import { open, stat } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../support/folder.ts";
import { startContent } from "../../../support/start-content.ts";

/** Of the machine no client is told. */
const placesOfMachine = /content\.db|\/tmp\/|SQLITE|\bat \w+ \(/;

const reads = [
  ...["/v4/assets?select=*", "/v4/assets?select=title&order=title"],
  ...["/v4/assets?title=fts.seven", "/v3/assets/", "/v3/me"],
];

describe("a SQLite database", () => {
  it("[V4-318] that is overwritten meanwhile is said to be damaged, without what the machine calls it", async () => {
    const dataDir = await temporaryFolder();
    const content = await startContent(dataDir);
    const metadata = { text: "seven ".repeat(500) };
    const rows = Array.from({ length: 900 }, (_, at) => ({
      ...{ title: `A${at}`, metadata },
    }));
    await content.add("/v4/assets", rows);
    for (const name of ["content.db", "content.db-wal"]) {
      const place = path.join(dataDir, name);
      const { size } = await stat(place);
      const file = await open(place, "r+");
      // The head stays as it is: it is what it was, by its beginning.
      await file.write(Buffer.alloc(Math.max(0, size - 4096), 0xa7), {
        position: 4096,
      });
      await file.close();
    }
    const answers: (readonly [string, number, boolean, string])[] = [];
    for (const read of reads) {
      const answer = await content.ask(read);
      const text = await answer.text();
      answers.push([
        ...([read, answer.status] as const),
        ...([answer.headers.has("Retry-After"), text] as const),
      ]);
    }
    const damaged = answers.filter(([, status]) => status !== 200);
    expect(damaged).not.toEqual([]);
    for (const [read, status, hasPause, text] of damaged) {
      expect([read, status, hasPause, text]).toEqual([read, 503, true, text]);
      expect(text).toMatch(/damaged|cannot be read/);
      expect(text).not.toMatch(placesOfMachine);
    }
  });
});
