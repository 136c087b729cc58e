// ETag and If-Match of single rows, in version 3 and version 4, on both databases: the second change is rejected.

import { describe, expect, it, vi } from "vitest";
import { conditionOf } from "../../../../server/content/http/if-match.ts";
import { registerPlayer } from "../../../support/content/linked-player.ts";
import {
  eachV3,
  type AnswerV3,
  type ClientV3,
} from "../../../support/content/each-v3.ts";

import { secondConnection } from "../../../support/content/second-connection.ts";

const asObject = { Accept: "application/vnd.pgrst.object+json" };
const other = '"another"';

const tagOf = ({ headers }: AnswerV3) => headers.get("etag") ?? "";

/** A header that holds and some that don't, with the status of a change. */
function conditions(tag: string): readonly (readonly [string, number])[] {
  return [
    [other, 412],
    [`W/${tag}`, 412],
    [`${other}, W/${tag}`, 412],
    ...["a", "", '"a', '"a" "b"', "*, *", `${tag};`].map(
      (malformed) => [malformed, 400] as const,
    ),
    [` ,${other} ,, ${tag}`, 200],
    ["*", 200],
  ];
}

eachV3((service) => {
  const resources: readonly {
    readonly path: string;
    readonly name: string;
    readonly make: (client: ClientV3) => Promise<{ readonly id: string }>;
  }[] = [
    {
      ...{ path: "/playlists", name: "title" },
      make: (client) => client.make("/playlists/", { title: "One" }),
    },
    {
      ...{ path: "/groups", name: "name" },
      make: (client) => client.make("/groups/", { name: "One" }),
    },
    {
      ...{ path: "/assets", name: "title" },
      make: async (client) => {
        const [asset] = await client.add("/v4.1/assets", [{ title: "One" }]);
        if (!asset) throw new Error("It was not created.");
        return asset;
      },
    },
    {
      ...{ path: "/screens", name: "name" },
      make: async (client) => {
        const { pin } = await registerPlayer(service.address());
        return client.make("/screens/", { pin, name: "One" });
      },
    },
  ];

  it.each(resources)(
    "[V3-150] [V3-151] [V3-152] $path are changed and deleted only as they were read",
    async ({ path, name, make }) => {
      const client = await service.client();
      const at = `${path}/${(await make(client)).id}/`;
      const before = tagOf(await client.call("GET", at));
      expect(before).toMatch(/^"[\w-]{43}"$/);
      const change = (to: string, tag: string, method = "PATCH") =>
        client.call(method, at, { [name]: to }, { "If-Match": tag });
      const changed = await change("Two", before);
      expect(changed.status).toBe(200);
      const now = tagOf(changed);
      expect(now).not.toBe(before);
      expect(tagOf(await client.call("GET", at))).toBe(now);
      const late = await change("Late", before);
      expect([late.status, tagOf(late), Object.keys(late.json)]).toEqual([
        ...[412, now, ["detail"]],
      ]);
      for (const [header, status] of conditions(now)) {
        const answer = await change("Two", header, "PATCH");
        expect([header, answer.status]).toEqual([header, status]);
        if (status === 400)
          expect(Object.keys(answer.json)).toEqual(["If-Match"]);
      }
      const remove = (tag: string) =>
        client.call("DELETE", at, undefined, { "If-Match": tag });
      expect((await remove(before)).status).toBe(412);
      expect(await client.get(at)).toMatchObject({ [name]: "Two" });
      expect((await remove(now)).status).toBe(200);
      expect((await remove("*")).status).toBe(404);
    },
  );

  it("[V3-151] [V4-391] of many who read the same row, exactly one changes it", async () => {
    const client = await service.client();
    const { id } = await client.make("/playlists/", { title: "One" });
    const [asset] = await client.add("/v4.1/assets", [{ title: "A" }]);
    const places = [
      ["PUT", `/playlists/${id}/`, {}],
      ["PATCH", `/v4.1/playlists?id=eq.${id}`, asObject],
    ] as const;
    for (const [method, at, headers] of places) {
      const tag = tagOf(await client.call("GET", at, undefined, headers));
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, place) =>
          client.call(
            method,
            at,
            {
              title: `${method} ${place}`,
              // Its items count as well.
              ...(method === "PUT" && { assets: [{ id: asset?.id }] }),
            },
            { "If-Match": tag },
          ),
        ),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status < 300)).toHaveLength(1);
      expect(statuses.filter((status) => status === 412)).toHaveLength(7);
    }
  });

  // SQLite has one writer at a time.
  it.skipIf(service.kind === "sqlite")(
    "[V3-157] loses no item that version 4 adds while the condition holds",
    async () => {
      const client = await service.client();
      const assets = await client.add(
        "/v4.1/assets",
        ["A", "B", "C"].map((title) => ({ title })),
      );
      const [a = "", b = "", c = ""] = assets.map(({ id }) => id);
      const { id } = await client.make("/playlists/", {
        ...{ title: "One", assets: [{ id: a }] },
      });
      const at = `/playlists/${id}/`;
      const tag = tagOf(await client.call("GET", at));
      const database = secondConnection({
        dataDir: service.dataDir(),
        databaseUrl: service.databaseUrl(),
      });
      const waiting = async (): Promise<number> => {
        const [row] = await database.read({
          text: `SELECT count(*) AS waiting FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          values: [],
        });
        return Number(row?.["waiting"]);
      };
      const changes: Promise<AnswerV3>[] = [];
      let isAdded = false;
      await database.write(async (run) => {
        await run({
          ...{ text: "SELECT id FROM assets WHERE id = $1 FOR UPDATE" },
          values: [a],
        });
        // It has compared the playlist, and waits for this asset to replace its items.
        const changing = client.call(
          ...(["PUT", at, { assets: [{ id: c }] }] as const),
          { "If-Match": tag },
        );
        await vi.waitUntil(async () => (await waiting()) === 1);
        const adding = client.call("POST", "/v4.1/playlist-items", {
          ...{ playlist_id: id, asset_id: b, position: 7 },
        });
        adding.finally(() => (isAdded = true)).catch(() => undefined);
        changes.push(changing, adding);
        await vi.waitUntil(async () => isAdded || (await waiting()) === 2);
      });
      const answers = await Promise.all(changes);
      expect(answers.map(({ status }) => status)).toEqual([200, 201]);
      const { assets: items } = await client.get(at);
      expect(items.map((item: { id: string }) => item.id).sort()).toEqual(
        [b, c].sort(),
      );
    },
  );

  describe("in version 4", () => {
    it("[V4-390] [V4-391] one row is changed and deleted only as it was read", async () => {
      const client = await service.client();
      const [{ id } = { id: "" }] = await client.add("/v4.1/playlists", [
        { title: "One" },
      ]);
      const at = `/v4.1/playlists?id=eq.${id}`;
      const read = () => client.call("GET", at, undefined, asObject);
      const before = tagOf(await read());
      expect(before).toMatch(/^"[\w-]{43}"$/);
      // The tag of a part of it, and of a list, is no condition.
      for (const [path, headers] of [
        [`${at}&select=id,title`, asObject],
        [at, {}],
      ] as const) {
        const weak = tagOf(await client.call("GET", path, undefined, headers));
        expect(weak).toMatch(/^W\//);
        expect((await change("Late", weak)).status).toBe(412);
      }
      async function change(title: string, tag: string): Promise<AnswerV3> {
        return client.call("PATCH", at, { title }, { "If-Match": tag });
      }
      expect((await change("Two", before)).status).toBe(204);
      const now = tagOf(await read());
      const late = await change("Late", before);
      expect([late.status, tagOf(late), late.json]).toEqual([
        ...[412, now],
        {
          ...{ code: "55000", details: null },
          message:
            "The row has changed since it was read, so the request was not applied",
          hint: "Read it again and repeat the change with its current ETag",
        },
      ]);
      for (const [header, status] of conditions(now))
        expect([header, (await change("Two", header)).status]).toEqual([
          ...[header, status === 200 ? 204 : status],
        ]);
      const unchanged = await client.call("GET", at, undefined, {
        ...{ ...asObject, "If-None-Match": now },
      });
      expect(unchanged.status).toBe(304);
      const remove = (tag: string) =>
        client.call("DELETE", at, undefined, { "If-Match": tag });
      expect((await remove(before)).status).toBe(412);
      expect((await remove(now)).status).toBe(204);
    });

    it("[V4-392] tags never select among several rows, or none; * needs a row", async () => {
      const client = await service.client();
      const rows = await client.add("/v4.1/playlists", [
        ...[{ title: "One" }, { title: "Two" }],
      ]);
      const one = `/v4.1/playlists?id=eq.${rows[0]?.id}`;
      const tag = tagOf(await client.call("GET", one, undefined, asObject));
      const change = (filter: string, header: string) =>
        client.call(
          ...(["PATCH", `/v4.1/playlists?${filter}`] as const),
          { is_enabled: false },
          { "If-Match": header },
        );
      const both = `id=in.(${rows.map(({ id }) => id).join()})`;
      const several = await change(both, tag);
      expect([several.status, tagOf(several)]).toEqual([412, ""]);
      expect(
        (await change("id=eq.01ARZ3NDEKTSV4RRFFQ69G5FAV", "*")).status,
      ).toBe(412);
      expect(await client.get("/v4.1/playlists?is_enabled=is.false")).toEqual(
        [],
      );
      expect((await change(both, "*")).status).toBe(204);
      const created = await client.call(
        ...(["POST", "/v4.1/playlists", { title: "Three" }] as const),
        { "If-Match": "*" },
      );
      expect(created.status).toBe(400);
      expect(await client.get("/v4.1/playlists?title=eq.Three")).toEqual([]);
    });
  });
});

it("[V3-151] a condition of any length is read in one pass", () => {
  const many = Array.from({ length: 2000 }, (_, at) => `"${at}"`).join(" , ");
  expect(conditionOf(many)).toHaveProperty("size", 2000);
  expect(conditionOf(undefined)).toBeNull();
  expect(() => conditionOf(`${" ".repeat(100_000)}x`)).toThrow("If-Match");
});
