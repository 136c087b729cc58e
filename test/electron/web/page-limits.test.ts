// Limits of a page: a burst of messages or requests, a lower sustained rate, memory, and processor time until it is ready.

import { describe, expect, it } from "vitest";
import {
  firstUse,
  stepUse,
  type PageEvent,
} from "../../../electron/web/page-limits.ts";

const gibibyte = 2 ** 30;

/** At which of this many messages, sent at this interval, it is ended; null when never. */
function cutOffAt(count: number, intervalMs: number): number | null {
  let state = firstUse(0);
  for (let sent = 1; sent <= count; sent += 1) {
    const step = stepUse(state, { kind: "message" }, sent * intervalMs);
    if (step.excess !== null) return sent;
    state = step.state;
  }
  return null;
}

/** How long each of this many requests, sent at this interval, has to wait; null for the one that ends the page. */
function waitsOf(count: number, intervalMs: number): (number | null)[] {
  const waits: (number | null)[] = [];
  let state = firstUse(0);
  for (let sent = 1; sent <= count && waits.at(-1) !== null; sent += 1) {
    const step = stepUse(state, { kind: "request" }, sent * intervalMs);
    waits.push(step.excess === null ? step.waitMs : null);
    state = step.state;
  }
  return waits;
}

const measured = (
  use: Partial<PageEvent & { readonly kind: "measured" }>,
): string | null =>
  stepUse(
    firstUse(0),
    {
      ...{ kind: "measured", memoryBytes: 0, processorSeconds: 0 },
      ...{ isReady: false, ...use },
    },
    0,
  ).excess;

describe("[V2-604] a page", () => {
  it("may send 3000 messages at once, and 500 a second without end", () => {
    expect(cutOffAt(3000, 0)).toBeNull();
    expect(cutOffAt(4000, 0)).toBe(3001);
    expect(cutOffAt(1_000_000, 2)).toBeNull();
    expect(cutOffAt(100_000, 1)).toBeGreaterThan(3000);
  });

  it("may use one gibibyte before it is ready, and two from then on", () => {
    for (const [isReady, most] of [
      [false, gibibyte],
      [true, 2 * gibibyte],
    ] as const) {
      expect(measured({ isReady, memoryBytes: most })).toBeNull();
      expect(measured({ isReady, memoryBytes: most + 1 })).toContain("memory");
    }
  });

  it("may use twenty seconds of processor time until it is ready, and any amount from then on", () => {
    expect(measured({ processorSeconds: 20 })).toBeNull();
    expect(measured({ processorSeconds: 21 })).toContain("CPU time");
    expect(measured({ processorSeconds: 9999, isReady: true })).toBeNull();
  });
});

describe("[V2-733] a page", () => {
  it("may send 1000 requests at once, and 100 a second without end; the next 1000 wait, and one more ends it", () => {
    expect(new Set(waitsOf(1000, 0))).toEqual(new Set([0]));
    expect(new Set(waitsOf(100_000, 10))).toEqual(new Set([0]));
    const waits = waitsOf(3000, 0);
    expect(waits).toHaveLength(2001);
    expect(waits.slice(1000, 1003)).toEqual([10, 20, 30]);
    expect(waits.slice(-2)).toEqual([10_000, null]);
  });

  it("that waits for its answers only becomes slower", () => {
    let state = firstUse(0);
    let nowMs = 0;
    for (let sent = 1; sent <= 11_000; sent += 1) {
      const step = stepUse(state, { kind: "request" }, nowMs);
      expect(step.excess).toBeNull();
      state = step.state;
      nowMs += step.waitMs;
    }
    expect(nowMs).toBeCloseTo(100_000, -1);
  });
});
