// The verdict of the glass: what is seen on it, told at its turns, and what is given up of which nothing is seen.

import { describe, expect, it } from "vitest";
import { flushPromises } from "../../support/clock.ts";
import {
  problemOf,
  startDirector,
  startDirectorWith,
} from "../../support/player/start-director.ts";

describe("the verdict of the glass", () => {
  it("[V2-148] stands beside the slide it was given for, and goes with it", async () => {
    const { director, stage, clock } = await startDirectorWith("A", "B");
    expect(director.status()?.verdict).toBeNull();
    stage.see("verified", clock.now());
    expect(director.status()?.verdict).toMatchObject({
      ...{ verdict: "verified", at: clock.now() },
    });
    await clock.advance(10_000);
    expect(director.status()?.verdict).toBeNull();
  });

  it("[V2-148] is no longer told once nobody has looked for three periods", async () => {
    const { director, stage, clock } = await startDirectorWith("A");
    stage.see("verified", clock.now());
    await clock.advance(8_000);
    stage.see("verified", clock.now());
    await clock.advance(15_000);
    expect(director.status()?.verdict).toMatchObject({ verdict: "verified" });
    await clock.advance(1);
    expect(director.status()?.verdict).toBeNull();
  });

  it("[V2-602] grows old by a clock that nobody sets", async () => {
    const { director, stage, clock } = await startDirectorWith("A");
    stage.see("verified", clock.now());
    clock.jumpTo(clock.now() - 3_600_000);
    await clock.advance(15_001);
    expect(director.status()?.verdict).toBeNull();
    stage.see("verified", clock.now());
    clock.jumpTo(clock.now() + 3_600_000);
    expect(director.status()?.verdict).toMatchObject({ verdict: "verified" });
  });

  it("[V2-602] is none when its look began before the graphics were lost", async () => {
    const { director, stage, clock } = await startDirectorWith("A");
    await clock.advance(5_000);
    stage.disturb("graphics-lost");
    await clock.advance(1_000);
    stage.see("verified", clock.now(), 1_500);
    expect(director.status()?.verdict).toBeNull();
    stage.see("verified", clock.now(), 900);
    expect(director.status()?.verdict).toMatchObject({ verdict: "verified" });
  });

  it("[V2-148] is told as a fault when it turns, not as long as it lasts", async () => {
    const running = await startDirectorWith("A", "B");
    const { stage, faults } = running;
    for (const verdict of ["verified", "frozen", "frozen", "frozen"] as const)
      stage.see(verdict);
    await flushPromises();
    expect(faults.map(({ reason }) => reason)).toEqual([
      "It no longer moves on the glass.",
    ]);
    // What is frozen may be meant to be; it stays.
    expect(running.visible()).toBe("A");
  });

  it("[V2-149] gives a slide up of which nothing was seen three times in a row, and goes on", async () => {
    const running = await startDirectorWith("A", "B");
    const { stage, faults } = running;
    stage.see("blank");
    stage.see("wrong");
    stage.see("verified");
    stage.see("blank");
    stage.see("blank");
    await flushPromises();
    expect(running.visible()).toBe("A");
    stage.see("blank");
    await flushPromises();
    await flushPromises();
    expect(running.visible()).toBe("B");
    expect(problemOf(running, "A")).toBe("Nothing of it is seen on the glass.");
    // Blank, wrong, blank again, and given up.
    expect(faults).toHaveLength(4);
  });

  it("[V2-650] leaves a slide where it is that only the screen, or the graphics, do not show, and says so once", async () => {
    const running = await startDirectorWith("A", "B");
    const { stage, faults } = running;
    for (let attempt = 0; attempt < 10; attempt += 1)
      stage.see("blank", 0, 0, true);
    await flushPromises();
    expect(running.visible()).toBe("A");
    expect(problemOf(running, "A")).toBeNull();
    expect(faults.map(({ reason }) => reason)).toEqual([
      "Nothing of it is seen on the glass.",
    ]);
  });

  it("[V2-149] leaves a slide, and a takeover, where they are while something else covers them, and says so once", async () => {
    const running = await startDirectorWith("A", "B");
    const { stage, faults } = running;
    for (let attempt = 0; attempt < 10; attempt += 1) stage.see("wrong");
    await flushPromises();
    expect(running.visible()).toBe("A");
    expect(problemOf(running, "A")).toBeNull();
    expect(faults.map(({ reason }) => reason)).toEqual([
      "Something else is seen on the glass.",
    ]);
    running.takeovers.begin({
      ...{ shown: { kind: "text", text: "x" }, until: null, reason: null },
    });
    await flushPromises();
    for (let attempt = 0; attempt < 10; attempt += 1) stage.see("wrong");
    await flushPromises();
    expect(running.visible()).not.toBe("A");
    expect(running.director.takeoverProblem()).toBeNull();
  });

  it("[V2-380] stays with the glass while something else covers it, from slide to slide, until a look is right; it is told once", async () => {
    const running = await startDirectorWith("A", "B");
    const { stage, faults, director, clock } = running;
    const since = clock.now();
    stage.see("wrong", since);
    for (let showings = 0; showings < 4; showings += 1) {
      const before = running.visible();
      await clock.advance(10_000);
      expect(running.visible()).not.toBe(before);
      // Nobody has looked at this slide yet.
      expect(director.status()).toMatchObject({
        verdict: { verdict: "wrong", since },
        coveredSinceMs: since,
      });
      stage.see("wrong", clock.now());
      expect(director.status()?.verdict?.since).toBe(since);
    }
    expect(faults.map(({ reason, isCover }) => [reason, isCover])).toEqual([
      ["Something else is seen on the glass.", true],
    ]);
    stage.see("verified", clock.now());
    expect(director.status()).toMatchObject({
      verdict: { verdict: "verified", since: clock.now() },
      coveredSinceMs: null,
    });
    await clock.advance(10_000);
    expect(director.status()?.verdict).toBeNull();
  });

  it("[V2-149] of the house card changes nothing but what is told", async () => {
    const { stage, faults, visible } = await startDirector();
    for (let attempt = 0; attempt < 10; attempt += 1) stage.see("blank");
    await flushPromises();
    expect([visible(), stage.shown.length, faults.length]).toEqual([
      ...["card", 1, 1],
    ]);
  });

  it("[V2-149][V2-600] puts a text up anew of which nothing was seen, and then gives it up for ten seconds: the programme is worth more than nothing", async () => {
    const running = await startDirectorWith("A", "B");
    const { director, clock } = running;
    running.takeovers.begin({
      ...{ shown: { kind: "text", text: "x" }, until: null, reason: null },
    });
    await flushPromises();
    const blankThrice = async () => {
      for (let attempt = 0; attempt < 3; attempt += 1)
        running.stage.see("blank");
      await flushPromises();
    };
    const first = director.status()?.showing.id;
    await blankThrice();
    await clock.advance(1000);
    expect(running.visible()).toBe("x");
    expect(director.status()?.showing.id).not.toBe(first);
    await blankThrice();
    expect(running.visible()).toBe("A");
    expect(director.takeoverProblem()).toBe(
      "Nothing of it is seen on the glass.",
    );
    await clock.advance(10_000);
    expect(running.visible()).toBe("x");
  });
});
