// Playlists of version 3: assets, groups, predicate and priority in one body, on both databases.

import { describe, expect, it } from "vitest";
import {
  playlistListV3,
  playlistV3,
} from "../../../../server/contract/v3/v3.ts";
import { eachV3, type ClientV3 } from "../../../support/content/each-v3.ts";

/** With this many seconds each; null has no length of its own. */
async function assetsOf(client: ClientV3, count: number): Promise<string[]> {
  const rows = await client.add(
    "/v4.1/assets",
    Array.from({ length: count }, (_, at) => ({ title: `Asset ${at}` })),
  );
  return rows.map(({ id }) => id);
}

eachV3((service) => {
  it("[V3-30] [V3-32] [V3-35] are created with all their parts, and read back", async () => {
    const client = await service.client();
    const [a, b] = await assetsOf(client, 2);
    const group = await client.make("/groups/", { name: "Lobby" });
    const created = playlistV3.parse(
      await client.make("/playlists/", {
        title: "Lunch",
        assets: [
          ...[
            { id: a, duration: 4 },
            { id: b, duration: 0.1 },
          ],
          ...[{ id: a }, { id: b, duration: "0.2" }],
        ],
        groups: [{ id: group.id }, { id: "all_screens" }, { id: group.id }],
        predicate: "$time  BETWEEN {1, 2}",
        ...{ is_enabled: false, priority: 7 },
      }),
    );
    expect(created).toEqual({
      ...{
        id: created.id,
        url: `/api/v3/playlists/${created.id}/`,
        title: "Lunch",
      },
      ...{ predicate: "$time  BETWEEN {1, 2}", is_enabled: false, priority: 7 },
      duration: 14.3,
      assets: [
        ...[
          { id: a, duration: 4 },
          { id: b, duration: 0.1 },
        ],
        ...[
          { id: a, duration: 10 },
          { id: b, duration: 0.2 },
        ],
      ],
      groups: [
        { id: group.id, url: group.url, name: "Lobby" },
        {
          ...{ id: "all-screens", name: "All Screens" },
          url: "/api/v3/groups/all-screens/",
        },
      ],
    });
    const { assets: _, ...listed } = created;
    expect(await client.get("/playlists/")).toEqual([listed]);
    expect(playlistListV3.parse(listed)).toEqual(listed);
  });

  it("[V3-31] are enabled, always true and empty by default", async () => {
    const client = await service.client();
    expect(await client.make("/playlists/", { title: "A" })).toMatchObject({
      ...{ predicate: "TRUE", is_enabled: true, priority: 0, duration: 0 },
      ...{ assets: [], groups: [] },
    });
  });

  it("[V3-34] an item takes the asset's own length", async () => {
    const client = await service.client();
    const [id] = await assetsOf(client, 1);
    const of = (duration: unknown) =>
      client.make("/playlists/", { title: "A", assets: [{ id, duration }] });
    expect((await of(null)).assets).toEqual([{ id, duration: 10 }]);
    expect((await of(0)).assets).toEqual([{ id, duration: 0 }]);
  });

  it.each([
    [{}, "title"],
    [{ title: "" }, "title"],
    [{ title: "A", predicate: "$TIME !" }, "predicate"],
    [{ title: "A", predicate: "" }, "predicate"],
    [{ title: "A", priority: "high" }, "priority"],
    [{ title: "A", priority: 2 ** 31 }, "priority"],
    [{ title: "A", is_enabled: 2 }, "is_enabled"],
    [{ title: "A", assets: [{ id: "none" }] }, "assets"],
    [{ title: "A", assets: [{ duration: 5 }] }, "assets"],
    [{ title: "A", assets: [null] }, "assets"],
    [{ title: "A", assets: [{ id: "none", duration: -1 }] }, "assets"],
    [{ title: "A", assets: [{ id: "none", duration: 1e300 }] }, "assets"],
    [{ title: "A", assets: Array(10_001).fill({ id: "x" }) }, "assets"],
    [{ title: "A", groups: [{ id: "none" }] }, "groups"],
    [{ title: "A", groups: "all-screens" }, "groups"],
  ])("[V3-8] [V3-31] [V3-34] rejects %.60j as a whole", async (body, field) => {
    const client = await service.client();
    const answer = await client.call("POST", "/playlists/", body);
    expect([answer.status, Object.keys(answer.json as object)]).toEqual([
      ...[400, [field]],
    ]);
    expect(await client.get("/playlists/")).toEqual([]);
  });

  it("[V3-33] reports where a predicate is invalid", async () => {
    const client = await service.client();
    const body = { title: "A", predicate: "TRUE AND OR FALSE" };
    const { json } = await client.call("POST", "/playlists/", body);
    expect((json as { predicate: string[] }).predicate[0]).toMatch(
      /^predicate is not valid at position 9: /,
    );
  });

  describe("changed", () => {
    const created = async (client: ClientV3): Promise<any> => {
      const assets = (await assetsOf(client, 3)).map((id) => ({
        ...{ id, duration: 5 },
      }));
      const groups = [{ id: "all-screens" }];
      return client.make("/playlists/", { title: "A", assets, groups });
    };

    it("[V3-8] PUT accepts the whole object as it was read and changes nothing", async () => {
      const client = await service.client();
      const playlist = await created(client);
      const path = `/playlists/${playlist.id}/`;
      const rows = () =>
        client.rows(`/v4.1/playlist-items?order=position&select=*`);
      const before = await rows();
      expect((await client.call("PUT", path, playlist)).json).toEqual(playlist);
      expect(await rows()).toEqual(before);
    });

    it("[V3-8] [V3-34] PUT keeps omitted fields, replaces given lists, and keeps the rows of unchanged items", async () => {
      const client = await service.client();
      const playlist = await created(client);
      const path = `/playlists/${playlist.id}/`;
      const title = await client.call("PUT", path, { title: "B" });
      expect(title.json).toEqual({ ...playlist, title: "B" });
      const [a, b, c] = playlist.assets;
      const items = async () =>
        (await client.rows("/v4.1/playlist-items?order=position")).map(
          (row) => row.id,
        );
      const [idA, , idC] = await items();
      const assets = [c, { ...a, duration: 7 }, b, b].filter(
        (each) => each !== b,
      );
      const reordered = await client.call("PATCH", path, { assets });
      expect(reordered.json).toMatchObject({ assets, duration: 12 });
      expect(await items()).toEqual([idC, idA]);
      const none = await client.call("PUT", path, { groups: [], assets: [] });
      expect(none.json).toMatchObject({ groups: [], assets: [], duration: 0 });
    });

    it("[V3-8] two concurrent changes of different fields both apply, and of lists one completely", async () => {
      const client = await service.client();
      const playlist = await created(client);
      const path = `/playlists/${playlist.id}/`;
      const [a, b] = playlist.assets;
      const answers = await Promise.all(
        [
          ...[{ title: "B" }, { priority: 3 }, { predicate: "FALSE" }],
          ...[{ assets: [a] }, { assets: [b, b] }, { groups: [] }],
        ].map((body) => client.call("PATCH", path, body)),
      );
      expect(answers.map(({ status }) => status)).toEqual(
        answers.map(() => 200),
      );
      const after = await client.get(path);
      expect(after).toMatchObject({
        ...{ title: "B", priority: 3, predicate: "FALSE", groups: [] },
      });
      expect([[a], [b, b]]).toContainEqual(after.assets);
    });

    it("[V3-8] an unknown asset changes nothing", async () => {
      const client = await service.client();
      const playlist = await created(client);
      const path = `/playlists/${playlist.id}/`;
      const body = { title: "B", groups: [], assets: [{ id: "none" }] };
      expect((await client.call("PUT", path, body)).status).toBe(400);
      expect(await client.get(path)).toEqual(playlist);
    });

    it("[V3-36] a priority level survives what version 4 makes of it", async () => {
      const client = await service.client();
      const { id } = await client.make("/playlists/", {
        ...{ title: "A", priority: 5 },
      });
      const patch = (priority: boolean) =>
        client.request(`/v4.1/playlists?id=eq.${id}`, {
          ...{ method: "PATCH", body: JSON.stringify({ priority }) },
          headers: { "Content-Type": "application/json" },
        });
      const levels: unknown[] = [];
      for (const isUrgent of [true, false, true]) {
        await patch(isUrgent);
        levels.push((await client.get(`/playlists/${id}/`)).priority);
      }
      expect(levels).toEqual([5, 0, 1]);
    });

    it("DELETE is 200 without a body; assets stay", async () => {
      const client = await service.client();
      const { id } = await created(client);
      const gone = await client.call("DELETE", `/playlists/${id}`);
      expect([gone.status, gone.text]).toEqual([200, ""]);
      expect((await client.call("GET", `/playlists/${id}/`)).status).toBe(404);
      expect(await client.get("/assets/")).toHaveLength(3);
    });
  });
});
