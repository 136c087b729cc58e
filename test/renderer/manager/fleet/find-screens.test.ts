// Search on the screens page: by words, labels and states, wrong ones first, fast with ten thousand screens.

import { describe, expect, it } from "vitest";
import {
  createScreenFinder,
  labelsOf,
  type FoundScreens,
  type ScreenQuery,
} from "../../../../renderer/manager/fleet/find-screens.ts";
import { screenStates } from "../../../../server/contract/link/screen-report.ts";
import { itemOf } from "./screen-items.ts";

const everything: ScreenQuery = {
  ...{ words: "", states: new Set(), label: null, sorting: "urgency" },
};
const names = ({ items }: FoundScreens) =>
  items.map(({ screen }) => screen.name);
const labelled = (name: string) => ({ groups: [{ id: name, name }] });

describe("finding screens", () => {
  it("lists wrong ones first, then what needs somebody, then by name with its numbers in order", () => {
    const found = createScreenFinder("en")(
      [
        ...[itemOf("Lobby 10"), itemOf("Lobby 2")],
        itemOf("Away", { state: "offline" }),
        itemOf("Black", { state: "wrong" }),
        itemOf("Planned", { state: "dark" }),
        itemOf("Half", { state: "incomplete" }),
      ],
      everything,
    );
    expect(names(found)).toEqual([
      ...["Black", "Half", "Away", "Planned", "Lobby 2", "Lobby 10"],
    ]);
  });

  it("finds every word in the name, a label or the place, without diacritics", () => {
    const all = [
      itemOf("Window", { location: "Köln", ...labelled("Menu boards") }),
      itemOf("Door", { location: "Köln" }),
    ];
    const find = createScreenFinder("en");
    expect(names(find(all, { ...everything, words: "koln MENU" }))).toEqual([
      "Window",
    ]);
  });

  it("counts the states of what matches words and label, whatever state is chosen", () => {
    const all = [
      itemOf("A", { state: "wrong", ...labelled("Lobby") }),
      itemOf("B", labelled("Lobby")),
      itemOf("C", { state: "wrong" }),
    ];
    const found = createScreenFinder("en")(all, {
      ...{ ...everything, label: "Lobby", states: new Set(["wrong"] as const) },
    });
    expect(names(found)).toEqual(["A"]);
    expect([...found.counts]).toEqual([
      ["wrong", 1],
      ["right", 1],
    ]);
    expect(labelsOf(all)).toEqual([{ name: "Lobby", count: 2 }]);
  });

  it("stays in order while screens change, come, go and are renamed", () => {
    const find = createScreenFinder("en");
    let all = ["Bar", "Door", "Hall 2", "Hall 10"].map((name) => itemOf(name));
    const ordered = () => names(find(all, { ...everything, sorting: "name" }));
    expect(ordered()).toEqual(["Bar", "Door", "Hall 2", "Hall 10"]);
    const renamed = itemOf("Bar");
    all = [
      ...[itemOf("Hall 3"), ...all.slice(2), itemOf("Attic")],
      { ...renamed, screen: { ...renamed.screen, name: "Zoo" } },
    ];
    expect(ordered()).toEqual(["Attic", "Hall 2", "Hall 3", "Hall 10", "Zoo"]);
    all = all.map((item) => ({
      ...item,
      screen: { ...item.screen, state: "wrong" as const },
    }));
    const found = find(all, { ...everything, sorting: "name" });
    expect(found.items.every((item) => all.includes(item))).toBe(true);
    expect(names(found)).toEqual([
      ...["Attic", "Hall 2", "Hall 3", "Hall 10", "Zoo"],
    ]);
  });

  it("searches ten thousand screens", () => {
    const all = Array.from({ length: 10_000 }, (_, index) =>
      itemOf(`Screen ${index}`, {
        state: screenStates[index % screenStates.length] ?? "right",
      }),
    );
    const find = createScreenFinder("en");
    const first = find(all, everything);
    expect(first.items).toHaveLength(10_000);
    const found = find(all, { ...everything, words: "screen 999" });
    // 999 and 1999 to 9999, and 9990 to 9998.
    expect(found.items).toHaveLength(19);
  });
});
