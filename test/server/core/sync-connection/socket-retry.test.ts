// Back-off of a link's socket: growing pauses within the range that the service names.

import { describe, expect, it } from "vitest";
import {
  afterSocketEvent,
  newSocketRetry,
  type SocketEvent,
  type SocketRetry,
} from "../../../../server/core/sync-connection/socket-retry.ts";

const failed = (at: number, random = 0.5): SocketEvent => ({
  ...{ kind: "failed", at, random, retryAfterMs: null },
});

/** Seconds until the next attempt, after each of `count` consecutive failures. */
function pauses(count: number, from: SocketRetry, random = 0.5): number[] {
  let state = from;
  let at = 0;
  return Array.from({ length: count }, () => {
    state = afterSocketEvent(state, failed(at, random));
    const seconds = (state.retryAt - at) / 1000;
    at = state.retryAt;
    return seconds;
  });
}

describe("the back-off of a socket", () => {
  it("[L-47] grows from 15 seconds to five minutes", () => {
    expect(pauses(7, newSocketRetry)).toEqual([15, 30, 60, 120, 240, 300, 300]);
  });

  it("[L-47] is spread by a quarter of the pause in both directions", () => {
    expect(pauses(2, newSocketRetry, 0)).toEqual([11.25, 22.5]);
    expect(pauses(2, newSocketRetry, 0.999_999).map(Math.round)).toEqual([
      19, 37,
    ]);
  });

  it.each([
    [{ firstSeconds: 5, longestSeconds: 20 }, [5, 10, 20, 20]],
    [{ firstSeconds: 100, longestSeconds: 7 }, [100, 100, 100, 100]],
    [{ firstSeconds: 0, longestSeconds: 1e9 }, [1, 2, 4, 8]],
  ])("[L-47] keeps to the range that the service names: %j", (range, all) => {
    const state = afterSocketEvent(newSocketRetry, {
      ...{ kind: "range-named", range },
    });
    expect(pauses(4, state)).toEqual(all);
  });

  it("[L-47] never requests more than an hour, and does not overflow", () => {
    const state = afterSocketEvent(newSocketRetry, {
      kind: "range-named",
      range: { firstSeconds: 3600, longestSeconds: Number.MAX_SAFE_INTEGER },
    });
    expect(new Set(pauses(5000, state))).toEqual(new Set([3600]));
  });

  it("[L-47] begins anew after a socket that lasted, and continues after one that was lost soon three times", () => {
    let state = newSocketRetry;
    for (let at = 0; at < 3; at += 1)
      state = afterSocketEvent(state, failed(0));
    const lost = (openedAt: number): SocketEvent => ({
      ...{ kind: "lost", at: 100_000, openedAt, random: 0.5 },
    });
    const again = afterSocketEvent(state, lost(100_000 - 29_000));
    expect(again).toMatchObject({ failures: 3, retryAt: state.retryAt });
    const third = [lost(99_000), lost(99_000)].reduce(afterSocketEvent, again);
    expect(third).toMatchObject({ failures: 4, quickLosses: 0 });
    expect(third.retryAt).toBe(100_000 + 120_000);
    const lasted = afterSocketEvent(third, lost(60_000));
    expect(lasted.failures).toBe(0);
  });

  it("[L-48] waits as long as a busy service requests, which is no failure", () => {
    const busy = (retryAfterMs: number, random: number): SocketRetry =>
      afterSocketEvent(newSocketRetry, {
        ...{ kind: "failed", at: 1000, random, retryAfterMs },
      });
    expect(busy(40_000, 0)).toMatchObject({
      ...{ failures: 0, isBusy: true, retryAt: 41_000 },
    });
    expect(busy(40_000, 0.99).retryAt).toBeLessThan(45_001);
    // Nobody does without news for an hour.
    expect(busy(3_600_000, 0)).toMatchObject({ isBusy: false });
  });
});
