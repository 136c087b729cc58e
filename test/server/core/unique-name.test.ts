// The first free number appended to a name that is taken.

import { expect, it } from "vitest";
import { freeName, numberedNames } from "../../../server/core/unique-name.ts";

it("[V2-16] is the name itself, or has the first free number appended", () => {
  const taken = new Set(["A", "A-1", "A-3", "A-x", "B-1"]);
  expect(["A", "B", "C"].map((name) => freeName(name, taken))).toEqual([
    ...["A-2", "B", "C"],
  ]);
});

it("[V2-16] finds every numbered name between two others", () => {
  const [first, end] = numberedNames("A");
  const names = ["A", "A-", "A-1", "A-10", "A-x", "A.", "A0", "AA", "B-1"];
  expect(names.filter((name) => name >= first && name < end)).toEqual([
    ...["A-", "A-1", "A-10", "A-x"],
  ]);
});
