// The schedule at any moment compared with a naive one, minute by minute, for random libraries.

import fc from "fast-check";
import { describe, it } from "vitest";
import {
  compare,
  scheduleCase,
} from "../../support/schedule/schedule-cases.ts";

describe("the schedule", () => {
  it("[V2-96] equals a naive one at every minute, with the same reasons, and misses no change", () => {
    fc.assert(fc.property(scheduleCase, compare), { numRuns: 30 });
  });
});
