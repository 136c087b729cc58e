// Version 2 against whatever anybody may send: a hundred rounds of each trial, in full ten thousand.

import { describe, it } from "vitest";
import { trials, undergo } from "../support/fuzz/trials.ts";

const rounds = process.env.VITRINE_LONG === "1" ? 10_000 : 100;

describe("[V2-93] hostile input", () => {
  it.each(trials)("does no harm as $title", async (trial) => {
    await undergo(trial, rounds);
  });
});
