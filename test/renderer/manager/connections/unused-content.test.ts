// A connection that brings nothing, in words, with what helps, and a playlist of all assets of its service.

import { describe, expect, it, vi } from "vitest";

vi.stubGlobal("navigator", { language: "en" });
vi.stubGlobal("window", { localStorage: { getItem: () => null } });
const { allAssetsPlaylist } =
  await import("../../../../renderer/manager/connections/unused-content/all-assets-playlist.ts");
const { remediesOf, sentenceOf, unusedIn } =
  await import("../../../../renderer/manager/connections/unused-content/unused-content.ts");

const connection = {
  ...({ kind: "cloud", all_assets: "off" } as const),
  asset_groups: [] as readonly string[],
};
const withLabels = {
  ...({ reason: "other-labels", assets: 40, processing: 0 } as const),
  ...{ playlists: 3, labels: ["Lobby"] },
};

describe("[V2-745] a connection that brings nothing", () => {
  it("lists what is there and why it is not synced", () => {
    expect(sentenceOf(withLabels)).toBe(
      "The content service has 40 assets and 3 playlists, but none of them is for this screen.",
    );
    expect(
      sentenceOf({ ...withLabels, reason: "no-playlists", playlists: 0 }),
    ).toBe(
      "The content service has 40 assets, but no playlists. A screen receives only what’s in a playlist.",
    );
    expect(
      sentenceOf({ ...withLabels, reason: "processing", processing: 1 }),
    ).toBe(
      "The content service is still processing 1 asset. It arrives as soon as it’s ready.",
    );
  });

  it("claims no numbers for a service that does not count", () => {
    expect(sentenceOf({ ...withLabels, assets: null })).toMatch(
      /^The content service has nothing for this screen\./,
    );
  });

  it("says nothing while something is here, while there is a problem, and while it is off", () => {
    const status = { unused_content: withLabels, assets: 0, problem: null };
    const problem = {
      ...({ code: "unavailable", message: "Away." } as const),
      since: "2026-01-01T00:00:00Z",
    };
    const on = { is_enabled: true };
    expect(unusedIn(on, status)).toBe(withLabels);
    expect(unusedIn(on, { ...status, assets: 3 })).toBeNull();
    expect(unusedIn(on, { ...status, problem })).toBeNull();
    expect(unusedIn({ is_enabled: false }, status)).toBeNull();
  });

  it("offers only what helps and what the connection may do", () => {
    expect(remediesOf(connection, withLabels)).toEqual([
      ...["playlist", "labels", "all"],
    ]);
    expect(remediesOf({ ...connection, kind: "screen" }, withLabels)).toEqual([
      ...["labels", "all"],
    ]);
    expect(
      remediesOf({ ...connection, all_assets: "library" }, withLabels),
    ).toEqual(["playlist", "labels"]);
    expect(
      remediesOf(connection, { ...withLabels, reason: "no-playlists" }),
    ).toEqual(["playlist", "all"]);
    for (const reason of ["no-assets", "processing", "unreadable"] as const)
      expect(remediesOf(connection, { ...withLabels, reason })).toEqual([]);
    expect(
      remediesOf(
        { ...connection, asset_groups: ["Menus"] },
        { ...withLabels, reason: "other-groups" },
      ),
    ).toEqual([]);
  });
});

describe("a playlist of all assets", () => {
  const assets = [
    { id: "a", status: "finished", duration: null },
    { id: "b", status: "processing", duration: null },
    { id: "c", status: "finished", duration: 12.5 },
  ];
  const labels = [
    { id: "all", name: "All Screens", type: "all-screens" },
    { id: "lobby", name: "Lobby", type: "user" },
  ];

  it("has those that are ready, for their own time, on every screen", () => {
    expect(allAssetsPlaylist([], assets, labels)).toEqual({
      items: [
        { asset_id: "a", duration: 10 },
        { asset_id: "c", duration: 12.5 },
      ],
      ...{ labelIds: ["all"], labels: null },
    });
  });

  it("is only for the labels of this screen, if it has any that the service knows", () => {
    expect(allAssetsPlaylist(["Lobby", "Gone"], assets, labels)).toMatchObject({
      ...{ labelIds: ["lobby"], labels: ["Lobby"] },
    });
    expect(allAssetsPlaylist(["Gone"], assets, labels)).toMatchObject({
      ...{ labelIds: ["all"], labels: null },
    });
  });
});
