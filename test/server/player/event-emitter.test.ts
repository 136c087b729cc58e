// Coalesced work: frequent requests run once, expensive work is throttled.

import { expect, it } from "vitest";
import {
  createOneGo,
  type OneGo,
} from "../../../server/player/event-emitter.ts";
import { manualClock, flushPromises } from "../../support/clock.ts";

interface Going {
  readonly oneGo: OneGo;
  /** How often the work ran. */
  times(): number;
  /** Number of pending timers. */
  timers(): number;
  advance(ms: number): Promise<void>;
}

/** Work that takes this long each time; the clock advances with the work and when told to. */
function going(tookMs: number): Going {
  const { after, monotonic, advance } = manualClock();
  let workedMs = 0;
  let times = 0;
  let timers = 0;
  const oneGo = createOneGo(
    () => {
      times += 1;
      workedMs += tookMs;
    },
    {
      monotonic: () => monotonic() + workedMs,
      after: (ms, callback) => {
        timers += 1;
        const cancel = after(ms, () => {
          timers -= 1;
          callback();
        });
        return () => {
          timers -= 1;
          cancel();
        };
      },
    },
  );
  return { oneGo, times: () => times, timers: () => timers, advance };
}

it("runs once, in the next turn of the event loop, for several requests in this one", async () => {
  const { oneGo, times } = going(0);
  oneGo.request(40);
  oneGo.request(40);
  expect(times()).toBe(0);
  await flushPromises();
  expect(times()).toBe(1);
  oneGo.request(40);
  await flushPromises();
  expect(times()).toBe(2);
});

it("pauses after expensive work, but never longer than the requester can wait", async () => {
  const { oneGo, times, advance } = going(50);
  oneGo.request(40);
  await flushPromises();
  oneGo.request(40);
  await advance(39);
  expect(times()).toBe(1);
  await advance(1);
  expect(times()).toBe(2);
  // Twenty times as long as the work took, where the delay allows it.
  oneGo.request(60_000);
  await advance(999);
  expect(times()).toBe(2);
  await advance(1);
  expect(times()).toBe(3);
});

it("runs earlier for a request with a shorter delay, and not later for one with a longer delay", async () => {
  const { oneGo, times, timers, advance } = going(50);
  oneGo.request(40);
  await flushPromises();
  oneGo.request(60_000);
  oneGo.request(20);
  oneGo.request(60_000);
  expect(timers()).toBe(1);
  await advance(19);
  expect(times()).toBe(1);
  await advance(1);
  expect(times()).toBe(2);
  oneGo.request(0);
  await flushPromises();
  expect(times()).toBe(3);
});

it("runs nothing more once stopped, whether paused or not", async () => {
  const { oneGo, times, timers, advance } = going(3);
  oneGo.request(40);
  oneGo.stop();
  await flushPromises();
  expect(times()).toBe(0);
  oneGo.request(40);
  await flushPromises();
  oneGo.request(40);
  expect(timers()).toBe(1);
  oneGo.stop();
  expect(timers()).toBe(0);
  await advance(1000);
  expect(times()).toBe(1);
});
