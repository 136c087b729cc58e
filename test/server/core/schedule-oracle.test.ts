// The schedule at any moment against a naive one, minute by minute, for libraries by chance.

import fc from "fast-check";
import { describe, it } from "vitest";
import {
  compare,
  scheduleCase,
} from "../../support/schedule/schedule-cases.ts";

describe("the schedule", () => {
  it("[V2-96] is at every minute what a naive one says, with the same reasons, and misses no change", () => {
    fc.assert(fc.property(scheduleCase, compare), { numRuns: 30 });
  });
});
