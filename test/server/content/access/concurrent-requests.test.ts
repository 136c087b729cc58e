// Concurrency limit: so many requests at once, a few queued, and an immediate rejection for the rest.

import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { createRequestLimit } from "../../../../server/content/access/concurrent-requests.ts";
import { Failure } from "../../../../server/core/failure.ts";

/** A response that ends when told to. */
class Answer extends EventEmitter {
  destroyed = false;
  readonly headers = new Map<string, unknown>();

  setHeader(name: string, value: unknown): void {
    this.headers.set(name, value);
  }

  end(): void {
    this.destroyed = true;
    this.emit("close");
  }
}

type Admit = ReturnType<typeof createRequestLimit>["admit"];

/** The parts of a request and response that the limiter reads. */
function requestWith(
  answer: Answer,
): [Parameters<Admit>[0], Parameters<Admit>[1]] {
  return [{}, answer] as never;
}

describe("the concurrency limit", () => {
  function entering() {
    const gate = createRequestLimit({
      maxConcurrent: 2,
      maxQueued: 1,
      what: "requests",
    });
    const inside: Answer[] = [];
    const enter = (): Answer => {
      const answer = new Answer();
      void gate.admit(...requestWith(answer), () => {
        inside.push(answer);
      });
      return answer;
    };
    return { gate, inside, enter };
  }

  it("[V4-207] admits a number of requests, queues a few, and rejects the rest, which retry later", () => {
    const { gate, inside, enter } = entering();
    const [first, second] = [enter(), enter()];
    const third = enter();
    expect(inside).toEqual([first, second]);
    const fourth = new Answer();
    expect(() => gate.admit(...requestWith(fourth), () => undefined)).toThrow(
      Failure,
    );
    expect(fourth.headers.get("Retry-After")).toBe(2);
    first.end();
    expect(inside).toEqual([first, second, third]);
    expect(gate.underWay()).toBe(2);
  });

  it("[V4-207] keeps no slot for a client that has left the queue", () => {
    const { gate, inside, enter } = entering();
    const [first, second, third] = [enter(), enter(), enter()];
    third.end();
    first.end();
    expect(inside).toEqual([first, second]);
    expect(gate.underWay()).toBe(1);
    const fourth = enter();
    expect(inside).toEqual([first, second, fourth]);
  });
});
