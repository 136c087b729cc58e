// Library search: by words, kinds and folders, fast with ten thousand assets.

import { describe, expect, it } from "vitest";
import type { AssetView } from "../../../../renderer/manager/api/asset-view.ts";
import {
  createFinder,
  findAssets,
  foldersOf,
  type LibraryQuery,
} from "../../../../renderer/manager/assets/search.ts";

function asset(name: string, more: Partial<AssetView> = {}): AssetView {
  return {
    ...{ id: name, name, uri: "", kind: "image", mimetype: "image" },
    ...{ startsAt: 0, endsAt: 1, durationSeconds: 10, sizeBytes: 1 },
    ...{ isEnabled: true, isActive: true, isProcessing: false, playOrder: 0 },
    ...{
      fileUrl: null,
      problem: null,
      folder: "",
      isPlaylistOnly: false,
      hours: null,
    },
    ...{ lengthSeconds: null, ...more },
  };
}

const everything: LibraryQuery = {
  ...{ words: "", kinds: new Set(), folder: null },
  ...{ onlyProblems: false, sorting: "order" },
};
const names = (found: readonly AssetView[]) => found.map(({ name }) => name);

describe("finding assets", () => {
  it("requires every word, in any order and case", () => {
    const all = [asset("Lunch Menu 10"), asset("Menu 2"), asset("lunch")];
    const found = findAssets(all, { ...everything, words: " MENU lunch" });
    expect(names(found)).toEqual(["Lunch Menu 10"]);
  });

  it("returns the same results incrementally as at once, while typing and deleting", () => {
    const all = ["Menu 20", "Lunch menu 2", "Menü 2", "Lunch", "Nom 2 e"].map(
      (name, index) => asset(name, { sizeBytes: index }),
    );
    const find = createFinder();
    const sizes = { ...everything, sorting: "size" } as const;
    for (const query of [everything, sizes, { ...sizes, folder: "none" }])
      for (const text of ["menu 2", " 2 lunch", "me", "menu 20x", "20", "ü"])
        for (let length = 0; length <= text.length; length++) {
          const written = { ...query, words: text.slice(0, length) };
          expect(find(all, written)).toEqual(findAssets(all, written));
        }
    expect(find(all.slice(1), sizes)).toHaveLength(4);
  });

  it("also searches addresses and folders", () => {
    const all = [
      asset("A", { uri: "https://timetable.example/" }),
      asset("B", { folder: "Timetables" }),
      asset("C"),
    ];
    expect(
      names(findAssets(all, { ...everything, words: "timetable" })),
    ).toEqual(["A", "B"]);
  });

  it("includes subfolders in a folder, and nothing else", () => {
    const all = [
      asset("A", { folder: "Menus" }),
      asset("B", { folder: "Menus/Lunch" }),
      asset("C", { folder: "Menus 2" }),
      asset("D"),
    ];
    const inFolder = (folder: string) =>
      names(findAssets(all, { ...everything, folder }));
    expect(inFolder("Menus")).toEqual(["A", "B"]);
    expect(inFolder("")).toEqual(["D"]);
  });

  it("sorts numbers in names numerically, and by size with the largest first", () => {
    const all = [
      asset("A 10", { sizeBytes: 1 }),
      asset("A 9", { sizeBytes: 5 }),
    ];
    expect(names(findAssets(all, { ...everything, sorting: "name" }))).toEqual([
      "A 9",
      "A 10",
    ]);
    expect(names(findAssets(all, { ...everything, sorting: "size" }))).toEqual([
      "A 9",
      "A 10",
    ]);
  });

  it("lists folders beneath their parents, with the number of assets including subfolders", () => {
    const all = ["Menus/Lunch", "Menus 2", "Menus", "Menus/Lunch"].map(
      (folder, index) => asset(`${index}`, { folder }),
    );
    expect(
      foldersOf(all).map(({ path, depth, count }) => [path, depth, count]),
    ).toEqual([
      ["Menus", 0, 3],
      ["Menus/Lunch", 1, 2],
      ["Menus 2", 0, 1],
    ]);
  });
});
