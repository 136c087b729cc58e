// Showings by command that hang, or are commanded during another swap.

import { describe, expect, it } from "vitest";
import { flushPromises } from "../../../support/clock.ts";
import {
  idOf,
  problemOf,
  startDirector,
  startDirectorWith,
  type RunningDirector,
} from "../../../support/player/start-director.ts";

describe("a commanded showing that hangs", () => {
  const ordered = async (...names: string[]): Promise<RunningDirector> => {
    const running = await startDirectorWith(...names);
    running.stage.stall("B");
    return running;
  };

  it("[V2-366] is given up after ten seconds: the lineup continues, and the reason is set on the asset and announced", async () => {
    const running = await ordered("A", "C", "D", "B");
    const { director, clock, visible, faults } = running;
    director.show(idOf(running, "B"));
    await clock.advance(9999);
    expect(visible()).toBe("A");
    expect(problemOf(running, "B")).toBeNull();
    await clock.advance(1);
    expect(visible()).toBe("C");
    expect(problemOf(running, "B")).toBe("The asset did not load in time.");
    expect(faults.map(({ name }) => name)).toEqual(["B"]);
  });

  it("[V2-366] and is also next in the lineup is skipped without another wait", async () => {
    const running = await ordered("A", "C", "B", "D");
    await running.clock.advance(10_000);
    expect(running.visible()).toBe("C");
    running.director.show(idOf(running, "B"));
    await running.clock.advance(10_000);
    expect(running.visible()).toBe("D");
  });

  it("[V2-352][V2-366] in a lineup of two keeps loading while the other's duration restarts", async () => {
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

  it("[V2-366] keeps the visible showing where it is alone in the lineup", async () => {
    const running = await startDirectorWith("A");
    const { stage, clock, director, visible } = running;
    stage.stall("A");
    director.show(idOf(running, "A"));
    await clock.advance(60_000);
    expect(visible()).toBe("A");
    expect(stage.shown.filter((name) => name === "A")).toHaveLength(1);
  });

  it("[V2-366] is shown by command, not at its place in the lineup, when it is ready in time", async () => {
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

  it("[V2-366] keeps a showing that must go for three seconds, also when that is announced during the wait", async () => {
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

  it("[V2-366] has ten seconds from the command on, though its own showing was late already", async () => {
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

  it("[V2-366] has three seconds where a next or previous command reaches it afterwards", async () => {
    const running = await ordered("A", "B", "C", "D");
    const { clock, director, visible } = running;
    director.show(idOf(running, "B"));
    await clock.advance(100);
    director.step("next");
    await clock.advance(3000);
    expect(visible()).toBe("C");
  });

  it("[V2-366] and is the only one leaves the idle screen in place of what must go, as soon as any late showing does", async () => {
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

describe("a commanded showing", () => {
  it("[V2-21] that is also next in the lineup stays for its own duration, then is replaced", async () => {
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

describe("a showing commanded during another swap", () => {
  it("[V2-370] is shown when ready, although the visible showing broke meanwhile", async () => {
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
