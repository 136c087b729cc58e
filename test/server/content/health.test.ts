// Readiness and liveness: responses of /health while the database or the files cannot be read or written.

import { rename } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Database } from "../../../server/platform/database/database.ts";
import { openPostgres } from "../../../server/platform/database/postgres.ts";
import { openSqliteDatabase } from "../../../server/platform/sqlite/sqlite-database.ts";
import { afterThisTest } from "../../support/after-this-test.ts";
import {
  eachContent,
  type Ground,
} from "../../support/content/each-content.ts";
import { startContent } from "../../support/content/start-content.ts";
import { mayMount, readOnlyAt } from "../../support/machine/volume.ts";

interface HealthAnswer {
  readonly status: number;
  readonly pause: string | null;
  readonly body: unknown;
}

async function readHealth(
  address: string,
  place = "/health",
): Promise<HealthAnswer> {
  const answer = await fetch(address + place);
  const pause = answer.headers.get("Retry-After");
  return { status: answer.status, pause, body: await answer.json() };
}

const ok = { status: 200, pause: null, body: { status: "ok" } };
const unavailable = (status: string) => ({
  ...{ status: 503, pause: "5", body: { status } },
});
const readOnly = (problem: string) => ({
  ...{ status: 200, pause: null, body: { status: "read-only", problem } },
});

/** A connection besides the service's own. */
function secondConnection({ dataDir, databaseUrl }: Ground): Database<never> {
  const database: Database<never> =
    databaseUrl === undefined
      ? openSqliteDatabase<never>(path.join(dataDir, "content.db"))
      : openPostgres<never>(databaseUrl, { connections: 2 });
  afterThisTest(() => database.close());
  return database;
}

describe("the health of the service", () => {
  eachContent(({ ground, kind }) => {
    it("[V4-320] is 503 with Retry-After while its tables cannot be read, and ok again by itself; the process lives on", async () => {
      const place = await ground();
      const { address } = await startContent(place.dataDir, place);
      expect(await readHealth(address)).toEqual(ok);
      const other = secondConnection(place);
      const execute = (text: string) => other.writeOne({ text, values: [] });
      await execute("ALTER TABLE assets RENAME TO assets_away");
      await expect
        .poll(() => readHealth(address))
        .toEqual(unavailable("the database does not answer"));
      expect(await readHealth(address, "/health/live")).toEqual(ok);
      await execute("ALTER TABLE assets_away RENAME TO assets");
      await expect.poll(() => readHealth(address)).toEqual(ok);
    });

    it("[V4-326] requests are 503 with Retry-After while a table is missing, and succeed again by themselves", async () => {
      const place = await ground();
      const { address, request } = await startContent(place.dataDir, place);
      const other = secondConnection(place);
      const execute = (text: string) => other.writeOne({ text, values: [] });
      await execute("ALTER TABLE assets RENAME TO assets_away");
      const headers = { Prefer: "count=exact" };
      for (const init of [{}, { headers }]) {
        const answer = await request("/v4/assets", init);
        const pause = answer.headers.has("Retry-After");
        const text = await answer.text();
        expect([answer.status, pause, text]).toEqual([
          ...[503, true, expect.not.stringContaining("assets")],
        ]);
      }
      await execute("ALTER TABLE assets_away RENAME TO assets");
      await expect.poll(() => readHealth(address)).toEqual(ok);
      expect((await request("/v4/assets")).status).toBe(200);
    });

    it("[V4-320] is 503 while its files cannot be read", async () => {
      const place = await ground();
      const { address } = await startContent(place.dataDir, place);
      const kept = path.join(place.dataDir, "files", "kept");
      await rename(kept, `${kept}-away`);
      await expect
        .poll(() => readHealth(address))
        .toEqual(unavailable("the files cannot be read"));
      await rename(`${kept}-away`, kept);
      await expect.poll(() => readHealth(address)).toEqual(ok);
    });

    it.runIf(mayMount)(
      "[V4-320] reports that writes fail while reads succeed, and is ok again by itself",
      async () => {
        const place = await ground();
        const { address } = await startContent(place.dataDir, place);
        expect(await readHealth(address)).toEqual(ok);
        const end = readOnlyAt(path.join(place.dataDir, "files", "aside"));
        await expect
          .poll(() => readHealth(address))
          .toEqual(readOnly("the disk cannot be written"));
        end();
        await expect.poll(() => readHealth(address)).toEqual(ok);
      },
    );

    it.runIf(kind === "postgres")(
      "[V4-320] is returned though its tables are locked, and reports that when it lasts",
      async () => {
        const place = await ground();
        const { address } = await startContent(place.dataDir, place);
        await secondConnection(place).write(async (run) => {
          await run({
            ...{ text: "LOCK TABLE assets IN ACCESS EXCLUSIVE MODE" },
            values: [],
          });
          await expect
            .poll(() => readHealth(address))
            .toEqual(unavailable("the database does not answer"));
          expect(await readHealth(address, "/health/live")).toEqual(ok);
        });
        await expect.poll(() => readHealth(address)).toEqual(ok);
      },
    );

    it.runIf(kind === "postgres")(
      "[V4-320] reports a database that has become read-only",
      async () => {
        const place = await ground();
        const { address } = await startContent(place.dataDir, place);
        const other = secondConnection(place);
        const execute = (text: string) => other.read({ text, values: [] });
        const name = new URL(place.databaseUrl ?? "").pathname.slice(1);
        const set = async (how: string) => {
          await execute(
            `ALTER DATABASE ${name} SET default_transaction_read_only = ${how}`,
          );
          await execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
          );
        };
        await set("on");
        await expect
          .poll(() => readHealth(address))
          .toEqual(readOnly("the database cannot be written"));
        await set("off");
        await expect.poll(() => readHealth(address)).toEqual(ok);
      },
    );
  });
});
