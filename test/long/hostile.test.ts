// Fuzz tests of API v2: a hundred rounds of each trial, ten thousand in the full run.

import { describe, it } from "vitest";
import { trials, undergo } from "../support/fuzz/trials.ts";

const rounds = process.env.VITRINE_LONG === "1" ? 10_000 : 100;

describe("[V2-93] hostile input", () => {
  it.each(trials)("is handled without harm: $title", async (trial) => {
    await undergo(trial, rounds);
  });
});
