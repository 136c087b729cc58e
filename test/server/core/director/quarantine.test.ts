// Failed assets are retried after growing pauses; assets that merely were on screen are not blamed.

import { describe, expect, it } from "vitest";
import {
  becameReady,
  emptyLedger,
  failed,
  isWaiting,
  late,
  lost,
  pardoned,
  pardonMs,
  played,
  stood,
  trialMs,
  waiting,
  type Ledger,
} from "../../../../server/core/director/quarantine.ts";

const a = { id: "a", content: "picture 1" };
const b = { id: "b", content: "picture 2" };
const minuteMs = 60_000;

/** Fails this often, each time at the same moment. */
function failedTimes(count: number, now = 0): Ledger {
  let ledger = emptyLedger;
  for (let time = 0; time < count; time += 1)
    ({ ledger } = failed(ledger, a, now));
  return ledger;
}

describe("the quarantine", () => {
  it("[V2-140] retries after 1, 1, 5, 30 minutes and then every two hours", () => {
    let [ledger, now] = [emptyLedger, 0];
    const pauses = Array.from({ length: 7 }, () => {
      const outcome = failed(ledger, a, now);
      const until = outcome.quarantineState?.until ?? 0;
      const pause = (until - now) / minuteMs;
      [ledger, now] = [outcome.ledger, until];
      return pause;
    });
    expect(pauses).toEqual([1, 1, 5, 30, 120, 120, 120]);
  });

  it("[V2-140] begins with the third failure", () => {
    const quarantineStates = [0, 1, 2].map(
      (before) =>
        failed(failedTimes(before), a, 9).quarantineState?.isQuarantined,
    );
    expect(quarantineStates).toEqual([false, false, true]);
  });

  it("[V2-140] forgets assets that changed and assets that played, and no others", () => {
    const ledger = failedTimes(1);
    expect(isWaiting(ledger, a, 1)).toBe(true);
    expect(isWaiting(ledger, { ...a, content: "another" }, 1)).toBe(false);
    const afterwards = played(ledger, "a");
    expect(isWaiting(afterwards, a, 1)).toBe(false);
    expect(failed(afterwards, a, 1).quarantineState?.failures).toBe(1);
  });

  it("[V2-141] lets a late asset be retried at once, twice", () => {
    const twice = late(late(emptyLedger, a, 0).ledger, a, 0).ledger;
    expect(isWaiting(twice, a, 0)).toBe(false);
    const { ledger, quarantineState } = late(twice, a, 0);
    expect(quarantineState).toMatchObject({ isQuarantined: true });
    expect(isWaiting(ledger, a, 5 * minuteMs - 1)).toBe(true);
    expect(isWaiting(ledger, a, 5 * minuteMs)).toBe(false);
  });

  it("lists waiting assets, without those that are gone or have changed", () => {
    const { ledger } = failed(failedTimes(1), { ...b, content: "old" }, 0);
    const known = (id: string) => (id === "a" ? a : { id, content: "new" });
    expect([...waiting(ledger, known, 1)]).toEqual([["a", minuteMs]]);
    expect([...waiting(ledger, () => null, 1)]).toEqual([]);
  });
});

describe("blame", () => {
  it("[V2-412] skips what was late behind another, until something was ready", () => {
    const { ledger } = late(emptyLedger, a, 0);
    expect(late(ledger, b, 1)).toEqual({ ledger, quarantineState: null });
    expect(late(becameReady(ledger), b, 1).quarantineState?.failures).toBe(1);
  });

  it("[V2-410] for a loss of the stage needs two losses, with others in between that held it", () => {
    // Nothing else has been shown: nothing is known.
    let { ledger, quarantineState } = lost(emptyLedger, a, 0);
    expect(quarantineState).toBeNull();
    expect(isWaiting(ledger, a, 0)).toBe(false);
    ({ ledger, quarantineState } = lost(ledger, a, 1));
    expect(quarantineState).toBeNull();
    expect(isWaiting(ledger, a, trialMs)).toBe(true);
    ({ ledger, quarantineState } = lost(stood(ledger, "b"), a, trialMs + 1));
    expect(quarantineState).toBeNull();
    ({ quarantineState } = lost(stood(ledger, "b"), a, 60_000));
    expect(quarantineState).toMatchObject({ isQuarantined: true, failures: 3 });
  });

  it("[V2-410] for a loss of the stage is void once the stage was lost with another, too", () => {
    let { ledger } = lost(stood(emptyLedger, "b"), a, 0);
    ({ ledger } = lost(ledger, b, 1));
    const { quarantineState } = lost(stood(ledger, null), a, 2);
    expect(quarantineState).toBeNull();
  });

  it("[V2-410] never results from a loss with something that is no asset, which clears those before it", () => {
    let { ledger } = lost(stood(emptyLedger, "b"), a, 0);
    ({ ledger } = lost(ledger, null, 1));
    expect(lost(stood(ledger, null), a, 2).quarantineState).toBeNull();
  });

  it("[V2-410] rests the asset longer each time the stage is lost with it, while nothing is proven", () => {
    let ledger = emptyLedger;
    const rests = Array.from({ length: 9 }, () => {
      ({ ledger } = lost(ledger, a, 0));
      return waiting(ledger, () => a, 0).get("a") ?? 0;
    });
    expect(rests).toEqual(
      [0, 1, 2, 4, 8, 16, 32, 32, 32].map((times) => times * trialMs),
    );
  });

  it("[V2-411] of the last twenty seconds is withdrawn, earlier blame is not", () => {
    const long = failedTimes(3, 0);
    const ledger = failed(long, b, pardonMs + 5).ledger;
    const after = pardoned(ledger, 5);
    expect(isWaiting(after, b, pardonMs + 5)).toBe(false);
    expect(isWaiting(after, a, pardonMs + 5)).toBe(true);
  });
});
