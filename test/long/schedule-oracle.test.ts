// Compares the schedule with a naive implementation, for very many libraries, time zones and moments.

import fc from "fast-check";
import { describe, it } from "vitest";
import { compare, scheduleCase } from "../support/schedule/schedule-cases.ts";

const cases = process.env.VITRINE_LONG === "1" ? 3000 : 10;

describe("the schedule", () => {
  it(`[V2-96] matches a naive implementation at every minute of ${cases} libraries`, () => {
    fc.assert(fc.property(scheduleCase, compare), { numRuns: cases });
  });
});
