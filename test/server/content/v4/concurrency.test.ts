// Concurrent assignment of numbers and positions.

import { expect, it } from "vitest";
import { eachDatabase } from "../../../support/database/each-database.ts";
import { serveV4 } from "../../../support/content/serve-v4.ts";

const many = 12;

eachDatabase((database) => {
  it("[V4-48] versions of an app created at once have distinct numbers, and none is rejected", async () => {
    const v4 = await serveV4(database);
    const [{ id: app_id }] = await v4.make("/edge-apps", { name: "App" });
    const created = await Promise.all(
      Array.from({ length: many }, () =>
        v4.make("/edge-apps/versions?select=revision", { app_id }),
      ),
    );
    const numbers = created.map(([{ revision }]) => revision as number);
    expect(numbers.sort((a, b) => a - b)).toEqual(
      Array.from({ length: many }, (_, at) => at + 1),
    );
  });

  it("[V4-24] rows merged at once are all merged, in whatever order they arrive", async () => {
    const v4 = await serveV4(database);
    const [{ id: app_id }] = await v4.make("/edge-apps", { name: "App" });
    const settings = ["a", "b", "c", "d"].map((name) => ({ app_id, name }));
    const merged = await Promise.all(
      Array.from({ length: many * 2 }, (_, at) =>
        v4.request("POST", "/edge-apps/settings?on_conflict=app_id,name", {
          body: at % 2 === 0 ? settings : settings.toReversed(),
          headers: { Prefer: "resolution=merge-duplicates" },
        }),
      ),
    );
    expect(merged.filter(({ status }) => status > 201)).toEqual([]);
    const { json } = await v4.get("/edge-apps/settings?select=name&order=name");
    expect(json).toEqual(settings.map(({ name }) => ({ name })));
  });

  it("[V4-41] items of a playlist created at once have distinct positions", async () => {
    const v4 = await serveV4(database);
    const [{ id: playlist_id }] = await v4.make("/playlists", { title: "P" });
    const [{ id: asset_id }] = await v4.make("/assets", { title: "A" });
    const created = await Promise.all(
      Array.from({ length: many }, () =>
        v4.make("/playlist-items", { playlist_id, asset_id }),
      ),
    );
    const places = created.map(([{ position }]) => position as number);
    expect(places.sort((a, b) => a - b)).toEqual(
      Array.from({ length: many }, (_, at) => (at + 1) * 100_000),
    );
  });

  it("[V4-270] of several requests that delete one row at once, exactly one gets the row", async () => {
    const v4 = await serveV4(database);
    for (let round = 0; round < 5; round += 1) {
      const [{ id }] = await v4.make("/playlists", { title: "P" });
      const answers = await Promise.all(
        Array.from({ length: 4 }, () =>
          v4.request("DELETE", `/playlists?id=eq.${id}&select=id`, {
            headers: { Prefer: "return=representation" },
          }),
        ),
      );
      expect(answers.flatMap(({ json }) => json)).toEqual([{ id }]);
    }
  });

  it("[V4-270] a row that no longer matches after a concurrent change is not deleted by a DELETE that waited for it", async () => {
    const v4 = await serveV4(database);
    const rows = await v4.make(
      "/playlists",
      Array.from({ length: 20 }, () => ({ title: "Old" })),
    );
    const old = `/playlists?title=eq.Old&id=in.(${rows.map(({ id }) => id).join()})&select=id`;
    const [kept, deleted] = await Promise.all([
      v4.request("PATCH", old, {
        body: { title: "New" },
        headers: { Prefer: "return=representation" },
      }),
      v4.request("DELETE", old, {
        headers: { Prefer: "return=representation" },
      }),
    ]);
    expect([deleted.status, kept.status]).toEqual([200, 200]);
    const { json: left } = await v4.get("/playlists?select=id");
    expect(left).toHaveLength(rows.length - deleted.json.length);
    expect(kept.json.length + deleted.json.length).toBe(rows.length);
  });

  it("[V4-6] [V4-271] the total count and the rows are of one moment, whatever is written meanwhile", async () => {
    const v4 = await serveV4(database);
    const rounds = 15;
    const writing = (async () => {
      for (let at = 0; at < rounds * 2; at += 1)
        await v4.make("/asset-groups", [{ title: "A" }, { title: "B" }]);
    })();
    const counts: (readonly [string, number])[] = [];
    for (let at = 0; at < rounds; at += 1) {
      const { headers, json } = await v4.get("/asset-groups?select=id", {
        Prefer: "count=exact",
      });
      const total = headers.get("Content-Range")?.split("/")[1] ?? "";
      counts.push([total, json.length]);
    }
    await writing;
    expect(counts.filter(([total, rows]) => Number(total) !== rows)).toEqual(
      [],
    );
  });
});
