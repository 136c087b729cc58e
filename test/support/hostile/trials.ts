// The trials that the interface is put to, each so many times.

import fc from "fast-check";
import { formRequest, jsonRequest } from "./fields.ts";
import { multipartRequest } from "./files.ts";
import { openGround, type Sending } from "./ground.ts";
import { bareBytes, oddRequest } from "./odd.ts";

interface Trial {
  readonly title: string;
  /** What is sent at once. */
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

/** A fresh player now and then, so that what has piled up does not slow the rest. */
const runsOfOnePlayer = 400;

/** Throws with the seed and the sending that something gave way to. */
export async function undergo(trial: Trial, runs: number): Promise<void> {
  for (let left = runs; left > 0; left -= runsOfOnePlayer) {
    const ground = await openGround();
    await fc.assert(
      fc.asyncProperty(trial.sendings, (sendings) => ground.suffer(sendings)),
      {
        numRuns: Math.min(left, runsOfOnePlayer),
        // What has given way stays broken: nothing smaller could be told apart from it.
        endOnFailure: true,
      },
    );
  }
}
