// The file of an SQLite database is removed while the service runs: what was acknowledged is there at the next start.

import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../support/folder.ts";
import { startContent } from "../../../support/content/start-content.ts";

const files = ["content.db", "content.db-wal", "content.db-shm"];

describe.skipIf(process.platform === "win32")("an SQLite database", () => {
  it.each([
    ["with all its files", files],
    ["without its journal", files.slice(0, 1)],
    ["the journal only", files.slice(1, 2)],
  ])(
    "[V4-323] that is removed, %s, is restored with everything acknowledged, and rejects writes until the next start",
    async (_what, names) => {
      const dataDir = await temporaryFolder();
      const content = await startContent(dataDir);
      await content.add("/v4/assets", [{ title: "a" }, { title: "b" }]);
      for (const name of names) await rm(path.join(dataDir, name));
      const errorResponse = await content.request("/v4/assets", {
        ...{ method: "POST", body: '{"title":"c"}' },
        headers: { "Content-Type": "application/json" },
      });
      expect([errorResponse.status, await errorResponse.json()]).toMatchObject([
        ...[503, { code: "58030" }],
      ]);
      const titles = "/v4/assets?select=title&order=title";
      expect(await content.rows(titles)).toEqual([
        ...[{ title: "a" }, { title: "b" }],
      ]);
      for (const place of ["/health", "/health/live"]) {
        const health = await fetch(content.address + place);
        expect([health.status, await health.json()]).toEqual([
          ...[
            503,
            { status: "the database was taken away: restart the service" },
          ],
        ]);
      }
      // A reading thread creates no new database in its place.
      await content.request("/v4/assets?select=title&title=fts.a", {
        headers: { Prefer: "count=exact" },
      });
      await content.stop();
      const { mode } = await stat(path.join(dataDir, "content.db"));
      expect((mode & 0o777).toString(8)).toBe("600");
      expect(await readdir(dataDir)).not.toContain("content.db.part");
      const next = await startContent(dataDir);
      expect(await next.rows(titles)).toEqual([
        ...[{ title: "a" }, { title: "b" }],
      ]);
      const health = await fetch(`${next.address}/health`);
      expect(await health.json()).toEqual({ status: "ok" });
      await next.add("/v4/assets", { title: "c" });
    },
  );
});
