// Playlists of a content service in the fields of version 2.

import { describe, expect, it } from "vitest";
import {
  playlistFieldFromV3,
  playlistFieldsToV3,
  playlistFromBoth,
  playlistFromV4,
  storedItemsOf,
  transitionsToV4,
} from "../../../server/contract/service-rows/playlist-from-row.ts";

const item = (id: string, asset: string, more: object) => ({
  ...{ id, asset_id: asset, duration: 10, position: 100_000 },
  ...{ assets: { duration: null } },
  ...more,
});

const row = {
  ...{ id: "01P", title: "Lunch", predicate: "TRUE", is_enabled: true },
  ...{ priority: true, transitions: false },
  created_at: "2026-03-01T10:00:00+00:00",
  labels: [
    { id: "01Z", type: "manual" },
    { id: "01L", type: "all-screens" },
    { id: "01A", type: "screen" },
  ],
  playlist_items: [
    item("01I2", "01C", { position: 200_000, duration: 7.5 }),
    item("01I1", "01B", {}),
    item("01I3", "01V", { position: 300_000, duration: 12.5 }),
  ].map((one) =>
    one.id === "01I3" ? { ...one, assets: { duration: 12.5 } } : one,
  ),
};

const v3 = {
  ...{ id: "01P", title: "Lunch", predicate: "TRUE", is_enabled: true },
  ...{ priority: 7, duration: 30 },
  groups: [{ id: "01A" }, { id: "all-screens" }, { id: "01Z" }],
  assets: [
    { id: "01B", duration: 10 },
    { id: "01C", duration: 7.5 },
    { id: "01V", duration: 12.5 },
  ],
};

const fields = {
  ...{ playlist_id: "01P", name: "Lunch", predicate: "TRUE", priority: 1 },
  ...{ is_enabled: true, groups: ["01A", "01Z", "all-screens"] },
  ...{ transition: "cut", shuffle: null },
  items: [
    { item_id: "01I1", asset_id: "01B", duration: null },
    { item_id: "01I2", asset_id: "01C", duration: 8 },
    { item_id: "01I3", asset_id: "01V", duration: null },
  ],
  created: "2026-03-01T10:00:00.000Z",
};

describe("a playlist of a content service", () => {
  it("[V3-190] is the same from a row of version 4 and from rows of both, with the tag of the latter", () => {
    expect(playlistFromV4(row)).toEqual({ ...fields, items_revision: "" });
    expect(playlistFromBoth(v3, row, '"tag"')).toEqual({
      ...{ ...fields, items_revision: '"tag"' },
    });
  });

  it("[V3-191] is none if its items have changed between the two requests", () => {
    const moved = { ...v3, assets: v3.assets.toReversed() };
    expect(playlistFromBoth(moved, row, "")).toBeNull();
    const shorter = { ...v3, assets: v3.assets.slice(1) };
    expect(playlistFromBoth(shorter, row, "")).toBeNull();
    const timed = {
      ...v3,
      assets: v3.assets.with(0, { id: "01B", duration: 9 }),
    };
    expect(playlistFromBoth(timed, row, "")).toBeNull();
  });

  it("[V3-190] has no priority unless its level is above 0, and no transition that isn't known", () => {
    const plain = { ...row, priority: false, transitions: null };
    expect(playlistFromV4(plain)).toMatchObject({
      ...{ priority: 0, transition: null },
    });
    expect(playlistFromBoth({ ...v3, priority: -1 }, row, "")?.priority).toBe(
      0,
    );
    expect(playlistFromV4({ ...row, transitions: true })?.transition).toBe(
      "cross-fade",
    );
  });

  it("is none without an identifier, and leaves out items without one", () => {
    expect(playlistFromV4({ ...row, id: "../1" })).toBeNull();
    const broken = { ...row, playlist_items: [item("", "01B", {})] };
    expect(playlistFromV4(broken)?.items).toEqual([]);
  });

  it("[V3-191] is changed in the fields that version 3 has; durations that nobody changed stay exact", () => {
    const items = [
      { item_id: "01I2", asset_id: "01C", duration: 8 },
      { item_id: "01I1", asset_id: "01B", duration: 30 },
      { item_id: "01I3", asset_id: "01V", duration: null },
      { item_id: "new", asset_id: "01D", duration: null },
    ];
    expect(
      playlistFieldsToV3(
        {
          ...{ name: "Dinner", groups: ["01A"], items, shuffle: true },
          ...{ items_revision: "x", transition: "cut" },
        },
        storedItemsOf(row),
      ),
    ).toEqual({
      title: "Dinner",
      groups: [{ id: "01A" }],
      assets: [
        { id: "01C", duration: 7.5 },
        { id: "01B", duration: 30 },
        { id: "01V", duration: 12.5 },
        { id: "01D" },
      ],
    });
    expect(playlistFieldFromV3("assets")).toBe("items");
    expect(playlistFieldFromV3("predicate")).toBe("predicate");
    expect(playlistFieldFromV3("detail")).toBe("detail");
  });

  it("[V3-190] has a transition that version 4 stores as a flag", () => {
    expect(transitionsToV4("cross-fade")).toBe(true);
    expect(transitionsToV4("cut")).toBe(false);
    expect(transitionsToV4(null)).toBeNull();
    expect(transitionsToV4(undefined)).toBeUndefined();
  });
});
