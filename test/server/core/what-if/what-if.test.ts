// The simulation of a fleet compared with a naive one, moment by moment, for random changes.

import fc from "fast-check";
import { describe, it } from "vitest";
import {
  compareFleet,
  fleetCase,
} from "../../../support/schedule/fleet-cases.ts";

describe("a simulated change", () => {
  it("[V3-102, V3-105, V3-106] equals a naive simulation of every screen at every minute", () => {
    fc.assert(fc.property(fleetCase(4), compareFleet), { numRuns: 8 });
  });
});
