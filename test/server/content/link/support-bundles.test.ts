// Support bundles of players on the service: asked for by a command, kept for a while, and given to keys only; on both databases.

import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { eachV3, type ClientV3 } from "../../../support/content/each-v3.ts";
import {
  claimedPlayer,
  type ClaimedPlayer,
} from "../../../support/content/linked-player.ts";

const collect = async (
  client: ClientV3,
  { screenId }: ClaimedPlayer,
): Promise<string> => {
  const { id } = await client.make(`/screens/${screenId}/commands/`, {
    kind: "collect-logs",
  });
  return id as string;
};

const send = (
  client: ClientV3,
  { credential }: ClaimedPlayer,
  commandId: string,
  body: Buffer,
): Promise<Response> =>
  fetch(`${client.address}/link/v1/support-bundles/${commandId}`, {
    ...{ method: "PUT", body: Uint8Array.from(body) },
    headers: { Authorization: `Bearer ${credential}` },
  });

const place = (id: string): string => `/api/v3/screens/commands/${id}/bundle/`;

async function read(
  client: Pick<ClientV3, "address">,
  authorization: string,
  id: string,
) {
  const answer = await fetch(`${client.address}${place(id)}`, {
    headers: { Authorization: authorization },
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, headers: answer.headers, bytes };
}

eachV3((service) => {
  describe("a support bundle", () => {
    it("[L-71] [V3-132] is accepted for its command, and downloaded with a key of the team only", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      const other = await claimedPlayer(client, "Other");
      const id = await collect(client, player);
      const key = `Token ${client.key}`;
      expect((await read(client, key, id)).status).toBe(404);
      const bundle = gzipSync("logs");
      expect((await send(client, player, id, bundle)).status).toBe(204);
      // The response was lost: the player sends it once more.
      expect((await send(client, player, id, bundle)).status).toBe(204);
      const { status, headers, bytes } = await read(client, key, id);
      expect(status).toBe(200);
      expect(headers.get("content-type")).toBe("application/gzip");
      expect(bytes.equals(bundle)).toBe(true);
      for (const { credential } of [player, other])
        expect((await read(client, `Bearer ${credential}`, id)).status).toBe(
          403,
        );
      const stranger = await service.client();
      expect((await read(client, `Token ${stranger.key}`, id)).status).toBe(
        404,
      );
    });

    it("[L-71] is rejected without such a command, from another player, afterwards, and if it is no archive", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      const other = await claimedPlayer(client, "Other");
      const id = await collect(client, player);
      const bundle = gzipSync("logs");
      const { id: look } = await client.make(
        ...([
          `/screens/${player.screenId}/commands/`,
          { kind: "look" },
        ] as const),
      );
      expect((await send(client, player, "unknown", bundle)).status).toBe(404);
      expect((await send(client, player, String(look), bundle)).status).toBe(
        404,
      );
      expect((await send(client, other, id, bundle)).status).toBe(404);
      expect(
        (await send(client, player, id, Buffer.from("no archive"))).status,
      ).toBe(400);
      await player.beat({ done: [{ id, is_done: true }] });
      expect((await send(client, player, id, bundle)).status).toBe(404);
    });

    it("[L-71] the newest three of a screen are kept", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      const ids: string[] = [];
      for (let at = 0; at < 4; at += 1) {
        const id = await collect(client, player);
        ids.push(id);
        expect(
          (await send(client, player, id, gzipSync(`logs ${at}`))).status,
        ).toBe(204);
      }
      const found = [];
      for (const id of ids)
        found.push((await read(client, `Token ${client.key}`, id)).status);
      expect(found).toEqual([404, 200, 200, 200]);
    });
  });
});
