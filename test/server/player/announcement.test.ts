// What is asked often is done once, and what is dear not all the time.

import { expect, it } from "vitest";
import { systemClock } from "../../../server/platform/clock.ts";
import { createOneGo } from "../../../server/player/announcement.ts";

/** Two: what is asked is done after the turn that asked. */
const nextTurn = (): Promise<void> =>
  new Promise((resolve) =>
    setImmediate(() => setImmediate(() => setImmediate(resolve))),
  );

function busyFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

const timersOfThisProcess = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

it("does once, in the next turn, what was asked several times in this one", async () => {
  let times = 0;
  const oneGo = createOneGo(() => (times += 1), systemClock);
  oneGo.ask();
  oneGo.ask();
  expect(times).toBe(0);
  await nextTurn();
  expect(times).toBe(1);
  oneGo.ask();
  await nextTurn();
  expect(times).toBe(2);
});

it("rests four times as long as something dear took before it does it again", async () => {
  const startedAts: number[] = [];
  let done = (): void => undefined;
  const twice = new Promise<void>((resolve) => (done = resolve));
  const oneGo = createOneGo(() => {
    startedAts.push(performance.now());
    busyFor(5);
    if (startedAts.length === 2) done();
  }, systemClock);
  oneGo.ask();
  await nextTurn();
  oneGo.ask();
  await twice;
  const [first = 0, second = 0] = startedAts;
  expect(second - first).toBeGreaterThanOrEqual(24);
});

it("does nothing more once it is stopped, at rest or not", async () => {
  let times = 0;
  const oneGo = createOneGo(() => {
    times += 1;
    busyFor(3);
  }, systemClock);
  oneGo.ask();
  oneGo.stop();
  await nextTurn();
  expect(times).toBe(0);
  oneGo.ask();
  await nextTurn();
  const timers = timersOfThisProcess();
  oneGo.ask();
  expect(timersOfThisProcess()).toBe(timers + 1);
  oneGo.stop();
  expect(timersOfThisProcess()).toBe(timers);
  expect(times).toBe(1);
});
