// Many predicates evaluated together give the same results as each alone.

import { expect, it } from "vitest";
import { createPredicateSet } from "../../../../server/core/predicate/predicate-set.ts";
import { parsePredicate } from "../../../../server/core/predicate/predicate.ts";
import { wallClockOf } from "../../../../server/core/wall-clock.ts";
import { bigLibrary, noon } from "../../../bench/schedule/big-library.ts";

const minuteMs = 60_000;

it("gives each of two hundred predicates the result it has alone, at moments all over the year and exactly at their edges", () => {
  const predicates = bigLibrary(200, "all-equal").playlists.flatMap(
    ({ predicate: text }) => parsePredicate(text).predicate ?? [],
  );
  expect(predicates).toHaveLength(200);
  const predicateSet = createPredicateSet(
    predicates.map(({ program }) => program),
  );
  const clock = wallClockOf("Europe/Berlin");
  let trueOnes = 0;
  for (let step = 0; step < 400; step += 1) {
    // Every other moment is on a quarter of an hour, where most of them begin and end.
    const jump = step % 2 === 0 ? 15 * minuteMs : 61_234_567;
    const at = clock.wallTimeAt(noon + (step - 200) * jump);
    const [from, until] = [step % 50, 200 - (step % 30)];
    const truths = [...predicateSet.evaluateAt(at)(from, until)];
    const alone = predicates
      .slice(from, until)
      .map((predicate) => (predicate.holds(at) ? 1 : 0));
    expect(truths).toEqual(alone);
    trueOnes += alone.filter((truth) => truth === 1).length;
  }
  expect(trueOnes).toBeGreaterThan(1000);
});

it("returns nothing for an empty list", () => {
  const at = wallClockOf("UTC").wallTimeAt(noon);
  expect([...createPredicateSet([]).evaluateAt(at)(0, 0)]).toEqual([]);
});
