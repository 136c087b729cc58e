// Selection, keyboard navigation, and the target position of a move.

import { describe, expect, it } from "vitest";
import {
  moveOf,
  shifted,
  keepListed,
  nothingSelected,
  select,
} from "../../../../renderer/manager/components/card-list/selection.ts";

const order = ["a", "b", "c", "d", "e", "f", "g"];

describe("selecting", () => {
  it("extends a range from its anchor in both directions", () => {
    const one = select(nothingSelected, order, "c", "only");
    const down = select(one, order, "e", "range");
    expect([...down.ids]).toEqual(["c", "d", "e"]);
    expect([...select(down, order, "a", "range").ids]).toEqual(["a", "b", "c"]);
  });

  it("toggles one and keeps the rest", () => {
    const two = select(
      select(nothingSelected, order, "a", "only"),
      order,
      "d",
      "toggle",
    );
    expect([...two.ids]).toEqual(["a", "d"]);
    expect([...select(two, order, "a", "toggle").ids]).toEqual(["d"]);
  });

  it("drops items that are no longer listed, and is otherwise unchanged", () => {
    const some = select(nothingSelected, order, "c", "only");
    expect(keepListed(some, order)).toBe(some);
    expect(keepListed(some, ["a"])).toEqual(nothingSelected);
  });
});

describe("a key in a grid of three columns", () => {
  const grid = { columns: 3, rowHeight: 100, visibleRows: 2 };
  const from = (key: string, at: number, direction: "ltr" | "rtl" = "ltr") =>
    moveOf(key, at, order.length, grid, direction);

  it("moves to the neighbour, the row below, a page on, the first and the last", () => {
    expect(from("ArrowRight", 0)).toBe(1);
    expect(from("ArrowDown", 1)).toBe(4);
    expect(from("PageDown", 0)).toBe(6);
    expect(from("End", 0)).toBe(6);
    expect(from("Home", 5)).toBe(0);
  });

  it("moves the other way in right-to-left layouts", () => {
    expect(from("ArrowLeft", 0, "rtl")).toBe(1);
  });

  it("stays at an edge, and moves down to a short last row", () => {
    expect(from("ArrowUp", 1)).toBe(1);
    expect(from("ArrowDown", 6)).toBe(6);
    expect(from("ArrowDown", 5)).toBe(6);
  });

  it("starts at the first item, and ignores other keys", () => {
    expect(from("ArrowDown", -1)).toBe(0);
    expect(from("x", 0)).toBeNull();
  });
});

describe("moving in play order", () => {
  it("passes one visible neighbour, however many hidden ones are in between", () => {
    const seen = ["a", "d", "g"];
    expect(shifted(order, seen, new Set(["a"]), 1)).toEqual([
      ...["b", "c", "d", "a", "e", "f", "g"],
    ]);
    expect(shifted(order, seen, new Set(["g"]), -1)).toEqual([
      ...["a", "b", "c", "g", "d", "e", "f"],
    ]);
  });

  it("keeps a selection together, and stops at both ends", () => {
    expect(shifted(order, order, new Set(["b", "d"]), 1)).toEqual([
      ...["a", "c", "e", "b", "d", "f", "g"],
    ]);
    expect(shifted(order, order, new Set(["a"]), -1)).toBeNull();
  });
});
