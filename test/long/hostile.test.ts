// Fuzz tests of API v2: a hundred runs of each property, ten thousand in the full run.

import { describe, it } from "vitest";
import { properties, assertProperty } from "../support/fuzz/properties.ts";

const rounds = process.env.VITRINE_LONG === "1" ? 10_000 : 100;

describe("[V2-93] hostile input", () => {
  it.each(properties)("is handled without harm: $title", async (property) => {
    await assertProperty(property, rounds);
  });
});
