// Many random fleets and changes, each simulated and compared with a naive simulation over two days.

import fc from "fast-check";
import { it } from "vitest";
import { compareFleet, fleetCase } from "../support/schedule/fleet-cases.ts";

const { VITRINE_LONG, VITRINE_SEED } = process.env;
const isLong = VITRINE_LONG === "1";
const seed = Number(VITRINE_SEED ?? Date.now() % 1_000_000);

it.runIf(isLong)(
  "[V3-102, V3-105, V3-106] a simulated change equals a naive one, for many fleets",
  () => {
    console.error(`To see this again: VITRINE_SEED=${seed}`);
    fc.assert(fc.property(fleetCase(48), compareFleet), { seed, numRuns: 200 });
  },
);
