// Consistency of versions 3 and 4: random operations of both, compared after each, on both databases.

import fc from "fast-check";
import { expect, it } from "vitest";
import { assertEnded } from "../../../support/fuzz/assert-ended.ts";
import { eachV3, type ClientV3 } from "../../../support/content/each-v3.ts";
import { claimedPlayer } from "../../../support/content/linked-player.ts";
import {
  comparable,
  seenByV3,
  readThroughV4,
} from "../../../support/content/v3-and-v4.ts";

/** One of version 3 or 4, on the existing rows; `pick` chooses among them. */
interface Action {
  readonly what: string;
  readonly pick: readonly number[];
  readonly text: string;
  readonly flag: boolean;
  readonly number: number;
}

const whats = [
  ...["asset-3", "asset-4", "change-asset-3", "change-asset-4"],
  ...["delete-asset-3", "delete-asset-4", "folder-3", "metadata-4"],
  ...["group-3", "label-4", "change-group-3", "rename-label-4"],
  ...["delete-group-3", "delete-label-4", "link-screen-4"],
  ...["playlist-3", "playlist-4", "change-playlist-3", "change-playlist-4"],
  ...["items-3", "item-4", "delete-item-4", "move-item-4", "groups-3"],
  ...["link-4", "unlink-4", "back-3", "delete-playlist-3"],
  ...["delete-playlist-4", "screen-3", "rename-screen-4"],
] as const;

const action: fc.Arbitrary<Action> = fc.record({
  what: fc.constantFrom(...whats),
  pick: fc.array(fc.nat(20), { minLength: 4, maxLength: 4 }),
  text: fc.string({ minLength: 1, maxLength: 8 }).map((text) => `t${text}`),
  flag: fc.boolean(),
  number: fc.integer({ min: 0, max: 40 }).map((each) => each / 4),
});

function among<T>(rows: readonly T[], at: number | undefined): T | undefined {
  return rows.length === 0 ? undefined : rows[(at ?? 0) % rows.length];
}

/** Returns its status; undefined when there is no row for it. */
async function act(
  client: ClientV3,
  { what, pick, text, flag, number }: Action,
): Promise<number> {
  const ids = async (table: string): Promise<string[]> =>
    (await client.rows(`/v4.1/${table}?select=id&order=id`)).map(
      ({ id }) => id,
    );
  const one = async (table: string, at = 0): Promise<string> =>
    among(await ids(table), pick[at]) ?? "none";
  const v3 = async (method: string, path: string, body?: unknown) =>
    (await client.call(method, path, body)).status;
  const v4 = async (method: string, path: string, body?: unknown) =>
    (await client.call(method, `/v4.1/${path}`, body)).status;
  const manual = async () =>
    among(await client.rows("/v4.1/labels?type=eq.manual&order=id"), pick[0])
      ?.id ?? "none";
  const someAssets = async () => {
    const all = await ids("assets");
    return pick.flatMap((at) => {
      const id = among(all, at);
      return id === undefined ? [] : [{ id, duration: number }];
    });
  };
  switch (what) {
    case "asset-3":
      return v3("POST", "/assets/", {
        ...{ source_url: "http://127.0.0.1:9/", disable_verification: true },
        ...{ title: text, metadata: { a: text } },
      });
    case "asset-4":
      return v4("POST", "assets", { title: text, headers: { "X-A": "b" } });
    case "change-asset-3":
      return v3("PATCH", `/assets/${await one("assets")}/`, {
        ...{ title: text, disable_verification: flag },
      });
    case "change-asset-4":
      return v4("PATCH", `assets?id=eq.${await one("assets")}`, {
        ...{ title: text, js_injection: text },
      });
    case "delete-asset-3":
      return v3("DELETE", `/assets/${await one("assets")}/`);
    case "delete-asset-4":
      return v4("DELETE", `assets?id=eq.${await one("assets")}`);
    case "folder-3":
      return v3("PUT", `/assets/${await one("assets")}/`, {
        folder_name: flag ? `Folder ${pick[0]}` : null,
      });
    case "metadata-4":
      return v4("PATCH", `assets?id=eq.${await one("assets")}`, {
        metadata: { tags: text, n: pick[0], ok: flag },
      });
    case "group-3":
      return v3("POST", "/groups/", {
        ...{ name: text, screens: [{ id: await one("screens") }] },
      });
    case "label-4":
      return v4("POST", "labels", { name: text });
    case "change-group-3":
      return v3("PUT", `/groups/${await manual()}/`, {
        screens: flag ? [{ id: await one("screens", 1) }] : [],
      });
    case "rename-label-4":
      return v4("PATCH", `labels?id=eq.${await manual()}`, { name: text });
    case "delete-group-3":
      return v3("DELETE", `/groups/${await manual()}/`);
    case "delete-label-4":
      return v4("DELETE", `labels?id=eq.${await manual()}`);
    case "link-screen-4":
      return v4("POST", "labels/screens", {
        ...{ label_id: await manual(), screen_id: await one("screens", 1) },
      });
    case "playlist-3":
      return v3("POST", "/playlists/", {
        ...{ title: text, assets: await someAssets(), priority: pick[0] },
        groups: flag ? [{ id: "all_screens" }] : [],
      });
    case "playlist-4":
      return v4("POST", "playlists", { title: text, priority: flag });
    case "change-playlist-3":
      return v3("PATCH", `/playlists/${await one("playlists")}/`, {
        ...{ title: text, is_enabled: flag, predicate: "$TIME >= 5" },
      });
    case "change-playlist-4":
      return v4("PATCH", `playlists?id=eq.${await one("playlists")}`, {
        ...{ priority: flag, predicate: "FALSE" },
      });
    case "items-3":
      return v3("PUT", `/playlists/${await one("playlists")}/`, {
        assets: await someAssets(),
      });
    case "item-4":
      return v4("POST", "playlist-items", {
        ...{ playlist_id: await one("playlists") },
        ...{ asset_id: await one("assets", 1), duration: number },
      });
    case "delete-item-4":
      return v4(
        "DELETE",
        `playlist-items?id=eq.${await one("playlist-items")}`,
      );
    case "move-item-4":
      return v4(
        "PATCH",
        `playlist-items?id=eq.${await one("playlist-items")}`,
        {
          position: (pick[1] ?? 0) * 1000,
        },
      );
    case "groups-3":
      return v3("PATCH", `/playlists/${await one("playlists")}/`, {
        groups: [{ id: await one("labels", 1) }, { id: "all-screens" }],
      });
    case "link-4":
      return v4("POST", "labels/playlists", {
        ...{ label_id: await one("labels", 1) },
        playlist_id: await one("playlists"),
      });
    case "unlink-4":
      return v4(
        "DELETE",
        `labels/playlists?label_id=eq.${await one("labels", 1)}&playlist_id=eq.${await one("playlists")}`,
      );
    case "back-3": {
      const path = `/playlists/${await one("playlists")}/`;
      const { status, json } = await client.call("GET", path);
      return status === 200 ? v3("PUT", path, json) : status;
    }
    case "delete-playlist-3":
      return v3("DELETE", `/playlists/${await one("playlists")}/`);
    case "delete-playlist-4":
      return v4("DELETE", `playlists?id=eq.${await one("playlists")}`);
    case "screen-3":
      return v3("PATCH", `/screens/${await one("screens")}/`, {
        ...{ name: text, groups: [{ id: await manual() }] },
      });
    case "rename-screen-4":
      return v4("PATCH", `screens?id=eq.${await one("screens")}`, {
        name: text,
      });
  }
  throw new Error(`no such action: ${what}`);
}

/** In full with `npm run long`. */
const runs =
  process.env.VITRINE_LONG === "1"
    ? { numRuns: 60 }
    : { numRuns: 3, interruptAfterTimeLimit: 50_000 };

eachV3((service) => {
  it("[V3-59] after every operation of either, both return the same assets, groups and playlists", async () => {
    await assertEnded(
      fc.asyncProperty(
        fc.array(action, { minLength: 25, maxLength: 25 }),
        async (actions) => {
          const client = await service.client();
          await claimedPlayer(client);
          // Initial content.
          for (const what of ["asset-4", "playlist-3", "group-3"])
            await act(client, { ...(actions[0] as Action), what });
          for (const each of actions) {
            const status = await act(client, each);
            expect([each.what, status < 500]).toEqual([each.what, true]);
            const [seen, reported] = await stableViews(client);
            expect(comparable(seen)).toEqual(comparable(reported));
          }
        },
      ),
      runs,
    );
  });
});

/** Both of one moment: what ingest finishes in between is compared again. */
async function stableViews(client: ClientV3) {
  for (let left = 20; ; left -= 1) {
    const before = await seenByV3(client);
    const reported = await readThroughV4(client);
    const after = await seenByV3(client);
    if (left === 0 || JSON.stringify(before) === JSON.stringify(after))
      return [after, reported] as const;
  }
}
