// Another program locks the database, or its disk is full: showing does not wait for storing.

import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openSqlite } from "../../../../server/platform/sqlite/sqlite.ts";
import { storedTakeover } from "../../../support/player/stored-takeover.ts";
import { flushPromises } from "../../../support/clock.ts";
import { png } from "../../../support/media/media.ts";
import {
  startPlayer,
  type RunningPlayer,
} from "../../../support/player/start-player.ts";
import {
  fillUp,
  mayMount,
  readOnlyAt,
  smallDisk,
} from "../../../support/machine/volume.ts";

/** Locks the database as another program would; the returned function releases it. */
function lock({ dataDir }: RunningPlayer): () => void {
  const other = openSqlite(path.join(dataDir, "vitrine.db"));
  onTestFinished(() => void other.close());
  other.exec("BEGIN IMMEDIATE");
  return () => void other.exec("ROLLBACK");
}

const kept = ({ dataDir }: RunningPlayer): unknown => storedTakeover(dataDir);

async function withTwo(dataDir?: string): Promise<RunningPlayer> {
  const running = await startPlayer(dataDir === undefined ? {} : { dataDir });
  await running.add({ name: "One" });
  await running.add({ name: "Two" });
  await flushPromises();
  return running;
}

const fire = { text: "Fire" };

describe("a player whose database is locked by another program", () => {
  it("[V2-452][V2-504] keeps showing, and rejects a change with 503 and the reason once the lock has lasted", async () => {
    const running = await withTwo();
    const { list, stage, clock, request } = running;
    const [asset] = await list();
    const unlock = lock(running);
    const answer = await request(`/assets/${asset?.asset_id}`, {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ name: "Other" }),
    });
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { detail: expect.stringContaining("Another program") },
    ]);
    expect(answer.headers.get("Retry-After")).toBe("2");
    const before = stage.shown.length;
    await clock.advance(30_000);
    expect(stage.shown.slice(before)).toEqual(["Two", "One", "Two"]);
    expect((await request("/assets")).status).toBe(200);

    unlock();
    await clock.advance(60_000);
    const playbacks = (await (await request("/playbacks")).json()) as {
      name: string;
    }[];
    // None of them was lost.
    expect(playbacks.length).toBeGreaterThanOrEqual(8);
  });

  it("[V2-452] lets a new asset and a new order wait meanwhile, and writes each once", async () => {
    const running = await withTwo();
    const { send, list } = running;
    const ids = (await list()).map(({ asset_id }) => asset_id);
    const unlock = lock(running);
    const created = send("POST", "/assets", {
      ...{ name: "Three", uri: "https://example.org/", mimetype: "webpage" },
      ...{ start_date: "2020-01-01T00:00:00Z", is_enabled: true },
      ...{ end_date: "2100-01-01T00:00:00Z", duration: 10 },
      skip_asset_check: true,
    });
    const ordered = send("POST", "/assets/order", {
      ids: ids.toReversed().join(),
    });
    expect(await list()).toHaveLength(2);
    unlock();
    expect([(await created).status, (await ordered).status]).toEqual([
      201, 200,
    ]);
    expect((await list()).map(({ name }) => name).sort()).toEqual([
      ...["One", "Three", "Two"],
    ]);
  });

  it("[V2-505] lets additions from the manager wait meanwhile, and says why they failed", async () => {
    const running = await withTwo();
    const { player, dataDir, send } = running;
    const file = path.join(dataDir, "a.png");
    await writeFile(file, png([1, 2, 3]));
    const unlock = lock(running);
    await expect(player.uploadFile(file)).rejects.toThrow(/Another program/);
    const adding = player.uploadFile(file);
    const page = send("POST", "/assets/add", {
      ...{ uri: "http://127.0.0.1:9/", skip_asset_check: true },
    });
    unlock();
    const added = await send("POST", "/assets/add", await adding);
    expect([added.status, (await page).status]).toEqual([201, 201]);
    expect(player.assets()).toHaveLength(4);
  });

  it("[V2-452] lets a change wait meanwhile, without blocking anything else", async () => {
    const running = await withTwo();
    const { send, list, request } = running;
    const [asset] = await list();
    const unlock = lock(running);
    const changed = send("PATCH", `/assets/${asset?.asset_id}`, {
      name: "Other",
    });
    for (let index = 0; index < 3; index += 1)
      expect((await request("/assets")).status).toBe(200);
    unlock();
    expect(await changed).toMatchObject({
      ...{ status: 200, body: { name: "Other" } },
    });
  });

  it("[V2-453] shows a takeover and ends it, and stores both as soon as possible", async () => {
    const running = await withTwo();
    const { send, stage, clock, request } = running;
    let unlock = lock(running);
    expect((await send("POST", "/takeover", fire)).status).toBe(201);
    await flushPromises();
    expect(stage.visible()?.content).toMatchObject(fire);
    expect(kept(running)).toBeNull();
    unlock();
    await clock.advance(2000);
    expect(kept(running)).toBe("Fire");

    unlock = lock(running);
    expect((await request("/takeover", { method: "DELETE" })).status).toBe(204);
    await flushPromises();
    expect(stage.visible()?.name).toBe("One");
    expect(kept(running)).toBe("Fire");
    unlock();
    await clock.advance(2000);
    expect(kept(running)).toBeNull();
  });
});

describe("a player whose database was locked for minutes", () => {
  it("[V2-749] has stored the end of a takeover two seconds after the lock is released", async () => {
    const running = await withTwo();
    const { send, clock, request } = running;
    await send("POST", "/takeover", fire);
    expect(kept(running)).toBe("Fire");
    const unlock = lock(running);
    expect((await request("/takeover", { method: "DELETE" })).status).toBe(204);
    await clock.advance(90_000);
    unlock();
    await clock.advance(2000);
    expect(kept(running)).toBeNull();
  });
});

describe("a player whose disk is gone", () => {
  it.each(["in one piece", "in pieces"])(
    "[V2-452][V2-504] rejects an upload %s with 507, and says that the disk accepts no writes",
    async (how) => {
      const { request, dataDir } = await withTwo();
      await rm(path.join(dataDir, "files"), { recursive: true });
      const form = new FormData();
      form.set("file_upload", new Blob(["x".repeat(2000)]), "a.png");
      const pieces = { "Content-Range": "bytes 0-1999/4000" };
      const answer = await request("/file_asset", {
        ...{ method: "POST", body: form },
        headers: how === "in pieces" ? pieces : {},
      });
      expect([answer.status, await answer.json()]).toEqual([
        507,
        {
          detail: expect.stringContaining("Cannot write to this player's disk"),
        },
      ]);
      expect(answer.headers.get("Retry-After")).toBe("60");
    },
  );

  it.skipIf(!mayMount)(
    "[V2-452] rejects an upload with 507 when the disk has become read-only",
    async () => {
      const { upload, dataDir } = await withTwo();
      readOnlyAt(path.join(dataDir, "files", "aside"));
      expect((await upload(png([1, 2, 3]))).status).toBe(507);
    },
  );
});

describe.skipIf(!mayMount)("a player whose disk has become read-only", () => {
  it("[V2-747] rejects a backup with 507", async () => {
    const { request, dataDir } = await withTwo();
    readOnlyAt(path.join(dataDir, "backups"));
    const backup = await request("/backup", { method: "POST" });
    expect(backup.status).toBe(507);
    expect(await backup.json()).toHaveProperty("detail");
  });
});

describe.skipIf(!mayMount)("a player whose disk has become full", () => {
  it("[V2-452][V2-453] keeps showing, rejects changes with 507, shows a takeover and stores it once there is space", async () => {
    const dataDir = await smallDisk(40);
    const running = await withTwo(dataDir);
    const { send, list, stage, clock } = running;
    const [asset] = await list();
    const filler = await fillUp(dataDir, 0);
    // It still accepts what the write-ahead log has space for.
    const change = async (): Promise<number> => {
      const sent = { name: "x".repeat(900) };
      return (await send("PATCH", `/assets/${asset?.asset_id}`, sent)).status;
    };
    await expect.poll(change).toBe(507);
    expect((await send("POST", "/takeover", fire)).status).toBe(201);
    await flushPromises();
    expect(stage.visible()?.content).toMatchObject(fire);
    await rm(filler);
    await clock.advance(60_000);
    expect(kept(running)).toBe("Fire");
    expect(await change()).toBe(200);
  });
});
