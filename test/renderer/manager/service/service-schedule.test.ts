// What the schedule page of a content service computes with: the playlists of a screen by its labels, and what it can be opened for.

import { beforeAll, describe, expect, it, vi } from "vitest";
import type { AssetView } from "../../../../renderer/manager/api/asset-view.ts";
import type { ScreenItem } from "../../../../renderer/manager/fleet/find-screens.ts";
import { pdfPagesIn } from "../../../../renderer/manager/service/library/pdf-pages.ts";
import type { PdfPages } from "../../../../renderer/manager/service/library/pdf-pages.ts";
import { takeoverOf } from "../../../../renderer/manager/service/schedule/screen-takeover.ts";
import type { Playlist } from "../../../../server/core/playlist.ts";
import type { ScreenReport } from "../../../../server/contract/link/screen-report.ts";
import type { ScreenCommandStateV3 } from "../../../../server/contract/v3/v3-screens.ts";
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
    pdfPages: PdfPages = { pages: [], hiddenIds: new Set() },
  ) => {
    const module =
      await import("../../../../renderer/manager/service/schedule/screen-week.ts");
    const input = { assets: [], playlists, zone: "UTC", groups: [] };
    return module.weekOf({ input, views }, pdfPages, {
      ...{ zone: "Europe/Berlin", groups },
    });
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

  it("[V3-101][V3-186] leaves out a PDF whose pages are all switched off, and has items that are single pages", async () => {
    const page = (id: string, pdf: string, isEnabled: boolean | null) => ({
      ...{ id, title: id, type: "pdf-page", status: "finished" },
      ...{ pdf_asset_id: pdf, pdf_page_enabled: isEnabled, duration: 7 },
    });
    const pdfPages = pdfPagesIn([
      { id: "menu", title: "Menu", type: "pdf" },
      page("menu-1", "menu", false),
      page("menu-2", "menu", false),
      { id: "new", title: "New", type: "pdf" },
      page("new-1", "new", false),
      page("new-2", "new", null),
    ]);
    expect([...pdfPages.hiddenIds]).toEqual(["menu"]);
    const items = ["menu", "new", "menu-1", "new-2"].map((assetId) => ({
      ...{ id: assetId, assetId, durationSeconds: null },
    }));
    const { planned } = await weekOf(
      ["north"],
      [{ ...playlist("north", ["north"]), items }],
      pdfPages,
    );
    const { entries } = compileSchedule(planned).lineupAt(0);
    expect(
      entries.map(({ id, asset }) => `${id} ${asset.durationSeconds}`),
    ).toEqual(["new 10", "new-2 7"]);
  });

  it("[V3-198] names who sent the takeover that covers a screen, and until when", () => {
    const at = (minute: number): string =>
      new Date(minute * 60_000).toISOString();
    const showing = { name: "Fire drill", reason: "takeover", since: at(1) };
    const reported = (more: object = {}) =>
      ({
        showing: { ...showing, asset_id: null, until: null, ...more },
      }) as unknown as ScreenReport;
    const command = (kind: string, given: object = {}, state = "done") =>
      ({
        ...{ kind, state, issued_by: "Ada", arguments: given },
      }) as unknown as ScreenCommandStateV3;
    const sent = command("takeover", { text: "Fire drill", until: at(9) });
    const covered = { name: "Fire drill", sinceMs: 60_000 };
    expect(takeoverOf(reported(), [sent], 0)).toEqual({
      ...{ ...covered, untilMs: 9 * 60_000, by: "Ada" },
    });
    // What the player reports counts.
    expect(takeoverOf(reported({ until: at(5) }), [sent], 0)).toMatchObject({
      untilMs: 5 * 60_000,
    });
    // Begun at the player: nobody sent it, or something else.
    const own = { ...covered, untilMs: null, by: null };
    const ended = [command("end-takeover"), sent];
    const failed = [command("takeover", {}, "failed"), ...ended];
    expect(takeoverOf(reported(), failed, 0)).toEqual(own);
    expect(takeoverOf(reported({ asset_id: "A" }), [sent], 0)).toEqual(own);
    // Over, or none.
    expect(takeoverOf(reported(), [sent], 10 * 60_000)).toBeNull();
    expect(takeoverOf(reported({ reason: "schedule" }), [sent], 0)).toBeNull();
    expect(takeoverOf(null, [sent], 0)).toBeNull();
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
        screen("s2", "Screen 2", "Asia/Tokyo", []),
        screen("s10", "Screen 10", "Mars/Olympus", ["north"]),
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
