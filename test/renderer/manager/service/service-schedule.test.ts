// What the schedule page of a content service computes with: the playlists of a screen by its labels, and what it can be opened for.

import { beforeAll, describe, expect, it, vi } from "vitest";
import type { AssetView } from "../../../../renderer/manager/api/asset-view.ts";
import type { ScreenItem } from "../../../../renderer/manager/fleet/find-screens.ts";
import type { Playlist } from "../../../../server/core/playlist.ts";
import { compileSchedule } from "../../../../server/core/schedule/schedule.ts";

const playlist = (id: string, groups: readonly string[]): Playlist => ({
  ...{ id, name: id, predicate: "TRUE", priority: 0, isEnabled: true, groups },
  ...{ transition: null, isShuffled: null, createdAt: 0 },
  items: [
    { id: `${id} 1`, assetId: "menu", durationSeconds: 10 },
    { id: `${id} 2`, assetId: "broken", durationSeconds: 10 },
    { id: `${id} 3`, assetId: "new", durationSeconds: 10 },
  ],
});

const view = (id: string, more: Partial<AssetView> = {}) =>
  ({
    ...{ id, name: id, problem: null, durationSeconds: 10 },
    ...{ isProcessing: false, ...more },
  }) as AssetView;

const views = [
  view("menu"),
  view("broken", { problem: "Failed to process it." }),
  view("new", { isProcessing: true }),
];

const screen = (id: string, name: string, timezone: string, labels: string[]) =>
  ({
    ...{ key: `service/${id}`, serviceId: "service", serviceName: "" },
    isManageable: true,
    screen: {
      ...{ id, name, timezone, is_enabled: id !== "dark" },
      groups: labels.map((label) => ({ id: label, name: label })),
    },
  }) as unknown as ScreenItem;

describe("the schedule of a content service", () => {
  beforeAll(() => {
    vi.stubGlobal("navigator", { language: "en-GB" });
    vi.stubGlobal("window", { localStorage: { getItem: () => null } });
  });

  const weekOf = async (
    groups: readonly string[],
    playlists: readonly Playlist[],
  ) => {
    const module =
      await import("../../../../renderer/manager/service/schedule/screen-week.ts");
    const input = { assets: [], playlists, zone: "UTC", groups: [] };
    return module.weekOf({ input, views }, { zone: "Europe/Berlin", groups });
  };

  it("[V3-186] has what plays on the screen by its labels, its own one and that of all screens, and nothing that has none", async () => {
    const playlists = [
      playlist("north", ["north"]),
      playlist("own", ["screen"]),
      playlist("all", ["all-screens"]),
      playlist("south", ["south"]),
      playlist("nowhere", []),
    ];
    const { planned, all } = await weekOf(["north", "screen"], playlists);
    expect(planned.playlists.map(({ id }) => id)).toEqual([
      ...["north", "own", "all"],
    ]);
    expect(planned.zone).toBe("Europe/Berlin");
    const at = Date.UTC(2026, 11, 1);
    const reasons = compileSchedule(all)
      .candidatesAt(at)
      .filter(({ kind, playlistId }) => kind === "playlist" && playlistId)
      .map(({ id, reason }) => `${id} ${reason.code}`);
    expect(reasons.toSorted()).toEqual([
      ...["all plays", "north plays", "nowhere other-groups"],
      ...["own plays", "south other-groups"],
    ]);
    // What failed doesn't play, and what is still processed does.
    expect(
      compileSchedule(planned)
        .lineupAt(at)
        .entries.map(({ id }) => id),
    ).toEqual(["all", "north", "own"].flatMap((id) => [`${id} 1`, `${id} 3`]));
  });

  it("[V3-186] gives reasons for 1000 playlists at most, those of the screen first", async () => {
    const many = Array.from({ length: 1200 }, (_, at) =>
      playlist(`p${at}`, [at < 1199 ? "south" : "north"]),
    );
    const { planned, all } = await weekOf(["north"], many);
    expect(planned.playlists).toHaveLength(1);
    expect(all.playlists).toHaveLength(1000);
    expect(all.playlists[0]?.id).toBe("p1199");
    expect(all.playlists[1]?.items).toEqual([]);
  });

  it("[V3-186] can be opened for all screens, labels and screens; an unknown zone is UTC", async () => {
    const { choicesOf, chosenOf } =
      await import("../../../../renderer/manager/service/schedule/schedule-choices.ts");
    const choices = choicesOf(
      [
        { id: "south", name: "South" },
        { id: "north", name: "North" },
      ],
      [
        screen("s10", "Screen 10", "Mars/Olympus", ["north"]),
        screen("s2", "Screen 2", "Asia/Tokyo", []),
        screen("dark", "Zero", "", []),
      ],
    );
    expect(
      choices.data.map(({ items }) => items.map(({ label }) => label)),
    ).toEqual([
      ["All screens", "North", "South"],
      ["Screen 2", "Screen 10", "Zero"],
    ]);
    expect(chosenOf(choices, "s10", "s2")).toMatchObject({
      ...{ name: "Screen 10", zone: "UTC", groups: ["north", "s10"] },
    });
    expect(chosenOf(choices, "gone", "dark").isEnabled).toBe(false);
    expect(chosenOf(choices, "", "").name).toBe("Screen 2");
    expect(chosenOf(choicesOf([], []), "", "").name).toBe("All screens");
  });
});
