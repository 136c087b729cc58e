// Another player in the place of a screen's own, over real sockets, on both databases.

import { expect, it } from "vitest";
import { eachV3, type ClientV3 } from "../../../support/content/each-v3.ts";
import {
  claimedPlayer,
  registerPlayer,
  type LinkedPlayer,
} from "../../../support/content/linked-player.ts";
import { reportOf } from "../../../support/content/screen-reports.ts";

const replace = (client: ClientV3, screenId: string, body: object) =>
  client.call("POST", `/screens/${screenId}/replace/`, body);

async function statusOf(player: LinkedPlayer): Promise<number> {
  const { status } = await player.request("GET", "/link/v1/news");
  return status;
}

eachV3((service) => {
  it("[V3-121] the screen keeps its name, labels and history; the player before is no longer known", async () => {
    const client = await service.client();
    const before = await claimedPlayer(client, "Lobby");
    const { screenId } = before;
    await client.make("/groups/", {
      name: "Entry",
      screens: [{ id: screenId }],
    });
    await before.beat({ report: reportOf() });
    await before.beat({ report: reportOf({ verdict: "blank" }) });
    await client.make(`/screens/${screenId}/commands/`, { kind: "restart" });
    const next = await registerPlayer(client.address, {
      ...{ name: "New box", hardware_version: "Board 2" },
    });
    const body = { pin: next.pin, replace_online: true };
    const answer = await replace(client, screenId, body);
    expect([answer.status, answer.json]).toMatchObject([
      200,
      { id: screenId, name: "Lobby", hardware_version: "Board 2" },
    ]);
    expect(answer.json.groups).toContainEqual(
      expect.objectContaining({ name: "Entry" }),
    );
    expect([await statusOf(before), await statusOf(next)]).toEqual([410, 200]);
    const news = await next.beat({ report: reportOf() });
    expect(news.screen).toMatchObject({ id: screenId, name: "Lobby" });
    // What was meant for the player before.
    expect(news.commands).toEqual([]);
    const outages = await client.get(`/screens/outages/?screen=${screenId}`);
    expect(outages).toMatchObject([{ state: "wrong" }]);
    expect(await client.get("/screens/states/")).toMatchObject([
      { id: screenId, state: "right" },
    ]);
  });

  it("[V3-121] a player that is online is replaced only on request, and a PIN only once", async () => {
    const client = await service.client();
    const before = await claimedPlayer(client);
    await before.beat();
    const next = await registerPlayer(client.address);
    const { pin } = next;
    const refused = await replace(client, before.screenId, { pin });
    expect([refused.status, refused.json.detail]).toEqual([
      409,
      expect.stringContaining("online"),
    ]);
    expect(await statusOf(before)).toBe(200);
    const body = { pin, replace_online: true };
    const both = await Promise.all([
      replace(client, before.screenId, body),
      replace(client, before.screenId, body),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect([await statusOf(before), await statusOf(next)]).toEqual([410, 200]);
  });

  it("[V3-121] rejects an unknown PIN, and a screen of another team", async () => {
    const [client, other] = [await service.client(), await service.client()];
    const before = await claimedPlayer(client);
    const { pin } = await registerPlayer(client.address);
    const { screenId } = before;
    const wrong = await replace(client, screenId, { pin: "AAAAAA" });
    expect([wrong.status, Object.keys(wrong.json)]).toEqual([400, ["pin"]]);
    expect((await replace(other, screenId, { pin })).status).toBe(404);
    expect(await statusOf(before)).toBe(200);
  });
});
