// Steps through the lineup, also when the place was lost.

import { describe, expect, it } from "vitest";
import { placeOf, startPlace, step } from "../../../server/core/rotation.ts";

const lineup = (...ids: string[]): { id: string }[] =>
  ids.map((id) => ({ id }));

describe("a step", () => {
  it.each([
    { name: "from the start is the first", at: null, by: 1, to: "a" },
    { name: "on", at: "a", by: 1, to: "b" },
    { name: "on from the last is the first", at: "c", by: 1, to: "a" },
    { name: "back", at: "b", by: -1, to: "a" },
    { name: "back from the first is the last", at: "a", by: -1, to: "c" },
    { name: "of many goes round", at: "a", by: 7, to: "b" },
    { name: "of many back goes round", at: "a", by: -7, to: "c" },
  ])("$name", ({ at, by, to }) => {
    const abc = lineup("a", "b", "c");
    const place = at === null ? startPlace : placeOf(abc, at);
    expect(step(abc, place ?? startPlace, by)?.assetId).toBe(to);
  });

  it("on from a lost place is what moved up to it", () => {
    const place = placeOf(lineup("a", "b", "c"), "b") ?? startPlace;
    expect(step(lineup("a", "c"), place, 1)?.assetId).toBe("c");
    expect(step(lineup("a", "c"), place, -1)?.assetId).toBe("a");
  });

  it("on from a lost last place is the first", () => {
    const place = placeOf(lineup("a", "b"), "b") ?? startPlace;
    expect(step(lineup("a"), place, 1)?.assetId).toBe("a");
  });

  it("through nothing leads nowhere", () => {
    expect(step([], startPlace, 1)).toBeNull();
    expect(placeOf([], "a")).toBeNull();
  });
});
