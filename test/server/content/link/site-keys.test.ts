// Keys with which the players of one team recognize each other: the same for all of them, and another one every day.

import { describe, expect, it } from "vitest";
import { siteKeysLink } from "../../../../server/contract/link/link.ts";
import { createSiteKeys } from "../../../../server/content/access/site-keys.ts";
import { eachContent } from "../../../support/content/each-content.ts";
import { clientV3 } from "../../../support/content/each-v3.ts";
import {
  registerPlayer,
  type LinkedPlayer,
} from "../../../support/content/linked-player.ts";

const path = "/link/v1/site-keys";
const dayMs = 86_400_000;

async function keysOf(player: LinkedPlayer) {
  const answer = await player.request("GET", path);
  expect([answer.status, answer.headers.get("cache-control")]).toEqual([
    200,
    "no-store",
  ]);
  return siteKeysLink.parse(await answer.json()).keys;
}

eachContent(({ start }) => {
  it("[L-53] are the same for all paired players of a team, others for another team, and for nobody else", async () => {
    const service = await start();
    const player = async (team: string): Promise<LinkedPlayer> => {
      const key = await service.keys.add({ name: team, team });
      const registered = await registerPlayer(service.address);
      await clientV3(service.address, key).make("/screens/", {
        pin: registered.pin,
      });
      return registered;
    };
    const [one, same, other] = [
      await player("Team 1"),
      await player("Team 1"),
      await player("Team 2"),
    ];
    const keys = await keysOf(one);
    expect(keys).toHaveLength(2);
    expect(await keysOf(same)).toEqual(keys);
    for (const { id, secret } of await keysOf(other)) {
      expect(keys.map((key) => key.id)).not.toContain(id);
      expect(keys.map((key) => key.secret)).not.toContain(secret);
    }
    const waiting = await registerPlayer(service.address);
    expect((await waiting.request("GET", path)).status).toBe(403);
    expect((await service.request(path)).status).toBe(401);
    expect((await fetch(`${service.address}${path}`)).status).toBe(401);
  });

  it("[L-54] end with the screen", async () => {
    const service = await start();
    const key = await service.keys.add({ name: "one", team: "Team" });
    const v3 = clientV3(service.address, key);
    const player = await registerPlayer(service.address);
    const { id } = (await v3.make("/screens/", { pin: player.pin })) as {
      id: string;
    };
    await keysOf(player);
    await v3.call("DELETE", `/screens/${id}/`);
    expect((await player.request("GET", path)).status).toBe(410);
  });
});

describe("the keys of a site", () => {
  it("[L-54] change every day, and those of two days have one in common", () => {
    let now = 1000 * dayMs;
    const keys = createSiteKeys("secret", () => now);
    const first = keys("team").keys;
    now += dayMs - 1;
    expect(keys("team").keys).toEqual(first);
    now += 1;
    const second = keys("team").keys;
    expect(second[1]).toEqual(first[0]);
    now += dayMs;
    const ids = keys("team").keys.map(({ id }) => id);
    expect(first.map(({ id }) => ids.includes(id))).toEqual([false, false]);
    // Another service has others.
    expect(createSiteKeys("another", () => now)("team").keys).not.toEqual(
      keys("team").keys,
    );
  });
});
