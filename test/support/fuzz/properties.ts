// Fuzzing: the properties of the interface and their runs.

import fc from "fast-check";
import { formRequest, jsonRequest } from "./fields.ts";
import { multipartRequest } from "./files.ts";
import { startFuzzedPlayer, type FuzzRequest } from "./fuzzed-player.ts";
import { bareBytes, oddRequest } from "./malformed-http.ts";

interface Property {
  readonly title: string;
  /** Sent concurrently. */
  readonly requests: fc.Arbitrary<readonly FuzzRequest[]>;
}

const alone = (request: fc.Arbitrary<FuzzRequest>) => fc.tuple(request);

export const properties: readonly Property[] = [
  { title: "fields as JSON", requests: alone(jsonRequest) },
  { title: "fields as a form", requests: alone(formRequest) },
  { title: "files, parts and pieces", requests: alone(multipartRequest) },
  { title: "paths, queries and headers", requests: alone(oddRequest) },
  { title: "bytes that are no HTTP", requests: alone(bareBytes) },
  {
    title: "many of all kinds at once",
    requests: fc.array(
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
export async function assertProperty(
  property: Property,
  runs: number,
): Promise<void> {
  for (let left = runs; left > 0; left -= runsOfOnePlayer) {
    const player = await startFuzzedPlayer();
    await fc.assert(
      fc.asyncProperty(property.requests, (requests) =>
        player.assertWithstands(requests),
      ),
      {
        numRuns: Math.min(left, runsOfOnePlayer),
        // A broken player stays broken: shrinking could not tell a smaller case apart.
        endOnFailure: true,
      },
    );
  }
}
