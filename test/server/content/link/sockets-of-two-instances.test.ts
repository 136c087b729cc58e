// Sockets at two instances on one database: what comes through one reaches players of the other, and presence stays right.

import { once } from "node:events";
import { expect, it, vi } from "vitest";
import { eachContent } from "../../../support/content/each-content.ts";
import { clientV3, type ClientV3 } from "../../../support/content/each-v3.ts";
import { claimedPlayer } from "../../../support/content/linked-player.ts";
import { openSocket } from "../../../support/content/player-socket.ts";
import {
  contentKey,
  serveContent,
  startContent,
} from "../../../support/content/start-content.ts";

const screenOf = (client: ClientV3, id: string) =>
  client.get(`/screens/${id}/`) as Promise<{
    readonly ws_open: boolean;
    readonly status: string;
  }>;

eachContent(({ ground, kind }) => {
  it("[L-49] [L-60] a command and a change through one instance reach the screen at the other, and only that", async () => {
    const { dataDir, databaseUrl } = await ground();
    const one = await startContent(dataDir, { databaseUrl });
    const other = await startContent(dataDir, { databaseUrl });
    const client = clientV3(one.address, contentKey);
    const player = await claimedPlayer(client, "Window");
    const neighbour = await claimedPlayer(client, "Door");
    const { received } = await openSocket(other.address, player);
    const theirs = await openSocket(other.address, neighbour);
    const { id } = await client.make(`/screens/${player.screenId}/commands/`, {
      kind: "next",
    });
    await vi.waitUntil(() => received.at(-1)?.commands.length === 1);
    expect(received.at(-1)?.commands).toMatchObject([{ id, kind: "next" }]);
    await fetch(`${one.address}/link/v1/heartbeat`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${player.credential}`,
        "Content-Type": "application/json",
      },
      body: JSON.stringify({ sync: "in-sync", done: [{ id, is_done: true }] }),
    });
    await client.call("PATCH", `/screens/${player.screenId}/`, {
      name: "Entrance",
    });
    await vi.waitUntil(() => received.at(-1)?.screen?.name === "Entrance");
    expect(received.at(-1)?.commands).toEqual([]);
    expect(theirs.received.flatMap(({ commands }) => commands)).toEqual([]);
    const command = await clientV3(other.address, contentKey).get(
      `/screens/commands/?id=${id}`,
    );
    expect(command).toMatchObject([{ state: "done" }]);
  });

  it("[L-60] a socket that ends at one instance after its player came to the other leaves the screen connected", async () => {
    const { dataDir, databaseUrl } = await ground();
    const one = await startContent(dataDir, { databaseUrl });
    const other = await startContent(dataDir, { databaseUrl });
    const client = clientV3(one.address, contentKey);
    const player = await claimedPlayer(client);
    const before = await openSocket(one.address, player);
    const after = await openSocket(other.address, player);
    const marker = await claimedPlayer(client, "Marker");
    const ends = await openSocket(one.address, marker);
    before.socket.close();
    await before.closed;
    ends.socket.close();
    // The end of this later socket is stored with or after that of the other.
    await expect
      .poll(async () => (await screenOf(client, marker.screenId)).ws_open)
      .toBe(false);
    expect((await screenOf(client, player.screenId)).ws_open).toBe(true);
    after.socket.close();
    await expect
      .poll(async () => (await screenOf(client, player.screenId)).ws_open)
      .toBe(false);
  });

  it.runIf(kind === "postgres")(
    "[L-60] when an instance is killed, a screen whose player comes back through the other stays online, and another one is offline, with one outage",
    async () => {
      const { dataDir, databaseUrl } = await ground();
      const killed = await serveContent(
        dataDir,
        ["--database-url", databaseUrl ?? ""],
        { VITRINE_CONTENT_OFFLINE_AFTER_MS: "2000" },
      );
      const other = await startContent(dataDir, {
        ...{ databaseUrl, offlineAfterMs: 2000 },
      });
      const client = clientV3(other.address, contentKey);
      const back = await claimedPlayer(client, "Back");
      const gone = await claimedPlayer(client, "Gone");
      const sockets = [];
      for (const player of [back, gone]) {
        await player.beat();
        sockets.push(await openSocket(killed.address, player));
      }
      killed.process.kill("SIGKILL");
      await once(killed.process, "exit");
      for (const { closed } of sockets) expect(await closed).toBe(1006);
      await openSocket(other.address, back);
      await expect
        .poll(() => screenOf(client, gone.screenId))
        .toMatchObject({ status: "Offline", ws_open: false });
      expect(await screenOf(client, back.screenId)).toMatchObject({
        ...{ status: "In Sync", ws_open: true },
      });
      const outages = (await client.get("/screens/outages/")) as {
        readonly screen_id: string;
      }[];
      expect(
        outages.filter((one) => one.screen_id === gone.screenId),
      ).toMatchObject([{ state: "offline", ended_at: null }]);
    },
  );
});
