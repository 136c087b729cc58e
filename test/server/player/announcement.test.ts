// What is asked often is done once, and what is dear not all the time.

import { expect, it } from "vitest";
import {
  createOneGo,
  type OneGo,
} from "../../../server/player/announcement.ts";
import { manualClock, flushPromises } from "../../support/clock.ts";

interface Going {
  readonly oneGo: OneGo;
  /** How often it was done. */
  times(): number;
  /** How many wait for their time. */
  timers(): number;
  advance(ms: number): Promise<void>;
}

/** What takes so long each time, by a clock that goes on with the work and when it is told. */
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

it("does once, in the next turn, what was asked several times in this one", async () => {
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

it("rests after something dear, but never longer than whoever asks can wait", async () => {
  const { oneGo, times, advance } = going(50);
  oneGo.request(40);
  await flushPromises();
  oneGo.request(40);
  await advance(39);
  expect(times()).toBe(1);
  await advance(1);
  expect(times()).toBe(2);
  // Twenty times as long as it took, where nobody is in a hurry.
  oneGo.request(60_000);
  await advance(999);
  expect(times()).toBe(2);
  await advance(1);
  expect(times()).toBe(3);
});

it("comes sooner when somebody asks who can wait less, and not later for one who can wait more", async () => {
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

it("does nothing more once it is stopped, at rest or not", async () => {
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
