// What was ordered to the glass and hangs, or is ordered while something else gives way.

import { describe, expect, it } from "vitest";
import { flushPromises } from "../../../support/clock.ts";
import {
  idOf,
  problemOf,
  startDirector,
  startDirectorWith,
  type RunningDirector,
} from "../../../support/player/start-director.ts";

describe("what was ordered and hangs", () => {
  const ordered = async (...names: string[]): Promise<RunningDirector> => {
    const running = await startDirectorWith(...names);
    running.stage.stall("B");
    return running;
  };

  it("[V2-366] is given up after ten seconds: the lineup goes on, and the reason stands on the asset and is told", async () => {
    const running = await ordered("A", "C", "D", "B");
    const { director, clock, visible, faults } = running;
    director.show(idOf(running, "B"));
    await clock.advance(9999);
    expect(visible()).toBe("A");
    expect(problemOf(running, "B")).toBeNull();
    await clock.advance(1);
    expect(visible()).toBe("C");
    expect(problemOf(running, "B")).toBe("It was not ready in time.");
    expect(faults.map(({ name }) => name)).toEqual(["B"]);
  });

  it("[V2-366] and comes next in the lineup, too, is passed over without another wait", async () => {
    const running = await ordered("A", "C", "B", "D");
    await running.clock.advance(10_000);
    expect(running.visible()).toBe("C");
    running.director.show(idOf(running, "B"));
    await running.clock.advance(10_000);
    expect(running.visible()).toBe("D");
  });

  it("[V2-352][V2-366] beside one other alone is loaded on, while that has its time anew", async () => {
    const running = await startDirector();
    const { add, stage, clock, director, visible } = running;
    stage.stall("B");
    const { id } = (add("A"), add("B"));
    await flushPromises();
    director.show(id);
    await clock.advance(10_000);
    expect(director.status()).toMatchObject({ sinceMs: clock.now() });
    stage.ready();
    await clock.advance(9999);
    expect(visible()).toBe("A");
    await clock.advance(1);
    expect(visible()).toBe("B");
    expect(problemOf(running, "B")).toBeNull();
  });

  it("[V2-366] takes nothing off the glass that is alone in the lineup", async () => {
    const running = await startDirectorWith("A");
    const { stage, clock, director, visible } = running;
    stage.stall("A");
    director.show(idOf(running, "A"));
    await clock.advance(60_000);
    expect(visible()).toBe("A");
    expect(stage.shown.filter((name) => name === "A")).toHaveLength(1);
  });

  it("[V2-366] is shown once it is ready before that, by order and not in its turn", async () => {
    const running = await ordered("A", "C", "D", "B");
    const { director, clock, stage, visible } = running;
    director.show(idOf(running, "B"));
    await clock.advance(9000);
    expect(visible()).toBe("A");
    stage.ready();
    await flushPromises();
    expect(visible()).toBe("B");
    expect(problemOf(running, "B")).toBeNull();
  });

  it("[V2-366] holds what may not stay any more for three seconds, also when that is told while it is waited for", async () => {
    const running = await ordered("A", "C", "D", "B");
    const { clock, director, library, visible } = running;
    director.show(idOf(running, "B"));
    await clock.advance(500);
    running.remove(library.assets().find(({ name }) => name === "A")!);
    await clock.advance(2499);
    expect(visible()).toBe("A");
    await clock.advance(1);
    expect(visible()).toBe("C");
  });

  it("[V2-366] has its ten seconds from the order on, though its own turn was late already", async () => {
    const running = await startDirector();
    const { add, clock, director, stage, visible } = running;
    stage.stall("B");
    for (const name of ["A", "B", "C", "D"]) add(name);
    await flushPromises();
    await clock.advance(12_900);
    director.show(idOf(running, "B"));
    await clock.advance(9999);
    expect(visible()).toBe("A");
    stage.ready();
    await flushPromises();
    expect(visible()).toBe("B");
  });

  it("[V2-366] has three seconds where a step comes to it after the order", async () => {
    const running = await ordered("A", "B", "C", "D");
    const { clock, director, visible } = running;
    director.show(idOf(running, "B"));
    await clock.advance(100);
    director.step("next");
    await clock.advance(3000);
    expect(visible()).toBe("C");
  });

  it("[V2-366] and is all there is leaves the card in place of what must go, as soon as any late turn does", async () => {
    const running = await startDirectorWith("A");
    const { add, stage, clock, library, director, visible } = running;
    stage.stall("B");
    const { id } = add("B");
    running.remove(library.assets().find(({ name }) => name === "A")!);
    director.show(id);
    await clock.advance(2999);
    expect(visible()).toBe("A");
    await clock.advance(1);
    expect(visible()).toBe("card");
  });

  it("[V2-140][V2-366] is quarantined the third time", async () => {
    const running = await ordered("A", "C", "D", "E", "B");
    for (let time = 0; time < 3; time += 1) {
      running.director.show(idOf(running, "B"));
      await running.clock.advance(10_000);
    }
    expect(problemOf(running, "B")).toContain("It has failed 3 times");
    expect(() => running.director.show(idOf(running, "B"))).toThrow(/not due/);
  });
});

describe("what was ordered", () => {
  it("[V2-21] and comes next in the lineup, too, stays for its own turn, and then gives way", async () => {
    const running = await startDirectorWith("A", "B");
    const { clock, director, visible } = running;
    await clock.advance(10_000);
    expect(visible()).toBe("B");
    director.show(idOf(running, "A"));
    await flushPromises();
    expect(visible()).toBe("A");
    await clock.advance(20_000);
    expect(visible()).toBe("B");
  });
});

describe("what was ordered while another gives way", () => {
  it("[V2-370] is shown when it is ready, although the slide on the glass broke meanwhile", async () => {
    const running = await startDirectorWith("A", "B", "C");
    const { stage, director, visible } = running;
    stage.stall("C");
    director.show(idOf(running, "C"));
    stage.failVisible("It stalled.");
    await flushPromises();
    stage.ready();
    await flushPromises();
    expect(visible()).toBe("C");
  });
});
