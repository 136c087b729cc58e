// What a screen shows at a moment and why, and labels and playlists of many screens, over real sockets, on both databases.

import { expect, it } from "vitest";
import {
  screenScheduleV3,
  type ScreenScheduleV3,
} from "../../../../server/contract/v3/v3-screen-schedule.ts";
import { eachV3, type ClientV3 } from "../../../support/content/each-v3.ts";
import { claimedPlayer } from "../../../support/content/linked-player.ts";

async function scheduleOf(
  client: ClientV3,
  screenId: string,
  at: string,
): Promise<ScreenScheduleV3> {
  const query = new URLSearchParams({ at }).toString();
  return screenScheduleV3.parse(
    await client.get(`/screens/${screenId}/schedule/?${query}`),
  );
}

async function page(client: ClientV3, title: string): Promise<string> {
  const asset = await client.make("/assets/", {
    ...{ title, source_url: "http://192.0.2.1/page" },
    disable_verification: true,
  });
  return asset.id as string;
}

/** 2026-05-04 is a Monday. */
const noon = "2026-05-04T12:30:00Z";

const verdicts = ({ candidates }: ScreenScheduleV3) =>
  Object.fromEntries(
    candidates
      .filter(({ kind }) => kind === "playlist")
      .map(({ name, reason }) => [name, reason.code]),
  );

eachV3((service) => {
  it("[V3-123] a screen's plan is computed with its labels, its time zone and its content", async () => {
    const client = await service.client();
    const { screenId } = await claimedPlayer(client, "Tokyo");
    const path = `/screens/${screenId}/`;
    await client.call("PATCH", path, { timezone: "Asia/Tokyo" });
    const menu = await page(client, "Menu");
    const group = await client.make("/groups/", { name: "Bar" });
    const playlist = (title: string, more: object) =>
      client.make("/playlists/", {
        ...{ title, assets: [{ id: menu, duration: 7 }] },
        ...{ groups: [{ id: "all-screens" }], ...more },
      });
    // 12:30 in UTC is 21:30 in Tokyo.
    const evening = "$TIME >= 75600000 AND $TIME <= 79200000";
    await playlist("Evening", { predicate: evening });
    await playlist("Lunch", { predicate: "$TIME <= 50400000" });
    await playlist("Elsewhere", { groups: [{ id: group.id }] });
    await playlist("Off", { is_enabled: false });
    await playlist("Nothing", { assets: [] });
    const plan = await scheduleOf(client, screenId, noon);
    expect(plan).toMatchObject({
      ...{ timezone: "Asia/Tokyo", is_enabled: true },
      due: [{ name: "Menu", playlist: { title: "Evening" }, duration: 7 }],
    });
    expect(verdicts(plan)).toEqual({
      ...{ Evening: "plays", Lunch: "predicate-false", Off: "disabled" },
      ...{ Elsewhere: "other-groups", Nothing: "playlist-empty" },
    });
    const elsewhere = plan.candidates.find(({ name }) => name === "Elsewhere");
    expect(elsewhere?.reason.labels).toEqual(["Bar"]);
    await client.make("/screens/assignments/", {
      ...{ screens: [screenId], add_groups: [group.id] },
    });
    expect(verdicts(await scheduleOf(client, screenId, noon))).toMatchObject({
      Elsewhere: "plays",
    });
    const next = await scheduleOf(client, screenId, plan.until ?? "");
    expect(next.due.map((one) => one.playlist?.title)).toEqual(["Elsewhere"]);
  });

  it("[V3-123] an invalid moment is 400, a screen of another team 404", async () => {
    const [client, other] = [await service.client(), await service.client()];
    const { screenId } = await claimedPlayer(client);
    for (const at of ["noon", "-1", "9999-12-31T00:00:00Z"]) {
      const answer = await client.call(
        "GET",
        `/screens/${screenId}/schedule/?at=${at}`,
      );
      expect([answer.status, Object.keys(answer.json)]).toEqual([400, ["at"]]);
    }
    const path = `/screens/${screenId}/schedule/`;
    expect((await other.call("GET", path)).status).toBe(404);
  });

  it("[V3-124] labels and playlists of many screens change together, or not at all", async () => {
    const client = await service.client();
    const [a, b] = [
      await claimedPlayer(client, "A"),
      await claimedPlayer(client, "B"),
    ];
    const screens = [a.screenId, b.screenId];
    const bar = await client.make("/groups/", { name: "Bar", screens: [] });
    const hall = await client.make("/groups/", {
      ...{ name: "Hall", screens: [{ id: a.screenId }] },
    });
    const playlist = await client.make("/playlists/", { title: "News" });
    const assign = (body: object) =>
      client.call("POST", "/screens/assignments/", body);
    const labels = async () =>
      (await client.get("/screens/states/")).map(
        ({ groups }: { groups: readonly { name: string }[] }) =>
          groups.map(({ name }) => name),
      );
    const change = {
      ...{ screens, add_groups: [bar.id], remove_groups: [hall.id] },
      add_playlists: [playlist.id],
    };
    // Twice is the same as once.
    for (let times = 0; times < 2; times += 1)
      expect((await assign(change)).json).toEqual({ screens: 2 });
    expect(await labels()).toEqual([["Bar"], ["Bar"]]);
    const groupsOfPlaylist = async () =>
      (await client.get(`/playlists/${playlist.id}/`)).groups
        .map(({ id }: { id: string }) => id)
        .sort();
    expect(await groupsOfPlaylist()).toEqual([...screens].sort());
    for (const [field, bad] of Object.entries({
      ...{ screens: [...screens, "none"], add_groups: ["all-screens"] },
      ...{ remove_groups: [a.screenId], add_playlists: ["none"] },
    })) {
      const answer = await assign({
        ...{ screens, remove_groups: [bar.id], [field]: bad },
      });
      expect([answer.status, Object.keys(answer.json)]).toEqual([400, [field]]);
    }
    expect(await labels()).toEqual([["Bar"], ["Bar"]]);
    await assign({ screens: [b.screenId], remove_playlists: [playlist.id] });
    expect(await groupsOfPlaylist()).toEqual([a.screenId]);
  });

  it("[V3-122] an action's commands are counted by their states, and listed by them", async () => {
    const client = await service.client();
    const players = [];
    for (const name of ["A", "B", "C"])
      players.push(await claimedPlayer(client, name));
    const screens = players.map(({ screenId }) => screenId);
    const { id } = await client.make("/screens/commands/", {
      ...{ screens, kind: "next" },
    });
    const [first] = players;
    const [command] = (await first?.beat())?.commands ?? [];
    const done = [{ id: command?.id ?? "", is_done: false, message: "Why." }];
    await first?.beat({ done });
    const query = `?action=${id}`;
    expect(await client.get(`/screens/commands/totals/${query}`)).toEqual({
      ...{ waiting: 2, received: 0, done: 0, failed: 1, expired: 0 },
    });
    expect(
      await client.get(`/screens/commands/${query}&state=failed`),
    ).toMatchObject([{ screen_id: first?.screenId, message: "Why." }]);
    const bad = await client.call("GET", "/screens/commands/totals/?state=x");
    expect([bad.status, Object.keys(bad.json)]).toEqual([400, ["state"]]);
  });
});
