// Playbacks of version 3: filtered, paged and as CSV, on both databases.

import { expect, it } from "vitest";
import {
  playbackV3,
  type PlaybackV3,
} from "../../../../server/contract/v3/v3.ts";
import { eachV3 } from "../../../support/content/each-v3.ts";
import {
  claimedPlayer,
  playbackOf,
} from "../../../support/content/linked-player.ts";

eachV3((service) => {
  /** Ten of two screens, a minute apart, of two assets and one playlist. */
  async function played() {
    const client = await service.client();
    const screens = [await claimedPlayer(client), await claimedPlayer(client)];
    for (const [at, player] of screens.entries())
      await player.send(
        Array.from({ length: 5 }, (_, number) =>
          playbackOf(number % 2 === 0 ? "A" : "B", {
            started_at: `2026-05-01T10:0${number}:${at}0.000Z`,
            playlist_id: at === 0 ? "P" : null,
          }),
        ),
      );
    const list = async (query: string): Promise<readonly PlaybackV3[]> =>
      playbackV3.array().parse(await client.get(`/playbacks${query}`));
    return { client, screens, list };
  }

  it("[V3-54] are listed newest first, each with its screen and seconds", async () => {
    const { list, screens } = await played();
    const all = await list("");
    const starts = all.map(({ started_at }) => Date.parse(started_at));
    expect(starts).toEqual([...starts].sort((a, b) => b - a));
    expect(all[0]).toEqual({
      ...{ id: all[0]?.id, screen_id: screens[1]?.screenId, asset_id: "A" },
      ...{ playlist_id: null, duration: 10 },
      started_at: "2026-05-01T10:04:10+00:00",
      ended_at: "2026-05-01T10:04:20+00:00",
    });
  });

  it("[V3-54] are filtered by screen, asset, playlist and time, and paged", async () => {
    const { list, screens } = await played();
    const count = async (query: string) => (await list(query)).length;
    const screen = `screen_id=${screens[0]?.screenId}`;
    expect([
      await count(`?${screen}`),
      await count("?asset_id=B"),
      await count(`?${screen}&asset_id=B&playlist_id=P`),
      await count("?playlist_id=nobody"),
      await count("?start=2026-05-01T10:01:00Z&end=2026-05-01T10:03:00Z"),
      await count(`?start=${Date.UTC(2026, 4, 1, 10, 4)}`),
      await count("?unknown=5"),
    ]).toEqual([5, 4, 2, 0, 4, 2, 10]);
    const pages = [
      ...(await list("?limit=4")),
      ...(await list("?limit=4&offset=4")),
      ...(await list("?limit=4&offset=8")),
    ];
    expect(pages).toEqual(await list(""));
  });

  it("[V3-54] are available as CSV with a header line", async () => {
    const { client } = await played();
    for (const [path, accept] of [
      ...[["/playbacks?limit=1&format=csv", "*/*"] as const],
      ...[["/playbacks?limit=1", "text/csv"] as const],
    ]) {
      const answer = await client.call("GET", path, undefined, {
        Accept: accept,
      });
      expect(answer.headers.get("content-type")).toBe(
        "text/csv; charset=utf-8",
      );
      expect(answer.text.split("\n")).toEqual([
        "id,screen_id,asset_id,playlist_id,started_at,ended_at,duration",
        expect.stringMatching(
          /^\w{26},\w{26},A,,2026-05-01T10:04:10\+00:00,2026-05-01T10:04:20\+00:00,10$/,
        ) as string,
        "",
      ]);
    }
  });

  it("[V3-54] are kept when their screen and asset are deleted", async () => {
    const { client, screens, list } = await played();
    await client.call("DELETE", `/screens/${screens[0]?.screenId}/`);
    expect(await list("")).toHaveLength(10);
  });

  it.each([
    ["limit=0", "limit"],
    ["limit=10001", "limit"],
    ["limit=a", "limit"],
    ["offset=-1", "offset"],
    ["start=today", "start"],
    ["end=2026-13-01T00:00:00Z", "end"],
    ["screen_id=", "screen_id"],
    ["asset_id=a&asset_id=b", "asset_id"],
    ["format=xml", "format"],
  ])("[V3-54] rejects ?%s", async (query, field) => {
    const client = await service.client();
    const answer = await client.call("GET", `/playbacks?${query}`);
    expect([answer.status, Object.keys(answer.json as object)]).toEqual([
      ...[400, [field]],
    ]);
  });
});
