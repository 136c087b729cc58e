// What failed is tried again after pauses that grow, and never given up.

import { describe, expect, it } from "vitest";
import {
  createQuarantine,
  type Quarantine,
} from "../../../server/player/quarantine.ts";

const a = { id: "a", content: "picture 1" };
const minuteMs = 60_000;

/** Minutes from each failure to the next try, when every try fails at once. */
function pausesOf(quarantine: Quarantine, count: number): number[] {
  let now = 0;
  return Array.from({ length: count }, () => {
    const { until } = quarantine.add(a, now);
    const pause = (until - now) / minuteMs;
    now = until;
    return pause;
  });
}

describe("the quarantine", () => {
  it("[V2-140] tries again after 1, 1, 5, 30 minutes and then every two hours", () => {
    expect(pausesOf(createQuarantine(), 7)).toEqual([
      1, 1, 5, 30, 120, 120, 120,
    ]);
  });

  it("[V2-140] counts as quarantine from the third failure on", () => {
    const quarantine = createQuarantine();
    const standings = [0, 1, 2].map((now) => quarantine.add(a, now));
    expect(standings.map(({ isQuarantined }) => isQuarantined)).toEqual([
      ...[false, false, true],
    ]);
  });

  it("[V2-140] forgets what changed and what played, and nothing else", () => {
    const quarantine = createQuarantine();
    quarantine.add(a, 0);
    expect(quarantine.has(a, 1)).toBe(true);
    expect(quarantine.has({ ...a, content: "picture 2" }, 1)).toBe(false);
    expect(quarantine.has(a, 1)).toBe(true);
    quarantine.clear("a");
    expect(quarantine.has(a, 1)).toBe(false);
    expect(quarantine.add(a, 1).failures).toBe(1);
  });

  it("[V2-141] lets a suspect try again at once, twice", () => {
    const quarantine = createQuarantine();
    quarantine.suspect(a, 0);
    quarantine.suspect(a, 0);
    expect(quarantine.has(a, 0)).toBe(false);
    expect(quarantine.suspect(a, 0)).toMatchObject({ isQuarantined: true });
    expect(quarantine.has(a, 5 * minuteMs - 1)).toBe(true);
    expect(quarantine.has(a, 5 * minuteMs)).toBe(false);
  });

  it("names what waits, and forgets what is gone", () => {
    const quarantine = createQuarantine();
    quarantine.add(a, 0);
    quarantine.add({ id: "b", content: "old" }, 0);
    const known = (id: string) => (id === "a" ? a : { id, content: "new" });
    expect([...quarantine.waiting(known, 1)]).toEqual([["a", minuteMs]]);
    expect([...quarantine.waiting(() => null, 1)]).toEqual([]);
    expect(quarantine.has(a, 1)).toBe(false);
  });
});
