// How often a fuzz property runs: briefly in the ordinary test run, in full with `npm run long`; the same seed, the same input.

const { VITRINE_LONG, VITRINE_SEED } = process.env;
const seed = Number(VITRINE_SEED ?? Date.now() % 1_000_000);

export const runSettings =
  VITRINE_LONG === "1"
    ? { seed, numRuns: 5000 }
    : { seed, numRuns: 150, interruptAfterTimeLimit: 40_000 };

if (VITRINE_LONG === "1")
  console.error(`To see this again: VITRINE_SEED=${seed}`);
