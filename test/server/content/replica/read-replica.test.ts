// Lists from a read replica: a real PostgreSQL primary and a real streaming replica, held up, killed and promoted.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readContentConfig } from "../../../../server/content/config.ts";
import type { ContentOptions } from "../../../../server/content/content.ts";
import type { ContentTables } from "../../../../server/content/tables.ts";
import type { Database } from "../../../../server/platform/database/database.ts";
import { openPostgres } from "../../../../server/platform/database/postgres.ts";
import { clientV3, type ClientV3 } from "../../../support/content/each-v3.ts";
import { claimedPlayer } from "../../../support/content/linked-player.ts";
import {
  contentKey,
  startContent,
} from "../../../support/content/start-content.ts";
import {
  makeDatabase,
  programFolder,
} from "../../../support/database/postgres.ts";
import {
  startReplicatedPostgres,
  type ReplicatedPostgres,
} from "../../../support/database/replicated-postgres.ts";
import { temporaryFolder } from "../../../support/folder.ts";

it("[V4-400] a read replica needs its primary, and a limit from a second to an hour", () => {
  const read = (...words: string[]) =>
    readContentConfig(["--data-dir", "x", ...words], {});
  const replica = ["--read-database-url", "postgres://replica/x"];
  const primary = ["--database-url", "postgres://primary/x"];
  expect(read(...replica)).toEqual({
    ok: false,
    message:
      "--read-database-url needs --database-url, the address of its primary.",
  });
  expect(read(...replica, ...primary)).toMatchObject({
    ...{ ok: true, value: { readMaxLagSeconds: 5 } },
  });
  for (const seconds of ["0", "3601", "soon"])
    expect(read("--read-max-lag-seconds", seconds).ok).toBe(false);
});

describe.skipIf(programFolder() === null)("a read replica", () => {
  let servers: ReplicatedPostgres;
  let databaseUrl = "";
  let readDatabaseUrl = "";
  let primary: Database<ContentTables>;
  let replica: Database<ContentTables>;

  beforeAll(async () => {
    servers = await startReplicatedPostgres();
    const made = await makeDatabase(servers.primaryUrl);
    databaseUrl = made.url;
    const url = new URL(servers.replicaUrl);
    url.pathname = `/${made.name}`;
    readDatabaseUrl = url.href;
    primary = openPostgres(databaseUrl, { connections: 2 });
    replica = openPostgres(readDatabaseUrl, { connections: 1 });
  });
  afterAll(async () => {
    await primary.close();
    await replica.close();
    await servers.stop();
  });

  const onReplica = (text: string) => replica.read({ text, values: [] });
  async function pauseReplay(): Promise<void> {
    await onReplica("SELECT pg_wal_replay_pause()");
    await expect
      .poll(() => onReplica("SELECT pg_get_wal_replay_pause_state() AS state"))
      .toEqual([{ state: "paused" }]);
  }
  const resumeReplay = () => onReplica("SELECT pg_wal_replay_resume()");

  async function start(options: Partial<ContentOptions>) {
    const content = await startContent(await temporaryFolder(), {
      ...{ databaseUrl, readDatabaseUrl, readMaxLagSeconds: 60 },
      ...options,
    });
    const { address, keys } = content;
    const health = async (): Promise<Record<string, unknown>> =>
      (await (await fetch(`${address}/health`)).json()) as Record<
        string,
        unknown
      >;
    return {
      ...{ content, health, v3: clientV3(address, contentKey) },
      teamWithKey: async (team: string) =>
        clientV3(address, await keys.add({ name: "test", team })),
      untilFrom: (server: "replica" | "primary") =>
        expect
          .poll(async () => (await health())["lists_from"], { timeout: 30_000 })
          .toBe(server),
      /** How many lists this server has answered. */
      answered: async (server: "replica" | "primary"): Promise<number> => {
        const text = await (await fetch(`${address}/metrics`)).text();
        const found = new RegExp(
          `^vitrine_content_list_reads_total\\{server="${server}"\\} (\\d+)$`,
          "m",
        ).exec(text);
        return Number(found?.[1]);
      },
    };
  }

  const titlesOf = async (client: ClientV3): Promise<readonly string[]> =>
    (await client.rows<{ id: string; title: string }>("/v4/labels?select=*"))
      .map((row) => String((row as unknown as { name: string }).name))
      .sort();

  it("[V4-400] [V4-403] [V4-404] answers lists and reports of API clients, none of players; health and metrics say so", async () => {
    const { v3, untilFrom, answered, content } = await start({});
    await untilFrom("replica");
    const player = await claimedPlayer(v3);
    await expect
      .poll(async () => {
        const before = await answered("replica");
        await v3.get("/groups/");
        return (await answered("replica")) - before;
      })
      .toBe(1);
    const before = {
      ...{ replica: await answered("replica") },
      ...{ primary: await answered("primary") },
    };
    const paths = [
      ...["/v4/assets", "/v4.1/screens?limit=5", "/v3/assets/", "/v3/screens/"],
      ...["/v3/playlists/", "/v3/playbacks", "/v3/playbacks/report"],
      ...["/v3/screens/outages", "/v3/screens/outages/totals?by=screen"],
    ];
    for (const path of paths)
      expect([path, (await v3.request(path)).status]).toEqual([path, 200]);
    const total = await v3.request("/v4/assets", {
      headers: { Prefer: "count=exact" },
    });
    expect(total.status).toBe(200);
    expect(await answered("replica")).toBeGreaterThan(
      before.replica + paths.length,
    );
    expect(await answered("primary")).toBe(before.primary);
    // A player reads once it is notified of a change, by which the replica may not have it.
    const listed = await player.request("GET", "/v4/assets");
    expect(listed.status).toBe(200);
    const ofAll = (await answered("replica")) + (await answered("primary"));
    await player.request("GET", "/v4/assets");
    expect((await answered("replica")) + (await answered("primary"))).toBe(
      ofAll,
    );
    const metrics = await (await fetch(`${content.address}/metrics`)).text();
    expect(metrics).toMatch(/^vitrine_content_replica_in_use 1$/m);
    expect(metrics).toMatch(/^vitrine_content_replica_lag_seconds [\d.e-]+$/m);
  });

  it("[V4-401] a client reads what its team wrote, through any instance, however late the replica is", async () => {
    const [one, other] = await Promise.all([start({}), start({})]);
    await Promise.all([one.untilFrom("replica"), other.untilFrom("replica")]);
    const quiet = await other.teamWithKey("Quiet");
    await expect.poll(() => titlesOf(quiet)).toEqual(["all-screens"]);
    await pauseReplay();
    try {
      const known = new Set(await titlesOf(one.v3));
      const before = await other.answered("primary");
      for (let round = 0; round < 10; round += 1) {
        const [here, there] = round % 2 ? [one, other] : [other, one];
        const name = `Round ${round}`;
        known.add(name);
        if (round % 3 === 0) await here.v3.make("/groups/", { name });
        else await here.content.add("/v4/labels", { name });
        expect(await titlesOf(there.v3)).toEqual([...known].sort());
      }
      expect(await other.answered("primary")).toBe(before + 5);
      // The replica has everything of a team that wrote nothing.
      const replicaBefore = await other.answered("replica");
      expect(await titlesOf(quiet)).toEqual(["all-screens"]);
      expect(await other.answered("replica")).toBe(replicaBefore + 1);
    } finally {
      await resumeReplay();
    }
    // Once it has applied the writes, it answers again.
    await expect
      .poll(async () => {
        const before = await one.answered("replica");
        await titlesOf(one.v3);
        return (await one.answered("replica")) - before;
      })
      .toBe(1);
  });

  it("[V4-402] the primary answers while the replica is too late, also what already waits for it", async () => {
    const { v3, health, untilFrom, answered } = await start({
      readMaxLagSeconds: 2,
    });
    await v3.request("/v4/labels");
    await untilFrom("replica");
    // A lock that the replica has applied, and whose end it does not get to know.
    const isLocked = async () =>
      (
        await onReplica(
          `SELECT 1 FROM pg_locks WHERE relation = 'labels'::regclass AND mode = 'AccessExclusiveLock'`,
        )
      ).length > 0;
    await primary.write(async (run) => {
      await run({
        text: "LOCK TABLE labels IN ACCESS EXCLUSIVE MODE",
        values: [],
      });
      await expect
        .poll(async () => {
          // Other writes bring the lock to the replica.
          await primary.read({
            text: "SELECT pg_switch_wal()",
            values: [],
          });
          return isLocked();
        })
        .toBe(true);
      await pauseReplay();
    });
    try {
      const before = await answered("replica");
      expect((await v3.request("/v4/labels")).status).toBe(200);
      expect(await answered("replica")).toBe(before);
      await untilFrom("primary");
      expect((await health())["replica_problem"]).toBe(
        "it is more than 2 s behind",
      );
      expect((await v3.request("/v4/labels")).status).toBe(200);
    } finally {
      await resumeReplay();
    }
    await untilFrom("replica");
    expect(await health()).not.toHaveProperty("replica_problem");
  });

  it("[V4-402] no list fails when the replica is killed, and it is used again once it is back", async () => {
    const { v3, health, untilFrom } = await start({});
    await untilFrom("replica");
    let isOver = false;
    const statuses = new Set<number>();
    const reading = Array.from({ length: 4 }, async () => {
      while (!isOver) statuses.add((await v3.request("/v4/assets")).status);
    });
    await servers.killReplica();
    await untilFrom("primary");
    isOver = true;
    await Promise.all(reading);
    expect([...statuses]).toEqual([200]);
    expect((await health())["replica_problem"]).toBe("it cannot be reached");
    // A service starts without it, too.
    const late = await start({});
    expect((await late.v3.request("/v4/assets")).status).toBe(200);
    await servers.restartReplica();
    await Promise.all([untilFrom("replica"), late.untilFrom("replica")]);
  });

  it("[V4-402] a replica that was promoted answers nothing any more", async () => {
    const { v3, health, untilFrom } = await start({});
    await untilFrom("replica");
    await onReplica("SELECT pg_promote()");
    // From then on, it has rows that its former primary does not have.
    await replica.writeOne({
      text: "UPDATE labels SET name = 'Elsewhere'",
      values: [],
    });
    expect(await titlesOf(v3)).not.toContain("Elsewhere");
    await untilFrom("primary");
    expect(await titlesOf(v3)).not.toContain("Elsewhere");
    expect((await health())["replica_problem"]).toBe(
      "it is no longer a replica",
    );
  });
});
