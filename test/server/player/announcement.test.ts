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

/** Takes 50 ms each time; over after so many. */
function dearOne(times: number) {
  const startedAts: number[] = [];
  let done = (): void => undefined;
  const isOver = new Promise<void>((resolve) => (done = resolve));
  const oneGo = createOneGo(() => {
    startedAts.push(performance.now());
    busyFor(50);
    if (startedAts.length === times) done();
  }, systemClock);
  return { oneGo, startedAts, isOver };
}

it("does once, in the next turn, what was asked several times in this one", async () => {
  let times = 0;
  const oneGo = createOneGo(() => (times += 1), systemClock);
  oneGo.ask(40);
  oneGo.ask(40);
  expect(times).toBe(0);
  await nextTurn();
  expect(times).toBe(1);
  oneGo.ask(40);
  await nextTurn();
  expect(times).toBe(2);
});

it("rests after something dear, but never longer than whoever asks can wait", async () => {
  const { oneGo, startedAts, isOver: twice } = dearOne(2);
  oneGo.ask(40);
  await nextTurn();
  oneGo.ask(40);
  await twice;
  const [first = 0, second = 0] = startedAts;
  // Twenty times as long as it took, had nobody been in a hurry.
  expect(second - first).toBeGreaterThanOrEqual(89);
  expect(second - first).toBeLessThan(900);
});

it("comes sooner when somebody asks who can wait less, and not later for one who can wait more", async () => {
  const { oneGo, startedAts, isOver: thrice } = dearOne(3);
  oneGo.ask(40);
  await nextTurn();
  const timers = timersOfThisProcess();
  oneGo.ask(60_000);
  oneGo.ask(20);
  oneGo.ask(60_000);
  expect(timersOfThisProcess()).toBe(timers + 1);
  while (startedAts.length < 2) await nextTurn();
  oneGo.ask(0);
  await thrice;
  const [first = 0, second = 0, third = 0] = startedAts;
  expect(second - first).toBeLessThan(900);
  expect(third - second).toBeLessThan(900);
});

it("does nothing more once it is stopped, at rest or not", async () => {
  let times = 0;
  const oneGo = createOneGo(() => {
    times += 1;
    busyFor(3);
  }, systemClock);
  oneGo.ask(40);
  oneGo.stop();
  await nextTurn();
  expect(times).toBe(0);
  oneGo.ask(40);
  await nextTurn();
  const timers = timersOfThisProcess();
  oneGo.ask(40);
  expect(timersOfThisProcess()).toBe(timers + 1);
  oneGo.stop();
  expect(timersOfThisProcess()).toBe(timers);
  expect(times).toBe(1);
});
