// Fuzzing: the trials of the interface and their runs.

import fc from "fast-check";
import { formRequest, jsonRequest } from "./fields.ts";
import { multipartRequest } from "./files.ts";
import { openGround, type Sending } from "./fuzzed-player.ts";
import { bareBytes, oddRequest } from "./malformed-http.ts";

interface Trial {
  readonly title: string;
  /** Sent concurrently. */
  readonly sendings: fc.Arbitrary<readonly Sending[]>;
}

const alone = (sending: fc.Arbitrary<Sending>) => fc.tuple(sending);

export const trials: readonly Trial[] = [
  { title: "fields as JSON", sendings: alone(jsonRequest) },
  { title: "fields as a form", sendings: alone(formRequest) },
  { title: "files, parts and pieces", sendings: alone(multipartRequest) },
  { title: "paths, queries and headers", sendings: alone(oddRequest) },
  { title: "bytes that are no HTTP", sendings: alone(bareBytes) },
  {
    title: "many of all kinds at once",
    sendings: fc.array(
      fc.oneof(
        jsonRequest,
        formRequest,
        multipartRequest,
        oddRequest,
        bareBytes,
      ),
      { minLength: 5, maxLength: 25 },
    ),
  },
];

/** A fresh player periodically, so that accumulated data does not slow the rest. */
const runsOfOnePlayer = 400;

/** Throws with the seed and the request that broke an invariant. */
export async function undergo(trial: Trial, runs: number): Promise<void> {
  for (let left = runs; left > 0; left -= runsOfOnePlayer) {
    const ground = await openGround();
    await fc.assert(
      fc.asyncProperty(trial.sendings, (sendings) => ground.suffer(sendings)),
      {
        numRuns: Math.min(left, runsOfOnePlayer),
        // A broken player stays broken: shrinking could not tell a smaller case apart.
        endOnFailure: true,
      },
    );
  }
}
