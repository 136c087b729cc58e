// Version 2 against whatever anybody may send, for as long as it takes; the short form is beside the interface's tests.

import { describe, it } from "vitest";
import { trials, undergo } from "../support/hostile/trials.ts";

const inFull = process.env.VITRINE_LONG === "1";

describe("[V2-93] hostile input, for long", () => {
  it.skipIf(!inFull).each(trials)("does no harm as $title", async (trial) => {
    await undergo(trial, 10_000);
  });
});
