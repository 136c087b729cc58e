// The typed clients against a real player and a real content service.

import { describe, expect, it } from "vitest";
import {
  createClientV2,
  createClientV3,
  createClientV4,
} from "../../../server/client/client.ts";
import { claimedPlayer } from "../../support/content/linked-player.ts";
import { oneService } from "../../support/content/one-service.ts";
import { startPlayer } from "../../support/player/start-player.ts";

describe("the client of version 2", () => {
  it("[V2-810] creates, lists, changes and deletes an asset of a player", async () => {
    const { player } = await startPlayer();
    const client = createClientV2({ address: player.apiAddress });
    const { data: created } = await client.POST("/api/v2/assets", {
      body: {
        ...{ name: "Lobby", uri: "https://example.org/", duration: 10 },
        ...{ start_date: "2020-01-01", end_date: "2030-01-01" },
        ...{ mimetype: "webpage", is_enabled: true, skip_asset_check: true },
      },
    });
    const asset_id = created?.asset_id ?? "";
    const params = { path: { asset_id } };
    const at = "/api/v2/assets/{asset_id}" as const;
    const { data: changed } = await client.PATCH(at, {
      ...{ params, body: { duration: 25 } },
    });
    expect(changed?.duration).toBe(25);
    const { data: list } = await client.GET("/api/v2/assets");
    expect(list?.map((asset) => asset.asset_id)).toEqual([asset_id]);
    const { response } = await client.DELETE(at, { params });
    expect(response.status).toBe(204);
    const { error } = await client.GET(at, { params });
    expect(error).toEqual({ detail: expect.any(String) as string });
  });
});

describe("the clients of versions 3 and 4", () => {
  const newTeam = oneService();

  it("[V3-177] [V4-398] create a playlist and read it in the other version", async () => {
    const { address, v3 } = await newTeam();
    const options = { address: `${address}/`, key: v3.key };
    const client = createClientV3(options);
    const { data: playlist } = await client.POST("/playlists/", {
      body: { title: "Lunch", groups: [{ id: "all-screens" }] },
    });
    expect(playlist).toMatchObject({ title: "Lunch", predicate: "TRUE" });
    const { data: rows } = await createClientV4(options).GET("/playlists", {
      params: { query: { select: "id,title" } },
    });
    expect(rows).toEqual([{ id: playlist?.id, title: "Lunch" }]);
    const { error, response } = await client.POST("/playlists/", {
      body: { title: " " },
    });
    expect([response.status, error]).toEqual([
      ...[400, { title: ["title must not be blank"] }],
    ]);
  });

  it("[V3-177] repeats parameters, and returns what a screen shows and why", async () => {
    const { address, v3 } = await newTeam();
    const client = createClientV3({ address, key: v3.key });
    const screens = [
      ...[await claimedPlayer(v3, "A"), await claimedPlayer(v3, "B")],
      await claimedPlayer(v3, "C"),
    ];
    const [a, b] = screens.map(({ screenId }) => screenId);
    const { data } = await client.GET("/screens/states/", {
      params: { query: { screen: [a ?? "", b ?? ""] } },
    });
    const states = Array.isArray(data) ? data : [];
    expect(states.map(({ id }: { readonly id: string }) => id).sort()).toEqual(
      [a, b].sort(),
    );
    const { data: schedule } = await client.GET("/screens/{id}/schedule/", {
      params: { path: { id: a ?? "" } },
    });
    expect(schedule?.due).toEqual([]);
    const { data: command } = await client.POST("/screens/{id}/commands/", {
      ...{ params: { path: { id: a ?? "" } }, body: { kind: "identify" } },
    });
    expect(command).toMatchObject({ kind: "identify", state: "waiting" });
  });
});
