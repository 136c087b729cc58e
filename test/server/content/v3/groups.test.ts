// Groups of version 3: labels created by people and the built-in one, on both databases.

import { describe, expect, it } from "vitest";
import { groupV3 } from "../../../../server/contract/v3/v3.ts";
import { eachV3, type ClientV3 } from "../../../support/content/each-v3.ts";
import { claimedPlayer } from "../../../support/content/linked-player.ts";

eachV3((service) => {
  const idsIn = ({ screens }: { screens: { id: string }[] }) =>
    screens.map(({ id }) => id);

  it("[V3-20] [V3-21] are created with screens, listed after All Screens, and read", async () => {
    const client = await service.client();
    const { screenId: id } = await claimedPlayer(client, "Till");
    const created = groupV3.parse(
      await client.make("/groups/", {
        name: "Lobby",
        screens: [{ id, name: "ignored", coords: [1, 2] }, { id }],
      }),
    );
    expect(created).toMatchObject({
      ...{ name: "Lobby", url: `/api/v3/groups/${created.id}/` },
      screens: [{ id, name: "Till", coords: [0, 0] }],
    });
    const list = (await client.get("/groups/")) as unknown[];
    expect(list.map((each) => groupV3.parse(each).name)).toEqual([
      ...["All Screens", "Lobby"],
    ]);
    const [label] = await client.rows(`/v4.1/labels?id=eq.${created.id}`);
    expect(label).toMatchObject({ type: "manual", name: "Lobby" });
  });

  it("[V3-8] [V3-21] PUT and PATCH keep omitted fields and replace given screens", async () => {
    const client = await service.client();
    const [one, two] = [
      (await claimedPlayer(client)).screenId,
      (await claimedPlayer(client)).screenId,
    ];
    const group = await client.make("/groups/", {
      ...{ name: "A", screens: [{ id: one }] },
    });
    const path = `/groups/${group.id}/`;
    const put = (body: unknown, method = "PUT") =>
      client.call(method, path, body);
    expect((await put(group)).json).toEqual(group);
    expect((await put({ name: "B" })).json).toEqual({ ...group, name: "B" });
    const both = await put({ screens: [{ id: two }, { id: one }] }, "PATCH");
    expect(idsIn(both.json)).toEqual([one, two].sort());
    expect(idsIn((await put({ screens: [] })).json)).toEqual([]);
    expect((await put({})).status).toBe(200);
  });

  it.each([
    [{}, "name"],
    [{ name: " " }, "name"],
    [{ name: 5 }, "name"],
    [{ name: "a".repeat(5000) }, "name"],
    [{ name: "A", screens: [{ id: "nobody" }] }, "screens"],
    [{ name: "A", screens: ["x"] }, "screens"],
    [{ name: "A", screens: {} }, "screens"],
  ])("[V3-4] [V3-8] [V3-21] rejects %.60j as a whole", async (body, field) => {
    const client = await service.client();
    const answer = await client.call("POST", "/groups/", body);
    expect([answer.status, Object.keys(answer.json as object)]).toEqual([
      ...[400, [field]],
    ]);
    expect(await client.get("/groups/")).toHaveLength(1);
  });

  describe("All Screens", () => {
    const spellings = async (client: ClientV3) => {
      const [label] = await client.rows("/v4.1/labels?type=eq.all-screens");
      return ["all-screens", "all_screens", label?.id ?? ""];
    };

    it("[V3-20] contains every screen and is found under each of its names", async () => {
      const client = await service.client();
      const { screenId } = await claimedPlayer(client);
      for (const id of await spellings(client)) {
        const group = groupV3.parse(await client.get(`/groups/${id}/`));
        expect([group.id, group.name, idsIn(group)]).toEqual([
          ...["all-screens", "All Screens", [screenId]],
        ]);
      }
    });

    it("[V3-22] is accepted back as it was read, and cannot be changed or deleted", async () => {
      const client = await service.client();
      await claimedPlayer(client);
      for (const id of await spellings(client)) {
        const path = `/groups/${id}/`;
        const group = await client.get(path);
        expect((await client.call("PUT", path, group)).json).toEqual(group);
        for (const body of [{ name: "B" }, { screens: [] }])
          expect((await client.call("PATCH", path, body)).status).toBe(400);
        expect((await client.call("DELETE", path)).status).toBe(400);
      }
    });
  });

  it("[V3-23] a deleted group leaves playlists and screens", async () => {
    const client = await service.client();
    const { screenId } = await claimedPlayer(client);
    const group = await client.make("/groups/", {
      ...{ name: "A", screens: [{ id: screenId }] },
    });
    const playlist = await client.make("/playlists/", {
      ...{ title: "P", groups: [{ id: group.id }, { id: "all_screens" }] },
    });
    const gone = await client.call("DELETE", `/groups/${group.id}/`);
    expect([gone.status, gone.text]).toEqual([200, ""]);
    const after = await client.get(`/playlists/${playlist.id}/`);
    expect(after.groups).toMatchObject([{ id: "all-screens" }]);
    const screen = await client.get(`/screens/${screenId}/`);
    expect(screen.groups).toMatchObject([{ id: "all-screens" }]);
  });

  it("[V3-24] the label of a single screen is not listed as a group, but can be read and assigned to playlists", async () => {
    const client = await service.client();
    const { screenId: id } = await claimedPlayer(client, "Till");
    const group = groupV3.parse(await client.get(`/groups/${id}/`));
    expect([group.name, idsIn(group)]).toEqual(["Till", [id]]);
    const playlist = await client.make("/playlists/", {
      ...{ title: "P", groups: [{ id }] },
    });
    expect(playlist.groups).toEqual([
      { id, name: "Till", url: `/api/v3/groups/${id}/` },
    ]);
    expect((await client.call("DELETE", `/groups/${id}/`)).status).toBe(400);
  });
});
