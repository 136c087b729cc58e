// Connections: tokens, download limits and hours, and what is removed with them.

import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  cloudImage,
  serveFaultyCloud,
} from "../../../support/faulty-service/faulty-service.ts";
import { backup, recover } from "../../../support/player/recover.ts";
import { startSync } from "../../../support/sync/start-sync.ts";
import {
  blue,
  both,
  green,
  red,
  startConnectedPlayer,
} from "../../../support/sync/connected-player.ts";
import { hasModes } from "../../../support/file-modes.ts";

const megabyte = 1024 * 1024;
const large = cloudImage("large", [9, 9, 9], 3 * megabyte);

describe("[V2-200] connections", () => {
  it("[V2-201] keep the token out of every response, in a file readable by its owner alone", async () => {
    const { dataDir, request, id, send } = await startConnectedPlayer();
    const secret = "a-very-secret-token";
    await send("PATCH", `/sync/accounts/${id}`, { token: secret });
    for (const where of ["/sync/accounts", `/sync/accounts/${id}`, "/sync"])
      expect(await (await request(where)).text()).not.toContain(secret);
    expect(await (await request(`/sync/accounts/${id}`)).json()).toMatchObject({
      token_storage: "file",
    });
    const file = path.join(dataDir, "sync", "tokens", `${id}.token`);
    if (hasModes) expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, "utf8")).toContain(secret);
    const archive = await (
      await request("/backup?stream=1", { method: "POST" })
    ).arrayBuffer();
    expect(Buffer.from(archive).includes(secret)).toBe(false);
  });

  it("[V2-202] require another token for another host, and reject unusable addresses", async () => {
    const { send, id } = await startConnectedPlayer();
    const at = `/sync/accounts/${id}`;
    const elsewhere = { base_url: "https://elsewhere.example" };
    expect((await send("PATCH", at, elsewhere)).body).toHaveProperty("token");
    for (const base_url of [
      ...["ftp://x", "https://u:p@x", "https://x/?a", "https://x/?", "x", 7],
      ...["https://x/#a", "https://x/#"],
    ])
      expect(
        (await send("POST", "/sync/accounts", { base_url, token: "t" })).body,
      ).toHaveProperty("base_url");
    for (const token of ["", "a b", "ä", "a\nb"])
      expect(
        (await send("POST", "/sync/accounts", { ...elsewhere, token })).body,
      ).toHaveProperty("token");
  });

  it("[V2-202] send their token to no host but its own, also where a recovery restores an older address", async () => {
    const running = await startConnectedPlayer();
    const { cloud, sync, id, syncNow, until } = running;
    const archive = await backup(running);
    const other = await serveFaultyCloud();
    await sync.changeConnection(id, { baseUrl: other.address }, "another");
    await until(({ lastAppliedAt }) => lastAppliedAt !== null);
    const before = cloud.requests.length;
    expect((await recover(running, archive)).status).toBe(200);
    await expect.poll(() => sync.connection(id).baseUrl).toBe(cloud.address);
    expect(sync.connection(id).tokenKept).toBeNull();
    await syncNow();
    const reported = cloud.requests
      .slice(before)
      .map((one) => one.rawHeaders.join());
    expect(reported.join()).not.toContain("another");
    await sync.changeConnection(id, {}, "once more");
    expect(sync.connection(id).tokenKept).toBe("file");
  });

  it("[V2-202] keep a token stored before hosts were recorded", async () => {
    const { id, dataDir, player, stopSync } = await startConnectedPlayer();
    await stopSync();
    await player.stop();
    const file = path.join(dataDir, "sync", "tokens", `${id}.token`);
    await writeFile(file, "plain:old");
    const again = await startSync({ player: { dataDir } });
    expect(again.sync.connection(id).tokenKept).toBe("file");
    expect(await readFile(file, "utf8")).toMatch(/"origin":.*"token":"old"/);
  });

  it("[V2-203] remove the assets they brought, or leave them", async () => {
    for (const keep of [true, false]) {
      const { request, id, names, dataDir } = await startConnectedPlayer();
      const at = `/sync/accounts/${id}${keep ? "?keep=1" : ""}`;
      expect((await request(at, { method: "DELETE" })).status).toBe(204);
      expect(await names()).toEqual(keep ? ["red"] : []);
      const file = path.join(dataDir, "sync", "tokens", `${id}.token`);
      await expect(stat(file)).rejects.toThrow();
    }
  });

  it("to two services share nothing but the screen", async () => {
    const { cloud, connect, names, sync, syncNow } =
      await startConnectedPlayer();
    const other = await serveFaultyCloud();
    other.playlists = [{ id: "P1", assets: [{ ...red }, blue] }];
    const second = await connect({ baseUrl: other.address });
    expect(await names()).toEqual(["red", "blue", "red-1"]);
    await sync.removeConnection(second, false);
    expect(await names()).toEqual(["red"]);
    cloud.playlists = both;
    await syncNow();
    expect(await names()).toEqual(["red", "green"]);
  });

  it("[V2-217] download nothing outside their hours, and what is here already plays on", async () => {
    const { cloud, syncNow, sync, id, until, names } =
      await startConnectedPlayer();
    const now = Date.now() % 86_400_000;
    const day = 86_400_000;
    await sync.changeConnection(id, {
      fetchFromMs: (now + 2 * 3_600_000) % day,
      fetchUntilMs: (now + 3 * 3_600_000) % day,
    });
    cloud.playlists = both;
    expect(await syncNow()).toMatchObject({
      phase: "waiting-for-hours",
      isInSync: false,
    });
    expect(cloud.fileRequests("green").length).toBe(0);
    expect(await names()).toEqual(["red"]);
    await sync.changeConnection(id, { fetchFromMs: null, fetchUntilMs: null });
    await until(({ isInSync }) => isInSync === true);
    expect(await names()).toEqual(["red", "green"]);
  });

  it.each([
    ["V2-217", { rateLimit: 6 * megabyte }, Infinity],
    ["V2-337", {}, 6 * megabyte],
    ["V2-337", { rateLimit: 100 * megabyte }, 6 * megabyte],
  ])(
    "[%s] download no more per second than they (%o) and the screen beside them (%d) allow",
    async (_rule, connection, maxBytesPerSecond) => {
      const running = await startConnectedPlayer(connection, {
        sync: { maxBytesPerSecond },
      });
      const { cloud, syncNow, names } = running;
      cloud.playlists = [{ id: "P1", assets: [red, large] }];
      const startedAt = performance.now();
      await syncNow();
      expect(await names()).toEqual(["red", "large"]);
      // Half a second's worth, of which a fifth of a second may be made up for.
      expect(performance.now() - startedAt).toBeGreaterThan(290);
    },
  );

  it("[V2-212] show a playlist completely or as it was, while another continues", async () => {
    const { cloud, syncNow, request } = await startConnectedPlayer();
    cloud.playlists = [
      { id: "P1", assets: [red, green], row: { priority: true } },
      { id: "P2", assets: [blue, red] },
    ];
    const { address } = cloud;
    cloud.files.set("green", (_request, response) =>
      response.writeHead(302, { Location: `${address}/files/none` }).end(),
    );
    expect(await syncNow()).toMatchObject({ isInSync: false, playlists: 2 });
    const lists = (await (await request("/playlists")).json()) as {
      priority: number;
      items: unknown[];
    }[];
    expect(
      lists.map(({ priority, items }) => [priority, items.length]),
    ).toEqual([
      [0, 1],
      [0, 2],
    ]);
    cloud.files.clear();
    expect(await syncNow()).toMatchObject({ isInSync: true, itemFailures: [] });
  });
});
