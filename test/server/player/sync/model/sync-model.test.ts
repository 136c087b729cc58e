// Random sequences against the real player, the real sync and a fake service of each version, compared with a naive oracle.

import fc from "fast-check";
import { describe, it } from "vitest";
import { startModelWorld } from "./model-world.ts";
import { sequences } from "./operations.ts";

const isLong = process.env.VITRINE_LONG === "1";
const seed = Number(process.env.VITRINE_SEED ?? Date.now() % 1_000_000_000);
const numRuns = Number(process.env.VITRINE_SEQUENCES ?? (isLong ? 20_000 : 300));
const longestMs = numRuns * 2000 + 60_000;

describe("the model of a sync", () => {
  it(`finds no wrong state in ${numRuns} sequences`, async () => {
    let world = await startModelWorld();
    await fc.assert(
      fc.asyncProperty(sequences(), async (sequence) => {
        try {
          await world.run(sequence);
        } catch (error) {
          if (process.env.DEBUG_MODEL) console.error(JSON.stringify(sequence), String(error).replace(/\s+/g, " ").slice(0, 1500));
          // What it left behind is nothing to begin with.
          await world.stop();
          world = await startModelWorld();
          throw error;
        }
      }),
      { seed, numRuns },
    );
  }, longestMs);
});
