// Live pictures: a lease of those who look, the latest picture, and limits; over real sockets, on both databases.

import { once } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import {
  livePictureLimits,
  pushedNewsLink,
  type PushedNewsLink,
} from "../../../../server/contract/link/link.ts";
import { screenLiveV3 } from "../../../../server/contract/v3/v3-screens.ts";
import {
  createLivePictures,
  maxWatched,
} from "../../../../server/content/link/live-pictures.ts";
import { createPlayers } from "../../../../server/content/link/pairing.ts";
import { pictureSeconds } from "../../../../server/content/link/sockets.ts";
import { addTeam } from "../../../../server/content/access/teams.ts";
import { afterThisTest } from "../../../support/after-this-test.ts";
import { eachV3, type ClientV3 } from "../../../support/content/each-v3.ts";
import {
  claimedPlayer,
  stableRevision,
  type ClaimedPlayer,
} from "../../../support/content/linked-player.ts";
import {
  eachDatabase,
  makeUlid,
  type AnyDatabase,
} from "../../../support/database/each-database.ts";

/** As far as the service looks at it. */
function webp(text: string, length = 0): Buffer {
  const bytes = Buffer.alloc(Math.max(length, 12 + text.length));
  bytes.write(`RIFF0000WEBP${text}`, "latin1");
  return bytes;
}

async function put(
  client: ClientV3,
  { credential }: Pick<ClaimedPlayer, "credential">,
  body: Buffer,
) {
  const answer = await fetch(`${client.address}/link/v1/live-picture`, {
    ...{ method: "PUT", body: Uint8Array.from(body) },
    headers: { Authorization: `Bearer ${credential}` },
  });
  return { status: answer.status, json: (await answer.json()) as unknown };
}

const watch = async (client: ClientV3, screenId: string, hash?: string) =>
  screenLiveV3.parse(
    await client.make(`/screens/${screenId}/watch/`, hash ? { hash } : {}),
  );

async function openSocket(
  client: ClientV3,
  { credential }: Pick<ClaimedPlayer, "credential">,
): Promise<readonly PushedNewsLink[]> {
  const socket = new WebSocket(`${client.address}/link/v1/socket`, {
    headers: { Authorization: `Bearer ${credential}` },
  });
  afterThisTest(async () => socket.terminate());
  const received: PushedNewsLink[] = [];
  socket.on("message", (data: Buffer) => {
    received.push(pushedNewsLink.parse(JSON.parse(data.toString())));
  });
  await once(socket, "open");
  await vi.waitUntil(() => received.length > 0);
  return received;
}

eachV3((service) => {
  describe("a screen that somebody looks at", () => {
    it("[L-66] [L-67] [V3-130] its player is asked through its socket, and its latest picture is returned once", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      const other = await claimedPlayer(client, "Other");
      const [received, unconcerned] = [
        await openSocket(client, player),
        await openSocket(client, other),
      ];
      expect(received[0]?.watched).toBeUndefined();
      const nothing = { is_live: false, taken_at: null, picture: null };
      expect(await watch(client, player.screenId)).toMatchObject(nothing);
      await vi.waitUntil(() => received.at(-1)?.watched);
      expect(received.at(-1)?.watched?.seconds).toBeGreaterThan(0);
      const sent = await put(client, player, webp("one"));
      expect(sent.status).toBe(200);
      expect(sent.json).toMatchObject({ watched_seconds: expect.any(Number) });
      const live = await watch(client, player.screenId);
      expect(live).toMatchObject({
        is_live: true,
        picture: `data:image/webp;base64,${webp("one").toString("base64")}`,
      });
      // Unchanged: confirmed by an empty body, and not returned again.
      await put(client, player, Buffer.alloc(0));
      expect(await watch(client, player.screenId, live.hash ?? "")).toEqual({
        ...live,
        picture: null,
      });
      // Nobody looks at the other one: it is not asked, and its pictures are not kept.
      expect(unconcerned.every(({ watched }) => !watched)).toBe(true);
      expect(await put(client, other, webp("two"))).toEqual({
        ...{ status: 200, json: { watched_seconds: 0 } },
      });
    });

    it("[L-66] a player without a socket is asked by the answer to its poll, once", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      const revision = await stableRevision(player);
      const polling = player.news(`revision=${revision}&wait=30&watched=`);
      await watch(client, player.screenId);
      const { watched } = await polling;
      expect(watched?.id).toBeTruthy();
      // It has been asked; and one that cannot send any is not held up.
      for (const named of [`&watched=${watched?.id}`, ""]) {
        const again = await player.news(
          `revision=${revision}&wait=0.3${named}`,
        );
        expect(again.watched?.id).toBe(watched?.id);
      }
    });

    it("[L-67] [V3-130] whatever is too large, no WebP, or of another team is rejected", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      await watch(client, player.screenId);
      const tooLarge = webp("x", livePictureLimits.bytes + 1);
      expect((await put(client, player, tooLarge)).status).toBe(413);
      expect((await put(client, player, Buffer.from("GIF89a"))).status).toBe(
        400,
      );
      expect((await watch(client, player.screenId)).hash).toBeNull();
      const stranger = await service.client();
      for (const [who, id] of [
        [stranger, player.screenId],
        [client, "unknown"],
      ] as const)
        expect(
          (await who.call("POST", `/screens/${id}/watch/`, {})).status,
        ).toBe(404);
      // A screen's own credential only reads.
      expect(
        (
          await player.request(
            ...(["POST", `/api/v3/screens/${player.screenId}/watch/`] as const),
          )
        ).status,
      ).toBe(403);
      expect(
        (
          await client.call("POST", `/screens/${player.screenId}/watch/`, {
            hash: 7,
          })
        ).status,
      ).toBe(400);
    });

    it("[L-69] each player receives how often it is to send a picture that has changed", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      expect((await player.beat()).picture_in_seconds).toBe(300);
    });
  });
});

describe("the interval of pictures", () => {
  it("[L-69] grows with the number of sockets, and can be turned off", () => {
    expect(pictureSeconds(0, 10)).toBeNull();
    expect(pictureSeconds(5, 600)).toBe(300);
    expect(pictureSeconds(5, 10_000)).toBe(5000);
  });
});

/** Time advances when told to. */
async function picturesOn(any: AnyDatabase, screens: number) {
  const database = await any.open();
  const clock = { moment: Date.UTC(2026, 0, 1) };
  const now = (): number => clock.moment;
  const makeId = (): string => makeUlid(now());
  const team = makeId();
  await addTeam(database.kysely, {
    ...{ id: team, name: "Team", labelId: makeId(), moment: now() },
  });
  const players = createPlayers({ database, makeId, now });
  const ids: string[] = [];
  for (let at = 0; at < screens; at += 1) {
    const { pin } = await players.register({});
    const claimed = await players.claim(pin, team, null);
    ids.push(claimed?.screenId ?? "");
  }
  const pictures = createLivePictures({ database, now });
  return {
    ...{ clock, ids, team, pictures },
    watch: (id: string) => pictures.watch({ id, teamId: team }, undefined),
    receive: async (id: string, bytes: Buffer) => {
      const { Readable } = await import("node:stream");
      return pictures.receive(id, Readable.from([bytes]));
    },
    watched: async () => [...(await pictures.watchedOf(team)).keys()],
  };
}

eachDatabase((any) => {
  it("[L-66] the time of those who look ends by itself, and what it brought is deleted", async () => {
    const { clock, ids, pictures, watch, watched, receive } = await picturesOn(
      ...([any, 1] as const),
    );
    const [id = ""] = ids;
    expect(await watch(id)).toMatchObject({ isNew: true });
    clock.moment += 3000;
    expect(await watch(id)).toMatchObject({ isNew: false });
    expect(await receive(id, webp("one"))).toBeGreaterThan(0);
    // Somebody sends faster than anybody can look.
    await receive(id, webp("two"));
    const { live } = await watch(id);
    expect(live.picture).toBe(
      `data:image/webp;base64,${webp("one").toString("base64")}`,
    );
    expect(await watched()).toEqual([id]);
    clock.moment += 6001;
    expect(await watched()).toEqual([]);
    expect(await receive(id, webp("three"))).toBe(0);
    await pictures.forget();
    // Another lease, which has to be asked for again.
    const next = await watch(id);
    expect(next).toMatchObject({ isNew: true, live: { hash: null } });
    // The database's clock was set back: nobody looks for that long.
    clock.moment -= 3_600_000;
    expect(await watched()).toEqual([]);
    expect(await watch(id)).toMatchObject({ isNew: true });
  });

  it("[L-66] a player that sends nothing is asked again while somebody looks", async () => {
    const { clock, ids, pictures, team, watch } = await picturesOn(any, 1);
    const [id = ""] = ids;
    await watch(id);
    const first = (await pictures.watchedOf(team)).get(id);
    const asked: boolean[] = [];
    for (let second = 0; second < 12; second += 1) {
      clock.moment += 1000;
      asked.push((await watch(id)).isNew);
    }
    expect(asked.filter((isNew) => isNew)).toHaveLength(1);
    expect((await pictures.watchedOf(team)).get(id)?.id).not.toBe(first?.id);
  });

  it("[V3-131] no more than fifty screens are watched at once", async () => {
    const { clock, ids, watch } = await picturesOn(any, maxWatched + 1);
    for (const id of ids.slice(1)) await watch(id);
    const one = ids[0] ?? "";
    await expect(watch(one)).rejects.toThrow(/^50 screens are being watched/);
    // Those that are watched already stay so.
    await watch(ids[1] ?? "");
    clock.moment += 7000;
    expect(await watch(one)).toMatchObject({ isNew: true });
  });
});
