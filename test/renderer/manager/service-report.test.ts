// Playbacks of a content service as rows of the report page, with names for what was deleted.

import { expect, it, vi } from "vitest";

vi.stubGlobal("navigator", { language: "en-GB" });
vi.stubGlobal("window", { localStorage: { getItem: () => null } });
const { groupingOfFile, knownAssets, namedTotals, playbackDaysOf } =
  await import("../../../renderer/manager/reports/service-report.ts");

const figures = { playbacks: 2, duration_seconds: 12.5 };

it("names deleted assets, and assets without a title", () => {
  const rows = [null, "", "Menu"].map((asset_title) => ({
    ...{ day: "2026-05-01", asset_id: "A", asset_title, ...figures },
  }));
  expect(
    playbackDaysOf(rows).map(({ name, seconds }) => [name, seconds]),
  ).toEqual([
    ["Deleted asset", 12.5],
    ["Deleted asset", 12.5],
    ["Menu", 12.5],
  ]);
});

it("[V3-185] knows which assets are still there", () => {
  const rows = [
    { asset_id: "A", asset_title: "Menu", ...figures },
    { asset_id: "B", asset_title: null, ...figures },
  ];
  expect([...knownAssets(rows)]).toEqual(["A"]);
});

it("distinguishes what was in no playlist from a playlist that was deleted, longest first", () => {
  const totals = [
    { playlist_id: null, playlist_title: null, ...figures },
    {
      playlist_id: "P",
      playlist_title: null,
      ...figures,
      duration_seconds: 99,
    },
  ];
  expect(namedTotals(totals, "playlist")).toEqual([
    {
      ...{ id: "P", name: "Deleted playlist", knownName: null },
      ...{ playbacks: 2, seconds: 99 },
    },
    {
      ...{ id: "", name: "No playlist", knownName: null },
      ...{ playbacks: 2, seconds: 12.5 },
    },
  ]);
  const known = [{ playlist_id: "P", playlist_title: "Lunch", ...figures }];
  expect(namedTotals(known, "playlist")[0]?.knownName).toBe("Lunch");
  const screens = [{ screen_id: "S", screen_name: null, ...figures }];
  expect(namedTotals(screens, "screen")[0]?.name).toBe("Removed screen");
  const groups = [{ group_id: null, group_name: null, ...figures }];
  expect(namedTotals(groups, "group")[0]?.name).toBe("No label");
});

it("has a row for each day in a file", () => {
  expect([groupingOfFile("day"), groupingOfFile("group")]).toEqual([
    ...[["day"], ["day", "group"]],
  ]);
});
