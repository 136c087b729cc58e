// WebSockets of players on both databases: news is pushed, and who is connected is known.

import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { closeCodes } from "../../../../server/content/link/sockets.ts";
import { eachContent } from "../../../support/content/each-content.ts";
import { clientV3, eachV3 } from "../../../support/content/each-v3.ts";
import {
  claimedPlayer,
  type ClaimedPlayer,
} from "../../../support/content/linked-player.ts";
import {
  openSocket,
  socketPath,
} from "../../../support/content/player-socket.ts";
import {
  contentKey,
  startContent,
} from "../../../support/content/start-content.ts";

const upgrade = {
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
};

eachV3((service) => {
  describe("a paired player with a socket", () => {
    it("[L-44] receives its screen, the revision and its commands at once, and then what changes", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      const polled = await player.beat();
      const { received } = await openSocket(client.address, player);
      const [first] = received;
      expect(first).toMatchObject({
        ...{ screen: polled.screen, commands: [], heartbeat_in_seconds: 5 },
      });
      await client.call("PATCH", `/screens/${player.screenId}/`, {
        name: "Entrance",
      });
      await vi.waitUntil(() => received.at(-1)?.screen?.name === "Entrance");
      expect(received.at(-1)?.revision).not.toBe(first?.revision);
      await client.make("/playlists/", { title: "Noon" });
      const before = received.length;
      await vi.waitUntil(() => received.length > before);
      // The screen is as it was: it is not sent again.
      expect(received.at(-1)?.screen).toBeUndefined();
      const { id } = await client.make(
        `/screens/${player.screenId}/commands/`,
        {
          kind: "next",
        },
      );
      await vi.waitUntil(() => received.at(-1)?.commands.length === 1);
      expect(received.at(-1)?.commands).toMatchObject([{ id, kind: "next" }]);
    });

    it("[L-44] receives no commands of another screen", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client, "Window");
      const other = await claimedPlayer(client, "Door");
      const mine = await openSocket(client.address, player);
      const theirs = await openSocket(client.address, other);
      await client.make(`/screens/${other.screenId}/commands/`, {
        kind: "next",
      });
      await vi.waitUntil(() => theirs.received.at(-1)?.commands.length === 1);
      expect(mine.received.flatMap(({ commands }) => commands)).toEqual([]);
    });

    it("[L-7] [L-45] is connected until its socket is closed", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      await player.beat();
      const isOpen = async () =>
        (await client.get(`/screens/${player.screenId}/`)).ws_open;
      const { socket } = await openSocket(client.address, player);
      expect(await isOpen()).toBe(true);
      socket.close();
      await expect.poll(isOpen).toBe(false);
    });

    it("[L-46] has one socket: another one ends the one before", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      const first = await openSocket(client.address, player);
      const second = await openSocket(client.address, player);
      expect(await first.closed).toBe(closeCodes.replaced);
      await client.make(`/screens/${player.screenId}/commands/`, {
        kind: "next",
      });
      await vi.waitUntil(() => second.received.at(-1)?.commands.length === 1);
    });

    it("[L-46] loses its socket when its screen is deleted, and is then rejected", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      const { closed } = await openSocket(client.address, player);
      await client.call("DELETE", `/screens/${player.screenId}/`);
      expect(await closed).toBe(closeCodes.screenDeleted);
      const answer = await player.request("GET", socketPath);
      expect(answer.status).toBe(410);
    });

    it("[L-46] is disconnected when it floods the service with messages", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      const { socket, closed } = await openSocket(client.address, player);
      for (let at = 0; at < 200; at += 1) socket.send("{}");
      expect(await closed).toBe(1006);
    });
  });

  describe("a request for a socket", () => {
    it("[L-44] is rejected in the link's own format: without a credential, without an upgrade, malformed", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      const answer = await player.request("GET", socketPath);
      expect(answer.status).toBe(426);
      expect(answer.headers.get("upgrade")).toBe("websocket");
      expect(await answer.json()).toEqual({ detail: expect.any(String) });
      const status = async (headers: Record<string, string>) => {
        const sent = request(`${client.address}${socketPath}`, {
          headers: { ...upgrade, ...headers },
        });
        sent.end();
        const [response] = (await once(sent, "response")) as [IncomingMessage];
        const json = JSON.parse(await text(response)) as object;
        return [response.statusCode, Object.keys(json)];
      };
      expect(await status({})).toEqual([401, ["detail"]]);
      const Authorization = `Bearer ${player.credential}`;
      for (const broken of [
        { "Sec-WebSocket-Version": "7" },
        { "Sec-WebSocket-Key": "short" },
      ])
        expect(await status({ ...broken, Authorization })).toEqual([
          400,
          ["non_field_errors"],
        ]);
    });

    it("[L-44] for any other path is answered like a plain request", async () => {
      const client = await service.client();
      const socket = new WebSocket(`${client.address}/api/v3/screens/`, {
        headers: { Authorization: `Token ${client.key}` },
      });
      socket.on("error", () => undefined);
      const [, response] = await once(socket, "unexpected-response");
      expect(response.statusCode).toBe(200);
      response.resume();
    });
  });
});

const offlineAfterMs = 2000;

eachV3(
  (service) => {
    it("[L-7] [L-45] a screen whose player answers pings stays online without heartbeats; one that does not is disconnected, and offline", async () => {
      const client = await service.client();
      const here = await claimedPlayer(client, "Here");
      const gone = await claimedPlayer(client, "Gone");
      const statusOf = async ({ screenId }: ClaimedPlayer) =>
        (await client.get(`/screens/${screenId}/`)).status;
      await openSocket(client.address, here);
      const half = await openSocket(client.address, gone, { autoPong: false });
      await here.beat();
      await gone.beat();
      expect(await half.closed).toBe(1006);
      await expect.poll(() => statusOf(gone)).toBe("Offline");
      // For as long as it took the other one to become offline, this one sent nothing but pongs.
      expect(await statusOf(here)).toBe("In Sync");
    });
  },
  { offlineAfterMs },
);

eachContent(({ ground }) => {
  it("[L-44] a service ends while players are connected, and its successor takes them", async () => {
    const { dataDir, databaseUrl } = await ground();
    const first = await startContent(dataDir, { databaseUrl });
    const client = clientV3(first.address, contentKey);
    const player = await claimedPlayer(client);
    const { closed } = await openSocket(first.address, player);
    await first.stop();
    expect(await closed).toBe(1006);
    const second = await startContent(dataDir, { databaseUrl });
    const { received } = await openSocket(second.address, player);
    expect(received[0]?.screen?.id).toBe(player.screenId);
  });
});
