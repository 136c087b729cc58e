// Version 2 against whatever anybody may send; the long proof is test/long/hostile.test.ts.

import { describe, it } from "vitest";
import { trials, undergo } from "../../../support/hostile/trials.ts";

describe("[V2-93] hostile input", () => {
  it.each(trials)("does no harm as $title", async (trial) => {
    await undergo(trial, Number(process.env.R ?? 200));
  });
});
