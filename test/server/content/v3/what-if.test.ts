// What if and assertions of version 3 over real sockets, on both databases: a simulated change alters nothing, and a broken assertion
// holds changes back in both interfaces.

import { describe, expect, it } from "vitest";
import {
  assertionV3,
  whatIfV3,
  type AssertionV3,
  type WhatIfV3,
} from "../../../../server/contract/v3/v3-what-if.ts";
import { eachV3, type ClientV3 } from "../../../support/content/each-v3.ts";
import { claimedPlayer } from "../../../support/content/linked-player.ts";

const hourMs = 3_600_000;
const daySeconds = 86_400;
const anyway = { "X-Vitrine-Apply-Anyway": "true" };

interface Shop {
  readonly client: ClientV3;
  readonly screens: { readonly a: string; readonly b: string };
  readonly school: string;
  readonly assets: { readonly film: string; readonly beer: string };
  /** The film, all day on all screens. */
  readonly playlist: string;
}

/** Two screens, of which the first has the label School; everything plays the film. */
async function openShop(client: ClientV3): Promise<Shop> {
  const [a = "", b = ""] = await Promise.all(
    ["A", "B"].map(async (name) => {
      const { screenId } = await claimedPlayer(client);
      const fields = { name, timezone: "Europe/Berlin" };
      await client.call("PATCH", `/screens/${screenId}/`, fields);
      return screenId;
    }),
  );
  const school = await client.make("/groups/", {
    ...{ name: "School", screens: [{ id: a }] },
  });
  const [folder] = await client.add("/v4/asset-groups", { title: "Alcohol" });
  const [film] = await client.add("/v4/assets", { title: "Film" });
  const [beer] = await client.add("/v4/assets", {
    ...{ title: "Beer", asset_group_id: folder?.id },
  });
  const playlist = await client.make("/playlists/", {
    ...{ title: "Safety", groups: [{ id: "all-screens" }] },
    assets: [{ id: film?.id, duration: 30 }],
  });
  return {
    ...{ client, screens: { a, b }, school: school.id as string },
    assets: { film: film?.id ?? "", beer: beer?.id ?? "" },
    playlist: playlist.id as string,
  };
}

const whatIf = async (client: ClientV3, body: object): Promise<WhatIfV3> =>
  whatIfV3.parse(await client.make("/what-if/", body));

const keep = async (client: ClientV3, body: object): Promise<AssertionV3> =>
  assertionV3.parse(await client.make("/assertions/", body));

const noBeer = (shop: Shop) => ({
  ...{ name: "No alcohol", kind: "never", folders: ["Alcohol"] },
  ...{ groups: [{ id: shop.school }], predicate: `$TIME < ${16 * hourMs}` },
});

const hourly = (shop: Shop) => ({
  ...{ name: "Film hourly", kind: "at-least", every_minutes: 60 },
  assets: [{ id: shop.assets.film }],
});

eachV3((service) => {
  describe("what if", () => {
    it("[V3-100] lists which screens change, when, and which end up empty, and changes nothing", async () => {
      const shop = await openShop(await service.client());
      const { client, playlist, school } = shop;
      const before = await client.get(`/playlists/${playlist}/`);
      const answer = await whatIf(client, {
        playlists: [
          {
            ...{ id: playlist, groups: [{ id: school }] },
            predicate: `$TIME < ${12 * hourMs}`,
          },
        ],
      });
      expect(answer.screens).toEqual({
        ...{ total: 2, changed: 2, emptied: 2, empty: 1 },
      });
      expect(Date.parse(answer.until) - Date.parse(answer.from)).toBe(
        30 * daySeconds * 1000,
      );
      expect(answer.change_count).toBe(2);
      const [one, other] = [...answer.changes].sort(
        (x, y) => Number(x.is_empty) - Number(y.is_empty),
      );
      expect(one).toMatchObject({
        screens: { count: 1, first: [{ id: shop.screens.a, name: "A" }] },
        ...{ timezone: "Europe/Berlin", is_empty: false },
      });
      // Half of each day, up to the hour that the change of time adds or takes.
      expect(
        Math.abs((one?.changed_seconds ?? 0) - 15 * daySeconds),
      ).toBeLessThanOrEqual(3600);
      const [period] = one?.periods.first ?? [];
      expect(period).toMatchObject({
        ...{ before: [{ id: playlist, title: "Safety" }], after: [] },
      });
      expect(other).toMatchObject({
        screens: { count: 1, first: [{ id: shop.screens.b, name: "B" }] },
        changed_seconds: 30 * daySeconds,
        ...{ emptied_seconds: 30 * daySeconds, is_empty: true },
        periods: { count: 1 },
      });
      expect(await client.get(`/playlists/${playlist}/`)).toEqual(before);
    });

    it("[V3-127] takes labels and playlists of many screens, and refuses what does not exist", async () => {
      const shop = await openShop(await service.client());
      const { client, screens, school, assets, playlist } = shop;
      const bar = await client.make("/playlists/", {
        ...{ title: "Bar", groups: [{ id: school }], priority: 1 },
        assets: [{ id: assets.beer, duration: 10 }],
      });
      const assigned = (fields: object) => ({
        assignments: [{ screens: [screens.a, screens.b], ...fields }],
      });
      const added = await whatIf(client, assigned({ add_groups: [school] }));
      expect(added.screens).toMatchObject({ changed: 1, emptied: 0 });
      expect(added.changes[0]).toMatchObject({
        screens: { first: [{ id: screens.b, name: "B" }] },
        periods: { first: [{ after: [{ id: bar.id, title: "Bar" }] }] },
      });
      const after = await client.get(`/groups/${school}/`);
      expect(after.screens).toHaveLength(1);
      const own = await whatIf(client, assigned({ add_playlists: [bar.id] }));
      expect(own.screens).toMatchObject({ changed: 1 });
      for (const [fields, error] of [
        [
          { add_playlists: ["none"] },
          'There is no playlist with the id "none".',
        ],
        [{ screens: "A" }, /^assignments\[0\]\.screens must be an array/],
      ] as const) {
        const refused = await client.call("POST", "/what-if/", {
          ...assigned(fields),
        });
        expect(refused.status).toBe(400);
        expect(refused.json).toEqual({
          assignments: [
            typeof error === "string" ? error : expect.stringMatching(error),
          ],
        });
      }
      const [gone] = await whatIf(client, {
        ...assigned({}),
        playlists: [{ id: playlist, is_removed: true }],
      }).then(({ changes }) => changes);
      expect(gone?.is_empty).toBe(true);
    });

    it("[V3-100] takes new and removed playlists, labels of screens, and groups", async () => {
      const shop = await openShop(await service.client());
      const { client, screens, school, assets, playlist } = shop;
      const added = await whatIf(client, {
        playlists: [
          {
            ...{ title: "Bar", groups: [{ id: school }], priority: 1 },
            assets: [{ id: assets.beer, duration: 10 }],
          },
        ],
        screens: [{ id: screens.b, groups: [{ id: school }] }],
      });
      expect(added.screens).toMatchObject({ changed: 2, emptied: 0 });
      expect(added.changes[0]?.periods.first[0]?.after).toEqual([
        { id: null, title: "Bar" },
      ]);
      const removed = await whatIf(client, {
        playlists: [{ id: playlist, is_removed: true }],
        screens: [{ id: screens.b, is_removed: true }],
      });
      expect(removed.screens).toEqual({
        ...{ total: 1, changed: 1, emptied: 1, empty: 1 },
      });
      const same = await whatIf(client, {
        groups: [{ id: school, screens: [{ id: screens.b }] }],
      });
      expect(same).toMatchObject({
        ...{ screens: { changed: 0 }, changes: [], assertions: [] },
      });
      expect(await client.get("/playlists/")).toHaveLength(1);
    });

    it("[V3-101] leaves out disabled screens and what failed to be processed", async () => {
      const shop = await openShop(await service.client());
      const { client, screens, assets, playlist } = shop;
      const path = `/screens/${screens.b}/`;
      await client.call("PATCH", path, { is_enabled: false });
      const answer = await whatIf(client, {
        playlists: [{ id: playlist, assets: [{ id: assets.beer }] }],
      });
      expect(answer.screens).toMatchObject({
        total: 1,
        changed: 1,
        emptied: 0,
      });
    });

    it.each<[string, object, object]>([
      [
        "an unknown playlist",
        { playlists: [{ id: "nothing", priority: 1 }] },
        { playlists: ['There is no playlist with the id "nothing".'] },
      ],
      [
        "an invalid predicate",
        { playlists: [{ title: "x", predicate: "$TIME <" }] },
        {
          playlists: [
            expect.stringMatching(
              /^playlists\[0\]\.predicate is not valid at position \d+: /,
            ),
          ],
        },
      ],
      [
        "a screen without an id",
        { screens: [{ groups: [] }] },
        { screens: ["screens[0] must be an object with an id"] },
      ],
      [
        "a built-in group",
        { groups: [{ id: "all-screens", screens: [] }] },
        { groups: ["A built-in group cannot be changed."] },
      ],
      [
        "too many changes",
        { playlists: Array.from({ length: 1001 }, () => ({ title: "x" })) },
        { playlists: ["playlists must have at most 1000 elements"] },
      ],
    ])("[V3-103] refuses %s", async (_what, body, errors) => {
      const client = await service.client();
      const answer = await client.call("POST", "/what-if/", body);
      expect([answer.status, answer.json]).toEqual([400, errors]);
    });
  });

  describe("assertions", () => {
    it("[V3-104] are created with defaults, checked, changed and deleted", async () => {
      const shop = await openShop(await service.client());
      const { client } = shop;
      const assertion = await keep(client, {
        ...{ name: "Film hourly", kind: "at-least", every_minutes: "60" },
        ...{
          assets: [{ id: shop.assets.film }],
          groups: [{ id: shop.school }],
        },
      });
      expect(assertion).toEqual({
        ...{ id: assertion.id, name: "Film hourly", kind: "at-least" },
        ...{ is_enabled: true, holds_back: true, every_minutes: 60 },
        assets: [{ id: shop.assets.film, title: "Film" }],
        ...{ folders: [], predicate: "TRUE" },
        groups: [{ id: shop.school, name: "School" }],
        created_at: assertion.created_at,
        last_check: {
          checked_at: expect.any(String),
          ...{ is_broken: false, screens: { count: 0, first: [] } },
          periods: { count: 0, seconds: 0, first: [] },
        },
      });
      const path = `/assertions/${assertion.id}/`;
      expect(await client.get(path)).toEqual(assertion);
      expect(await client.get("/assertions/")).toEqual([assertion]);
      const same = await client.call("PUT", path, assertion);
      expect([same.status, same.json]).toEqual([200, assertion]);
      const changed = await client.call("PATCH", path, {
        ...{ name: "Beer hourly", holds_back: false },
        assets: [{ id: shop.assets.beer }],
      });
      expect(changed.json).toMatchObject({
        ...{ name: "Beer hourly", holds_back: false },
        last_check: {
          is_broken: true,
          screens: { count: 1, first: [{ id: shop.screens.a, name: "A" }] },
          periods: { count: 1, seconds: 30 * daySeconds },
        },
      });
      const other = await service.client();
      for (const method of ["GET", "PATCH", "DELETE"])
        expect((await other.call(method, path)).status).toBe(404);
      expect((await client.call("DELETE", path)).status).toBe(200);
      expect(await client.get("/assertions/")).toEqual([]);
    });

    it.each<[object, object]>([
      [{ name: undefined }, { name: ["name is required"] }],
      [
        { kind: "often" },
        { kind: ['kind must be one of never, at-least; got "often"'] },
      ],
      [{ folders: [] }, { assets: ["assets or folders is required"] }],
      [
        { assets: [{ id: "nothing" }] },
        { assets: ['There is no asset with the id "nothing".'] },
      ],
      [
        { every_minutes: 5 },
        { every_minutes: ['every_minutes must be null if kind is "never"'] },
      ],
      [
        { kind: "at-least" },
        {
          every_minutes: ['every_minutes is required if kind is "at-least"'],
        },
      ],
      [{ folders: [" "] }, { folders: ["folders[0] must not be blank"] }],
    ])("[V3-104] refuses %j", async (fields, errors) => {
      const client = await service.client();
      const answer = await client.call("POST", "/assertions/", {
        ...{ name: "N", kind: "never", folders: ["Alcohol"], ...fields },
      });
      expect([answer.status, answer.json]).toEqual([400, errors]);
    });

    it("[V3-105] never: holds back an item, a label and a predicate, in both interfaces", async () => {
      const shop = await openShop(await service.client());
      const { client, assets, screens, school } = shop;
      await keep(client, noBeer(shop));
      const bar = await client.make("/playlists/", {
        ...{ title: "Bar", predicate: `$TIME >= ${16 * hourMs}` },
        ...{ groups: [{ id: school }], assets: [{ id: assets.beer }] },
      });
      const path = `/playlists/${bar.id}/`;
      const early = { predicate: `$TIME >= ${15 * hourMs}` };
      const refused = await client.call("PATCH", path, early);
      expect([refused.status, refused.json]).toEqual([
        409,
        {
          detail:
            "This change would break “No alcohol” on 1 screen, so it was not applied. Send X-Vitrine-Apply-Anyway: true to apply it anyway.",
          what_if: expect.anything(),
        },
      ]);
      // As the simulation of the same change returns it [V3-196].
      const { assertions, ...others } = await whatIf(client, {
        playlists: [{ id: bar.id, ...early }],
      });
      expect(refused.json.what_if).toEqual({
        ...others,
        assertions: assertions.filter(
          ({ is_newly_broken }: { is_newly_broken: boolean }) =>
            is_newly_broken,
        ),
      });
      expect(refused.json.what_if.screens).toMatchObject({ changed: 1 });
      expect(await client.get(path)).toEqual(bar);
      const safety = `/playlists/${shop.playlist}/`;
      const withBeer = { assets: [{ id: assets.beer }] };
      expect((await client.call("PATCH", safety, withBeer)).status).toBe(409);
      const item = await client.call("POST", "/api/v4/playlist-items", {
        ...{ playlist_id: shop.playlist, asset_id: assets.beer, position: 1 },
      });
      expect([item.status, item.json]).toEqual([
        409,
        {
          ...{ code: "P0001", details: null, hint: null },
          message: refused.json.detail,
        },
      ]);
      const v4 = `/api/v4/playlists?id=eq.${bar.id}`;
      expect((await client.call("PATCH", v4, early)).status).toBe(409);
      // The label is the same change as the playlist.
      await client.make("/playlists/", {
        ...{ title: "Cellar", groups: [{ id: screens.b }] },
        ...withBeer,
      });
      const labelled = { groups: [{ id: screens.b }, { id: school }] };
      const [cellar] = (await client.get("/playlists/")).filter(
        ({ title }: { title: string }) => title === "Cellar",
      );
      const answer = await client.call(
        "PATCH",
        `/playlists/${cellar.id}/`,
        labelled,
      );
      expect(answer.status).toBe(409);
      expect(
        (
          await client.call("PATCH", `/screens/${screens.b}/`, {
            groups: [{ id: school }],
          })
        ).status,
      ).toBe(409);
    });

    it("[V3-106] at least: holds back a removal, and a lineup in which it comes too rarely", async () => {
      const shop = await openShop(await service.client());
      const { client, assets, playlist } = shop;
      await keep(client, hourly(shop));
      const path = `/playlists/${playlist}/`;
      expect((await client.call("DELETE", path)).status).toBe(409);
      const item = (seconds: number) => ({
        assets: [{ id: assets.film }, { id: assets.beer, duration: seconds }],
      });
      expect((await client.call("PATCH", path, item(3601))).status).toBe(409);
      expect((await client.call("PATCH", path, item(3600))).status).toBe(200);
      const film = `/assets/${assets.film}/`;
      expect((await client.call("DELETE", film)).status).toBe(409);
    });

    it("[V3-107, V3-108] a broken one doesn't hold back what doesn't break it further, nor what is applied anyway", async () => {
      const shop = await openShop(await service.client());
      const { client, assets, playlist, school } = shop;
      const assertion = await keep(client, noBeer(shop));
      const path = `/playlists/${playlist}/`;
      const items = { assets: [{ id: assets.film }, { id: assets.beer }] };
      const preview = await whatIf(client, {
        playlists: [{ id: playlist, ...items }],
      });
      expect(preview.assertions).toMatchObject([
        {
          ...{ id: assertion.id, holds_back: true, is_newly_broken: true },
          newly_broken_screens: { count: 1, first: [{ name: "A" }] },
        },
      ]);
      expect((await client.call("PATCH", path, items)).status).toBe(409);
      expect((await client.call("PATCH", path, items, anyway)).status).toBe(
        200,
      );
      // It is broken all day already.
      const more = {
        ...{ title: "Bar", groups: [{ id: school }] },
        assets: [{ id: assets.beer }],
      };
      expect((await client.call("POST", "/playlists/", more)).status).toBe(201);
      const off = { holds_back: false };
      await client.call("PATCH", path, { assets: [{ id: assets.film }] });
      await client.call("PATCH", `/assertions/${assertion.id}/`, off);
      expect((await client.call("PATCH", path, items)).status).toBe(200);
    });
  });
});
