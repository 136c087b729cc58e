// Screen verdicts: what the comparison saw on the screen, events on changes, and showings dropped because nothing of them is
// visible.

import { describe, expect, it } from "vitest";
import { flushPromises } from "../../support/clock.ts";
import {
  problemOf,
  startDirector,
  startDirectorWith,
} from "../../support/player/start-director.ts";

describe("the screen verdict", () => {
  it("[V2-148] is reported with the showing it belongs to, and ends with it", async () => {
    const { director, stage, clock } = await startDirectorWith("A", "B");
    expect(director.status()?.verdict).toBeNull();
    stage.see("verified", clock.now());
    expect(director.status()?.verdict).toMatchObject({
      ...{ verdict: "verified", at: clock.now() },
    });
    await clock.advance(10_000);
    expect(director.status()?.verdict).toBeNull();
  });

  it("[V2-148] is no longer reported after three periods without a comparison", async () => {
    const { director, stage, clock } = await startDirectorWith("A");
    stage.see("verified", clock.now());
    await clock.advance(8_000);
    stage.see("verified", clock.now());
    await clock.advance(15_000);
    expect(director.status()?.verdict).toMatchObject({ verdict: "verified" });
    await clock.advance(1);
    expect(director.status()?.verdict).toBeNull();
  });

  it("[V2-602] ages by the monotonic clock, not the wall clock", async () => {
    const { director, stage, clock } = await startDirectorWith("A");
    stage.see("verified", clock.now());
    clock.jumpTo(clock.now() - 3_600_000);
    await clock.advance(15_001);
    expect(director.status()?.verdict).toBeNull();
    stage.see("verified", clock.now());
    clock.jumpTo(clock.now() + 3_600_000);
    expect(director.status()?.verdict).toMatchObject({ verdict: "verified" });
  });

  it("[V2-602] is ignored when its comparison began before the graphics were lost", async () => {
    const { director, stage, clock } = await startDirectorWith("A");
    await clock.advance(5_000);
    stage.disturb("graphics-lost");
    await clock.advance(1_000);
    stage.see("verified", clock.now(), 1_500);
    expect(director.status()?.verdict).toBeNull();
    stage.see("verified", clock.now(), 900);
    expect(director.status()?.verdict).toMatchObject({ verdict: "verified" });
  });

  it("[V2-727] is withdrawn while the stage is lost, before it has restarted", async () => {
    const { director, stage, clock } = await startDirectorWith("A", "B");
    stage.see("verified", clock.now());
    stage.lose();
    expect(director.status()?.verdict).toBeNull();
  });

  it("[V2-727] stays what it is while the stage is lost, if the screen was found wrong before", async () => {
    const { director, stage, clock } = await startDirectorWith("A", "B");
    stage.see("frozen", clock.now());
    stage.lose();
    expect(director.status()?.verdict?.verdict).toBe("frozen");
  });

  it("[V2-727] is withdrawn when the showing fails on the screen, before anything replaces it", async () => {
    const { director, stage, clock } = await startDirectorWith("A", "B");
    stage.see("verified", clock.now());
    stage.linger("B");
    stage.failVisible("The page crashed.");
    const { showing, verdict } = director.status() ?? {};
    expect([showing?.name, verdict]).toEqual(["A", null]);
  });

  it("[V2-148] is reported as a fault when it changes, not while it lasts", async () => {
    const running = await startDirectorWith("A", "B");
    const { stage, faults } = running;
    for (const verdict of ["verified", "frozen", "frozen", "frozen"] as const)
      stage.see(verdict);
    await flushPromises();
    expect(faults.map(({ reason }) => reason)).toEqual([
      "The picture on the screen is frozen.",
    ]);
    // A frozen image may be intended; it stays.
    expect(running.visible()).toBe("A");
  });

  it("[V2-149] skips a showing that was not visible three times in a row", async () => {
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
    expect(problemOf(running, "A")).toBe("The screen is blank.");
    // Blank, wrong, blank again, and skipped.
    expect(faults).toHaveLength(4);
  });

  it("[V2-650] keeps a showing that only the display or the graphics fail to show, and reports that once", async () => {
    const running = await startDirectorWith("A", "B");
    const { stage, faults } = running;
    for (let attempt = 0; attempt < 10; attempt += 1)
      stage.see("blank", 0, 0, true);
    await flushPromises();
    expect(running.visible()).toBe("A");
    expect(problemOf(running, "A")).toBeNull();
    expect(faults.map(({ reason }) => reason)).toEqual([
      "The screen is blank.",
    ]);
  });

  it("[V2-149] keeps a showing, and a takeover, while another window covers it, and reports that once", async () => {
    const running = await startDirectorWith("A", "B");
    const { stage, faults } = running;
    for (let attempt = 0; attempt < 10; attempt += 1) stage.see("wrong");
    await flushPromises();
    expect(running.visible()).toBe("A");
    expect(problemOf(running, "A")).toBeNull();
    expect(faults.map(({ reason }) => reason)).toEqual([
      "The screen shows something else.",
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

  it("[V2-380] stays covered from showing to showing until a comparison succeeds; it is reported once", async () => {
    const running = await startDirectorWith("A", "B");
    const { stage, faults, director, clock } = running;
    const since = clock.now();
    stage.see("wrong", since);
    for (let showings = 0; showings < 4; showings += 1) {
      const before = running.visible();
      await clock.advance(10_000);
      expect(running.visible()).not.toBe(before);
      // No comparison of this showing yet.
      expect(director.status()).toMatchObject({
        verdict: { verdict: "wrong", since },
        coveredSinceMs: since,
      });
      stage.see("wrong", clock.now());
      expect(director.status()?.verdict?.since).toBe(since);
    }
    expect(faults.map(({ reason, isCover }) => [reason, isCover])).toEqual([
      ["The screen shows something else.", true],
    ]);
    stage.see("verified", clock.now());
    expect(director.status()).toMatchObject({
      verdict: { verdict: "verified", since: clock.now() },
      coveredSinceMs: null,
    });
    await clock.advance(10_000);
    expect(director.status()?.verdict).toBeNull();
  });

  it("[V2-149] of the idle screen changes nothing but what is reported", async () => {
    const { stage, faults, visible } = await startDirector();
    for (let attempt = 0; attempt < 10; attempt += 1) stage.see("blank");
    await flushPromises();
    expect([visible(), stage.shown.length, faults.length]).toEqual([
      ...["card", 1, 1],
    ]);
  });

  it("[V2-149][V2-600] restarts a text takeover that was not visible, then suspends it for ten seconds: the lineup is worth more than nothing", async () => {
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
    expect(director.takeoverProblem()).toBe("The screen is blank.");
    await clock.advance(10_000);
    expect(running.visible()).toBe("x");
  });
});
