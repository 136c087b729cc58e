// Runs seeded random sequences of the model, shrinks one that ends in a wrong state, and prints how to reproduce it.

import fc from "fast-check";
import { startModelWorld } from "./model-world.ts";
import {
  sequences,
  type Operation,
  type OperationName,
  type Sequence,
} from "./operations.ts";

const { VITRINE_LONG, VITRINE_SEED, VITRINE_PATH, VITRINE_SEQUENCES } =
  process.env;
/** The same in every short run, so that one fails only because of a change; others in the long form. */
const defaultSeed = VITRINE_LONG === "1" ? Date.now() % 1_000_000_000 : 26;
const seed = Number(VITRINE_SEED ?? defaultSeed);
/** Where to begin in the sequences of the seed: a number, or the path that a failure printed. */
const path = VITRINE_PATH;

/** A long run shows how far it is, and what finds its sequences again. */
const reportedEvery = 500;

/** This many, or as many as the environment sets. */
export function countOf(usual: number): number {
  return Number(VITRINE_SEQUENCES ?? usual);
}

/** Most sequences take a tenth of a second; a failure is shrunk. */
export function timeoutOf(count: number): number {
  return count * 2000 + 300_000;
}

/** Throws where a sequence ends in a wrong state, with the shortest one that does. */
export async function assertModel(
  count: number,
  without: readonly OperationName[] = [],
): Promise<void> {
  let world = await startModelWorld();
  const all = sequences(new Set(without));
  let passed = 0;
  const property = fc.asyncProperty(all, async (sequence) => {
    try {
      await world.run(sequence);
      passed += 1;
      if (passed % reportedEvery === 0)
        console.info(`VITRINE_SEED=${seed}: ${passed} of ${count} sequences`);
    } catch (error) {
      // The remains of a failure are not reused.
      await world.stop();
      world = await startModelWorld();
      throw error;
    }
  });
  const details = await fc.check(property, {
    ...{ seed, numRuns: count },
    ...(path !== undefined && { path }),
  });
  if (!details.failed) {
    await world.stop();
    return;
  }
  const { counterexample, counterexamplePath, errorInstance } = details;
  const shortest = counterexample === null ? "" : reported(counterexample[0]);
  throw new Error(
    `VITRINE_SEED=${seed} (path ${String(counterexamplePath)}) finds a wrong state; the shortest way to it:\n${shortest}`,
    { cause: errorInstance },
  );
}

function reported({
  version,
  second,
  keeps,
  followsGroup,
  before,
  steps,
}: Sequence): string {
  return [
    `a service of version ${version}${second ? ", two connections" : ""}${keeps ? ", kept in the end" : ""}${followsGroup ? ", by its asset group" : ""}`,
    ...before.map(operationText),
    "connected",
    ...steps.map(
      ({ operation, polls }) =>
        `${operationText(operation)}${polls ? ", and a poll" : ""}`,
    ),
  ].join("\n");
}

function operationText({ name, ...fields }: Operation): string {
  const parts = Object.entries(fields).map(([field, value]) =>
    [field, JSON.stringify(value)].join(" "),
  );
  return [name, ...parts].join(", ");
}
