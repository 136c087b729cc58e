// Random seeded event sequences for the connection reducer alone, checked against a naive world and its invariants.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { syncModes } from "../../../../server/core/sync-plan/sync-state.ts";
import {
  createConnectionWorld,
  type WorldOperation,
} from "./connection-simulation.ts";

const { VITRINE_SEED, VITRINE_SEQUENCES } = process.env;
const count = Number(VITRINE_SEQUENCES ?? 1000);
const seed = Number(VITRINE_SEED ?? 26);

const file = fc.nat({ max: 7 });
const on = fc.boolean();
const fields = {
  "service wants": {
    files: fc.oneof(
      fc.array(file, { maxLength: 8 }),
      fc.constantFrom([], [0], [0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 4, 5]),
    ),
  },
  "service switches": { on },
  "service is away": { on },
  "file is broken": { file },
  "files are sound": {},
  "file vanishes": { file },
  "poll is requested": {},
  "service suggests a poll": {},
  "a large answer comes": {},
  "download breaks off": {},
  "a second passes": {},
  "application fails": {},
  "time passes": { hours: fc.constantFrom(0.02, 1, 2, 14) },
  "clock is set": { hours: fc.constantFrom(-9000, -30, -1, 1, 30, 9000) },
  "mode is set": { mode: fc.constantFrom(...syncModes) },
  "hours are set": { on },
  "connection is switched": { on },
  "screen is changed": {},
  approved: {},
  postponed: {},
  "version is restored": {},
  "edited here": {},
  restarted: {},
} satisfies {
  readonly [Name in WorldOperation["name"]]: Readonly<
    Record<string, fc.Arbitrary<unknown>>
  >;
};

/** The desired state changes more often than the rest. */
const often: ReadonlySet<string> = new Set([
  ...["service wants", "poll is requested", "file is broken", "postponed"],
  ...["a second passes", "mode is set"],
]);

const operation = fc.oneof(
  ...Object.entries(fields).map(([name, own]) => ({
    weight: often.has(name) ? 4 : 1,
    arbitrary: fc.record({ name: fc.constant(name), ...own }),
  })),
) as unknown as fc.Arbitrary<WorldOperation>;

const steps = fc.array(fc.record({ operation, ends: fc.nat({ max: 6 }) }), {
  ...{ minLength: 1, maxLength: 20, size: "max" },
});

describe("[V2-207] [V2-570] [V2-571] [V2-572] the reducer of a connection", () => {
  it(`keeps its invariants in ${count} sequences`, () => {
    const chances = fc.infiniteStream(
      fc.double({ min: 0, max: 0.999, noNaN: true }),
    );
    const property = fc.property(
      ...([steps, chances] as const),
      (sequence, stream) => {
        const random = (): number => Number(stream.next().value ?? 0);
        createConnectionWorld(random).run(sequence);
      },
    );
    const details = fc.check(property, { seed, numRuns: count });
    const shortest = details.counterexample?.[0] ?? [];
    expect([
      ...shortest.map((one) => JSON.stringify(one)),
      ...(details.failed
        ? [String(details.errorInstance), `seed ${seed}`]
        : []),
    ]).toEqual([]);
  });
});
