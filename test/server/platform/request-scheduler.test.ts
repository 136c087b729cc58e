// Request scheduler: many requests never delay a timer, nor one connection another.

import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { createRequestScheduler } from "../../../server/platform/request-scheduler.ts";

/** The part of a response that the scheduler reads. */
function answerOn(connection: object, destroyed = false): ServerResponse {
  return { socket: connection, destroyed } as unknown as ServerResponse;
}

/** Time that passes by working. */
function workClock(): { now: () => number; workFor: (ms: number) => void } {
  let passed = 0;
  return {
    now: () => passed,
    workFor: (ms) => {
      passed += ms;
    },
  };
}

describe("the request scheduler", () => {
  it("[V2-71] lets timers run in between, and serves connections in turn", async () => {
    const { now, workFor } = workClock();
    const requestScheduler = createRequestScheduler(now);
    const order: string[] = [];
    const heap = {};
    const small = {};
    // A round of the event loop: timers that are due run in each.
    setImmediate(() => order.push("round"));
    const done = new Promise<void>((resolve) => {
      for (let count = 0; count < 20; count += 1)
        requestScheduler.take(answerOn(heap), () => {
          workFor(1);
          order.push("heap");
          if (count === 19) resolve();
        });
      requestScheduler.take(answerOn(small), () => order.push("small"));
    });
    // Quick requests run at once; the rest waits.
    expect(order.length).toBeLessThanOrEqual(2);
    await done;
    expect(order).toHaveLength(22);
    expect(order.indexOf("round")).toBeLessThan(6);
    expect(order.indexOf("small")).toBeLessThan(6);
  });

  it("continues at once within a time slice, and skips closed connections", async () => {
    const { now, workFor } = workClock();
    const requestScheduler = createRequestScheduler(now);
    const order: string[] = [];
    requestScheduler.take(answerOn({}), () => {
      workFor(5);
      requestScheduler.take(answerOn({}), () => order.push("within"));
      order.push("outer");
    });
    requestScheduler.take(answerOn({}, true), () => order.push("gone"));
    await new Promise<void>((resolve) => {
      requestScheduler.take(answerOn({}), resolve);
    });
    expect(order).toEqual(["within", "outer"]);
  });

  it("[V2-71] rejects requests behind fifty queued of the same connection", () => {
    const { now, workFor } = workClock();
    const requestScheduler = createRequestScheduler(now);
    requestScheduler.take(answerOn({}), () => workFor(5));
    const greedy = answerOn({}, true);
    let taken = 0;
    while (requestScheduler.take(greedy, () => undefined)) taken += 1;
    expect(taken).toBe(50);
    expect(requestScheduler.take(answerOn({}, true), () => undefined)).toBe(
      true,
    );
  });
});
