// Readiness and liveness: responses of /health while the database or the files cannot be read or written.

import { rename } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createHealth } from "../../../server/content/health.ts";
import { eachContent } from "../../support/content/each-content.ts";
import { secondConnection } from "../../support/content/second-connection.ts";
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
        .toEqual(unavailable("the database does not respond"));
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
      const filesFolder = path.join(place.dataDir, "files", "kept");
      await rename(filesFolder, `${filesFolder}-away`);
      await expect
        .poll(() => readHealth(address))
        .toEqual(unavailable("the files cannot be read"));
      await rename(`${filesFolder}-away`, filesFolder);
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
          .toEqual(readOnly("the disk cannot be written to"));
        end();
        await expect.poll(() => readHealth(address)).toEqual(ok);
      },
    );

    it.runIf(mayMount)(
      "[V4-320] reports a store that takes no files while its temporary ones are written",
      async () => {
        const place = await ground();
        const { address } = await startContent(place.dataDir, place);
        const end = readOnlyAt(path.join(place.dataDir, "files", "kept"));
        await expect
          .poll(() => readHealth(address))
          .toEqual(readOnly("the disk cannot be written to"));
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
            .toEqual(unavailable("the database does not respond"));
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
          .toEqual(readOnly("the database cannot be written to"));
        await set("off");
        await expect.poll(() => readHealth(address)).toEqual(ok);
      },
    );
  });
});

describe("the first health check", () => {
  it("[V4-320] is awaited for a second, later ones for 80 ms; without a result the one before is returned, for five seconds", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let answer: (rows: readonly object[]) => void = () => undefined;
    const { ready } = createHealth({
      database: {
        kind: "sqlite",
        read: () =>
          new Promise((resolve) => {
            answer = resolve as typeof answer;
          }),
      },
      store: { check: async () => ({ canRead: true, canWrite: true }) },
      clock: { machineAheadMs: () => 0 },
      whyReopen: () => null,
      storeHealth: () => ({}),
      monotonic: () => Date.now(),
    });
    const request = () => {
      const seen = { status: 0, afterMs: -1 };
      const startedAt = Date.now();
      const response = {
        setHeader: () => response,
        status: (code: number) => {
          [seen.status, seen.afterMs] = [code, Date.now() - startedAt];
          return response;
        },
        json: () => response,
      };
      void ready({} as never, response as never, () => undefined);
      return seen;
    };
    const first = request();
    await vi.advanceTimersByTimeAsync(999);
    expect(first.status).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(first).toEqual({ status: 200, afterMs: 1_000 });
    answer([{}]);
    await vi.advanceTimersByTimeAsync(1_000);
    const second = request();
    await vi.advanceTimersByTimeAsync(79);
    expect(second.status).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(second).toEqual({ status: 200, afterMs: 80 });
    // The last result is too old by then.
    await vi.advanceTimersByTimeAsync(4_000);
    const third = request();
    await vi.advanceTimersByTimeAsync(80);
    expect(third).toEqual({ status: 503, afterMs: 80 });
    answer([{}]);
    await vi.advanceTimersByTimeAsync(0);
    const fourth = request();
    await vi.advanceTimersByTimeAsync(0);
    expect(fourth).toEqual({ status: 200, afterMs: 0 });
  });
});
