// Playlists as the manager at the service's address reads them: the rows of both versions, on both databases.

import { expect, it } from "vitest";
import {
  playlistColumns,
  playlistFieldsToV3,
  playlistFromBoth,
  playlistFromV4,
  storedItemsOf,
} from "../../../../server/contract/service-rows/playlist-from-row.ts";
import { eachV3, type ClientV3 } from "../../../support/content/each-v3.ts";

/** The first two items as the page shows them, from both versions. */
async function shown(client: ClientV3, id: string) {
  const answer = await client.call("GET", `/playlists/${id}/`);
  const rows = await client.get(
    `/api/v4/playlists?id=eq.${id}&select=${playlistColumns}`,
  );
  const etag = answer.headers.get("etag") ?? "";
  const playlist = playlistFromBoth(answer.json, rows[0], etag);
  return { playlist, row: rows[0], etag };
}

eachV3((service) => {
  it("[V3-190] a playlist is the same in the list of version 4 and by itself, with items, labels, priority and transition", async () => {
    const client = await service.client();
    const [a, b] = (
      await client.add("/v4.1/assets", [{ title: "A" }, { title: "B" }])
    ).map(({ id }) => id);
    const { id: label } = await client.make("/groups/", { name: "Lobby" });
    const { id } = await client.make("/playlists/", {
      ...{ title: "Lunch", predicate: "$WEEKDAY = 1", priority: 3 },
      assets: [{ id: b, duration: 7.5 }, { id: a }, { id: b, duration: 20 }],
      groups: [{ id: label }, { id: "all-screens" }],
    });
    const { playlist, row, etag } = await shown(client, id);
    expect(playlist).toEqual({
      ...{ playlist_id: id, name: "Lunch", predicate: "$WEEKDAY = 1" },
      ...{ priority: 1, is_enabled: true, shuffle: null },
      groups: [label, "all-screens"].toSorted(),
      transition: "cross-fade",
      items: [
        { item_id: expect.any(String), asset_id: b, duration: 8 },
        { item_id: expect.any(String), asset_id: a, duration: null },
        { item_id: expect.any(String), asset_id: b, duration: 20 },
      ],
      items_revision: etag,
      created: expect.stringMatching(/^20\d\d-.*Z$/),
    });
    expect(playlistFromV4(row)).toEqual({ ...playlist, items_revision: "" });
  });

  it("[V3-191] a new order and a new item are stored with exact durations, and the other items keep their identifiers", async () => {
    const client = await service.client();
    const [a, b] = (
      await client.add("/v4.1/assets", [{ title: "A" }, { title: "B" }])
    ).map(({ id }) => id);
    const { id } = await client.make("/playlists/", {
      ...{ title: "Lunch", assets: [{ id: a, duration: 7.5 }, { id: b }] },
    });
    const before = await shown(client, id);
    const items = before.playlist?.items ?? [];
    const added = { item_id: "new", asset_id: a ?? "", duration: null };
    const changed = await client.call(
      ...(["PATCH", `/playlists/${id}/`] as const),
      playlistFieldsToV3(
        { items: [...items.toReversed(), added] },
        storedItemsOf(before.row),
      ),
      { "If-Match": before.etag },
    );
    expect(changed.status, changed.text).toBe(200);
    expect(changed.json.assets).toEqual([
      { id: b, duration: 10 },
      { id: a, duration: 7.5 },
      { id: a, duration: 10 },
    ]);
    const after = (await shown(client, id)).playlist?.items ?? [];
    expect(after.slice(0, 2)).toEqual(items.toReversed());
    expect(after).toHaveLength(3);
  });
});
