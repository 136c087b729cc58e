// Players that come all at once are spread, and work for many of them is done together.

import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import {
  createRequestLimit,
  type RequestLimit,
} from "../../../../server/content/access/concurrent-requests.ts";
import { createBatches } from "../../../../server/content/link/batches.ts";
import {
  createRetryQueue,
  isLinkRequest,
  playersPerSecond,
  retryAfterSeconds,
} from "../../../../server/content/link/retry-queue.ts";

describe("players that are turned away", () => {
  it("[L-48] come back one after the other, at a rate that the service can answer", () => {
    const queue = createRetryQueue(
      () => 5000,
      () => 0.5,
    );
    const counts = new Map<number, number>();
    for (let at = 0; at < 10_000; at += 1) {
      const seconds = queue.nextSeconds();
      counts.set(seconds, (counts.get(seconds) ?? 0) + 1);
    }
    expect([...counts.keys()]).toEqual(
      Array.from({ length: 50 }, (_, at) => at + 1),
    );
    expect(new Set(counts.values())).toEqual(new Set([playersPerSecond]));
  });

  it("[L-48] never stay away for more than a minute, and nobody waits for those who came long before", () => {
    let now = 0;
    const queue = createRetryQueue(
      () => now,
      () => 0.999,
    );
    const all = Array.from({ length: 50_000 }, () => queue.nextSeconds());
    expect(Math.max(...all)).toBe(60);
    now += 60_000;
    expect(queue.nextSeconds()).toBe(1);
  });

  it("[L-48] are those of the link; others are to retry in two seconds", () => {
    const after = retryAfterSeconds({
      ...{ nextSeconds: () => 17, noteAnswer: () => undefined },
    });
    expect(after({ url: "/link/v1/socket" })).toBe(17);
    expect(after({ url: "/api/link/v1/heartbeat" })).toBe(17);
    expect(after({ url: "/api/v3/screens/" })).toBe(2);
    expect(after({})).toBe(2);
  });
});

describe("a service that answers few players a second", () => {
  it("[L-48] spreads the retries of the others at the rate of its responses", () => {
    let now = 0;
    const queue = createRetryQueue(
      () => now,
      () => 0.5,
    );
    const last = (count: number): number => {
      let seconds = 0;
      for (let at = 0; at < count; at += 1) seconds = queue.nextSeconds();
      return seconds;
    };
    expect(last(200)).toBe(1);
    // Twenty answers a second.
    for (let at = 0; at < 100; at += 1) {
      queue.noteAnswer();
      now += 50;
    }
    expect(last(200)).toBe(10);
    // Once nobody was turned away for a while, it is as fast as ever.
    now += 20_000;
    queue.noteAnswer();
    now += 20_000;
    expect(last(200)).toBe(1);
  });
});

type Admitted = Parameters<RequestLimit["admit"]>;

describe("requests that wait for others", () => {
  const answered = (limit: RequestLimit, isLink: boolean) => {
    const response = Object.assign(new EventEmitter(), {
      ...{ destroyed: false, setHeader: () => undefined },
    });
    let isEntered = false;
    try {
      limit.admit(
        { url: isLink ? "/link/v1/heartbeat" : "/v3/screens" } as Admitted[0],
        response as unknown as Admitted[1],
        () => (isEntered = true),
      );
    } catch (error) {
      return { response, isEntered: () => isEntered, error };
    }
    return { response, isEntered: () => isEntered, error: null };
  };

  it("[L-48] are those of people; players are turned away while some wait for more than two seconds", () => {
    let now = 0;
    const limit = createRequestLimit({
      ...{ maxConcurrent: 1, maxQueued: 10, what: "requests" },
      ...{ now: () => now, canWait: isLinkRequest },
    });
    const first = answered(limit, true);
    const second = answered(limit, true);
    now = 1900;
    expect(answered(limit, true).error).toBeNull();
    now = 2100;
    expect(answered(limit, true).error).toMatchObject({ code: "unavailable" });
    expect(answered(limit, false).error).toBeNull();
    expect([first.isEntered(), second.isEntered()]).toEqual([true, false]);
    first.response.emit("close");
    expect(second.isEntered()).toBe(true);
    expect(answered(limit, true).error).toBeNull();
  });
});

describe("work for many at once", () => {
  it("is done for one at once, and together for those that come meanwhile", async () => {
    const ran: number[][] = [];
    const ends: (() => void)[] = [];
    const batches = createBatches<number>(3, async (items) => {
      ran.push([...items]);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
    const all = Promise.all([1, 2, 3, 4, 5].map((item) => batches.add(item)));
    await expect.poll(() => ends.length).toBe(1);
    expect(ran).toEqual([[1, 2, 3]]);
    const late = batches.add(6);
    ends[0]?.();
    await expect.poll(() => ends.length).toBe(2);
    ends[1]?.();
    await Promise.all([all, late]);
    expect(ran).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
  });

  it("fails for those of the batch only", async () => {
    const batches = createBatches<number>(1, async ([item]) => {
      if (item === 1) throw new Error("no");
    });
    const [one, two] = await Promise.allSettled([
      batches.add(1),
      batches.add(2),
    ]);
    expect([one?.status, two?.status]).toEqual(["rejected", "fulfilled"]);
  });
});
