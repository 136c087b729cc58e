// Connections on a disk that temporarily rejects writes, and concurrent changes of one connection: a rejected change changes
// nothing.

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { SyncLibrary } from "../../../../server/player/sync/sync.ts";
import { serveFaultyCloud } from "../../../support/faulty-service/faulty-service.ts";
import {
  both,
  startConnectedPlayer,
} from "../../../support/sync/connected-player.ts";

/** Writes of connections fail as in SQLite, whenever the callback returns true. */
function fullWhen(isFull: () => boolean) {
  const refuse = (): void => {
    if (!isFull()) return;
    const error = new Error("database or disk is full");
    throw Object.assign(error, { code: "SQLITE_FULL" });
  };
  return (library: SyncLibrary): SyncLibrary => ({
    ...library,
    saveConnection: (...args) => {
      refuse();
      library.saveConnection(...args);
    },
    dropConnection: async (...args) => {
      refuse();
      await library.dropConnection(...args);
    },
  });
}

describe("[V2-363] a connection", () => {
  it("that cannot be removed continues as before", async () => {
    let isFull = false;
    const running = await startConnectedPlayer(
      {},
      { breakLibrary: fullWhen(() => isFull) },
    );
    const { request, send, cloud, id, names } = running;
    isFull = true;
    const errorResponse = await request(`/sync/accounts/${id}`, {
      method: "DELETE",
    });
    expect(errorResponse.status).toBeGreaterThanOrEqual(500);
    isFull = false;
    cloud.playlists = both;
    const run = await send("POST", "/sync/run", { account_id: id });
    expect(run.status).toBeLessThan(300);
    await expect.poll(names).toEqual(["red", "green"]);
    expect(
      (await request(`/sync/accounts/${id}`, { method: "DELETE" })).status,
    ).toBe(204);
    expect(await names()).toEqual([]);
  });

  it("that cannot be given another host keeps its token", async () => {
    let isFull = false;
    const running = await startConnectedPlayer(
      {},
      { breakLibrary: fullWhen(() => isFull) },
    );
    const { send, sync, cloud, dataDir, id, syncNow, names } = running;
    const other = await serveFaultyCloud();
    const file = path.join(dataDir, "sync", "tokens", `${id}.token`);
    const before = await readFile(file, "utf8");
    isFull = true;
    const errorResponse = await send("PATCH", `/sync/accounts/${id}`, {
      ...{ base_url: other.address, token: "another" },
    });
    expect(errorResponse.status).toBeGreaterThanOrEqual(500);
    isFull = false;
    expect(sync.connection(id).baseUrl).toBe(cloud.address);
    expect(await readFile(file, "utf8")).toBe(before);
    cloud.playlists = both;
    expect(await syncNow()).toMatchObject({ isInSync: true, problem: null });
    expect(await names()).toEqual(["red", "green"]);
    expect(other.requests).toEqual([]);
  });

  it("that cannot be stored leaves no token behind", async () => {
    let isFull = false;
    const running = await startConnectedPlayer(
      {},
      { breakLibrary: fullWhen(() => isFull) },
    );
    const { send, sync, cloud, dataDir, id } = running;
    isFull = true;
    const args = { base_url: cloud.address, token: "another" };
    const errorResponse = await send("POST", "/sync/accounts", args);
    expect(errorResponse.status).toBeGreaterThanOrEqual(500);
    expect(sync.connections().map((one) => one.id)).toEqual([id]);
    expect(await readdir(path.join(dataDir, "sync", "tokens"))).toEqual([
      `${id}.token`,
    ]);
  });
});

describe("[V2-363] two concurrent changes of one connection", () => {
  it("are both applied", async () => {
    const { sync, id } = await startConnectedPlayer();
    await Promise.all([
      sync.changeConnection(id, { labels: ["lobby"] }, "another"),
      sync.changeConnection(id, { name: "Shop", mode: "ask" }),
      sync.changeConnection(id, { pollSeconds: 7 }, "a third"),
    ]);
    expect(sync.connection(id)).toMatchObject({
      ...{ labels: ["lobby"], name: "Shop", mode: "ask", pollSeconds: 7 },
    });
  });

  it("leave it removed where one removes it", async () => {
    const { sync, dataDir, id } = await startConnectedPlayer();
    const changing = sync.changeConnection(id, { name: "Shop" }, "another");
    const removing = sync.removeConnection(id, false);
    await Promise.allSettled([changing, removing]);
    expect(sync.connections()).toEqual([]);
    expect(sync.status()).toEqual([]);
    expect(await readdir(path.join(dataDir, "sync", "tokens"))).toEqual([]);
  });
});
