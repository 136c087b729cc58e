// Quarantine: a showing that keeps failing is set aside, and never retried in a hot loop.

import { describe, expect, it } from "vitest";
import { flushPromises } from "../../support/clock.ts";
import {
  idOf,
  problemOf,
  startDirector,
  startDirectorWith,
} from "../../support/player/start-director.ts";

const minuteMs = 60_000;

describe("a showing that cannot be prepared", () => {
  it("[V2-23] [V2-140] is retried after a minute, twice, then quarantined, with the reason and the next try on the asset", async () => {
    const running = await startDirector();
    const { add, stage, clock, logged } = running;
    stage.fail("B", "It is no image.");
    for (const name of ["A", "B"]) add(name);
    await flushPromises();
    expect(problemOf(running, "B")).toBe("It is no image.");
    await clock.advance(2 * minuteMs);
    // What is due after a pause is prepared up to four seconds before its end.
    expect(problemOf(running, "B")).toMatch(
      /^It is no image. It has failed 3 times. Next try at 2026-01-01T00:0[67]:\d\dZ.$/,
    );
    const failures = logged.filter(({ event }) => /failed|quarant/.test(event));
    expect(failures.map(({ event }) => event)).toEqual([
      ...["showing.failed", "showing.failed", "asset.quarantined"],
    ]);
    expect(running.faults).toHaveLength(3);
  });

  it("[V2-140] stays in quarantine when the library changes, and leaves it when its content changes", async () => {
    const running = await startDirector();
    const { add, library, stage, clock } = running;
    stage.fail("B", "It is no image.");
    add("A");
    const b = add("B");
    await flushPromises();
    await clock.advance(2 * minuteMs + 500);
    const tries = running.faults.length;
    library.change(b.id, { durationSeconds: 7 });
    add("C");
    await flushPromises();
    await clock.advance(2 * minuteMs);
    expect(running.faults).toHaveLength(tries);
    stage.heal("B");
    library.change(b.id, { noCache: true });
    await flushPromises();
    await clock.advance(30_000);
    expect(stage.shown).toContain("B");
    expect(problemOf(running, "B")).toBeNull();
  });

  it("[V2-140] has its failures reset once it has played for its whole duration, not when it merely appeared", async () => {
    const running = await startDirectorWith("A", "B");
    const { stage, clock } = running;
    // It always appears, and always breaks.
    for (let round = 0; round < 3; round += 1) {
      while (running.visible() !== "B") await clock.advance(1000);
      stage.failVisible("It stalled.");
      await flushPromises();
    }
    expect(problemOf(running, "B")).toContain("It has failed 3 times");
    await clock.advance(5 * minuteMs);
    while (running.visible() !== "B") await clock.advance(1000);
    await clock.advance(10_000);
    stage.failVisible("It stalled.");
    expect(running.visible()).toBe("A");
    // Once it has played, the count starts from zero.
    while (running.visible() !== "B") await clock.advance(1000);
    stage.failVisible("It stalled.");
    await flushPromises();
    expect(problemOf(running, "B")).toBe("It stalled.");
  });

  it("[V2-140] leaves the idle screen when every asset fails, without a hot retry loop", async () => {
    const running = await startDirector();
    const { add, stage, clock, visible } = running;
    for (const name of ["A", "B", "C"]) {
      stage.fail(name, "broken");
      add(name);
    }
    await flushPromises();
    await clock.advance(60 * minuteMs);
    expect(visible()).toBe("card");
    // 0, 1, 2, 7 and 37 minutes, three of each.
    expect(running.faults).toHaveLength(15);
  });

  it("lets a playlist of lower priority play while every asset of the higher one is quarantined", async () => {
    const running = await startDirector();
    const { add, addItem, addPlaylist, stage, clock, visible } = running;
    add("A");
    stage.fail("X", "broken");
    addPlaylist("alert", [addItem("X")], { priority: 3 });
    await flushPromises();
    expect(visible()).toBe("A");
    stage.heal("X");
    await clock.advance(minuteMs);
    expect(visible()).toBe("X");
  });

  it("[V2-141] and hangs is skipped within three seconds each round, and quarantined the third time", async () => {
    const running = await startDirector();
    const { add, stage, clock } = running;
    stage.stall("B");
    for (const name of ["A", "B", "C"]) add(name);
    await flushPromises();
    await clock.advance(13_000);
    expect(running.visible()).toBe("C");
    expect(problemOf(running, "B")).toBeNull();
    await clock.advance(2 * 23_000);
    expect(problemOf(running, "B")).toContain(
      "The asset did not load in time.",
    );
    const from = stage.shown.length;
    await clock.advance(60_000);
    // Without it nothing is waiting any more.
    expect(stage.shown.slice(from)).toHaveLength(6);
  });
});

describe("a showing that hangs behind another one that hangs", () => {
  it("[V2-412] is skipped without counting a failure, as long as nothing has been ready since", async () => {
    const running = await startDirector();
    const { add, stage, clock, visible } = running;
    for (const name of ["B", "C"]) stage.stall(name);
    for (const name of ["A", "B", "C"]) add(name);
    await flushPromises();
    await clock.advance(3 * 16_000 + 10_000);
    expect(problemOf(running, "B")).toContain(
      "The asset did not load in time.",
    );
    expect(problemOf(running, "C")).toBeNull();
    expect(visible()).toBe("A");
  });

  it("[V2-413] does not keep an ended showing on the screen for longer than two late ones are waited for", async () => {
    const running = await startDirectorWith("A");
    const { add, stage, clock, library, visible } = running;
    for (const name of ["B", "C", "D", "E"]) {
      stage.stall(name);
      add(name);
    }
    running.remove(library.assets().find(({ name }) => name === "A")!);
    await clock.advance(5999);
    expect(visible()).toBe("A");
    await clock.advance(1);
    expect(visible()).toBe("card");
  });

  it("[V2-413] leaves no black screen where it is the only showing", async () => {
    const running = await startDirectorWith("A");
    const { stage, clock, visible } = running;
    stage.stall("A");
    stage.restart();
    await clock.advance(3000);
    expect(visible()).toBe("card");
    stage.ready();
    await flushPromises();
    expect(problemOf(running, "A")).toBeNull();
  });
});

describe("of only two showings in the lineup, one that hangs", () => {
  it("[V2-141][V2-352] restarts the other's duration after three seconds, keeps loading meanwhile, and is shown once it is ready", async () => {
    const running = await startDirector();
    const { add, stage, clock, director } = running;
    stage.stall("B");
    for (const name of ["A", "B"]) add(name);
    await flushPromises();
    await clock.advance(13_000);
    expect(director.status()).toMatchObject({ sinceMs: clock.now() });
    const loading = stage.prepared();
    expect(loading?.name).toBe("B");
    await clock.advance(9000);
    expect(stage.prepared()).toBe(loading);
    stage.ready();
    await flushPromises();
    expect(running.visible()).toBe("A");
    await clock.advance(1000);
    expect(running.visible()).toBe("B");
    expect(stage.shown.slice(-2)).toEqual(["A", "B"]);
  });

  it("[V2-141][V2-352] is quarantined the third time, while the other stays", async () => {
    const running = await startDirector();
    const { add, stage, clock } = running;
    stage.stall("B");
    for (const name of ["A", "B"]) add(name);
    await flushPromises();
    await clock.advance(2 * 13_000 + 12_999);
    expect(problemOf(running, "B")).toBeNull();
    await clock.advance(1);
    expect(problemOf(running, "B")).toContain(
      "The asset did not load in time.",
    );
    expect(running.visible()).toBe("A");
    expect(running.director.next()?.name).toBe("A");
  });

  it("[V2-352] restarts the other when that plays to its own end", async () => {
    const running = await startDirector();
    const { add, stage, clock } = running;
    stage.stall("B");
    add("V", { mimetype: "application/pdf" });
    add("B");
    await flushPromises();
    const before = stage.visible()?.id;
    stage.end();
    await clock.advance(2999);
    expect(stage.visible()?.id).toBe(before);
    await clock.advance(1);
    expect(stage.visible()).toMatchObject({ name: "V" });
    expect(stage.visible()?.id).not.toBe(before);
    expect(stage.prepared()?.name).toBe("B");
  });
});

describe("a lost stage", () => {
  it("[V2-141][V2-410] restores the same showing once, shows others first the second time, and quarantines it when lost with it alone again", async () => {
    const running = await startDirectorWith("A", "B");
    const { stage, clock, visible } = running;
    stage.restart();
    await flushPromises();
    expect(visible()).toBe("A");
    stage.restart();
    await flushPromises();
    expect(visible()).toBe("B");
    expect([problemOf(running, "A"), running.faults]).toEqual([null, []]);
    while (visible() !== "A") await clock.advance(1000);
    stage.restart();
    await flushPromises();
    expect(visible()).toBe("B");
    expect(problemOf(running, "A")).toContain(
      "The playback window's process ended while the asset was loading or playing.",
    );
    await clock.advance(30_000);
    expect(visible()).toBe("B");
    await clock.advance(5 * minuteMs);
    expect(stage.shown.slice(-3)).toContain("A");
  });

  it("[V2-410] counts against nothing when lost again and again with varying showings", async () => {
    const running = await startDirectorWith("A", "B", "C");
    const { stage, clock, library, faults } = running;
    for (let loss = 0; loss < 40; loss += 1) {
      stage.restart();
      await clock.advance(13_700);
      expect(running.visible()).toMatch(/[ABC]/);
    }
    expect(faults).toEqual([]);
    expect(library.assets().map(({ problem }) => problem)).toEqual([
      ...[null, null, null],
    ]);
  });

  it("[V2-410] with the only showing there is, twice, shows the idle screen for ten seconds", async () => {
    const running = await startDirectorWith("A");
    const { stage, clock, visible } = running;
    for (let loss = 0; loss < 2; loss += 1) {
      expect(visible()).toBe("A");
      stage.restart();
      await flushPromises();
    }
    expect(visible()).toBe("card");
    await clock.advance(10_000);
    expect(visible()).toBe("A");
    expect(running.faults).toEqual([]);
  });

  it.each([
    { kind: "text", text: "Leave by the stairs" },
    { kind: "blank" },
  ] as const)(
    "[V2-410] with a $kind that has the screen, however often, restores it and counts no failure",
    async (shown) => {
      const running = await startDirectorWith("A", "B");
      const { stage, clock, takeovers, director, visible } = running;
      const { id } = takeovers.begin({ shown, until: null, reason: null });
      await flushPromises();
      for (let loss = 0; loss < 10; loss += 1) {
        stage.restart();
        await flushPromises();
        expect(director.status()?.takeoverId).toBe(id);
      }
      const up = visible();
      await clock.advance(minuteMs);
      expect([visible(), director.takeoverProblem()]).toEqual([up, null]);
      expect(running.faults).toEqual([]);
    },
  );

  it("[V2-410] with a page or an asset that has the screen plays the lineup for ten seconds at the second loss since it was visible, and counts no failure", async () => {
    const running = await startDirectorWith("A", "B");
    const { stage, clock, takeovers, director, faults } = running;
    for (const shown of [
      { kind: "page", url: "https://example.org/" },
      { kind: "asset", assetId: idOf(running, "A") },
    ] as const) {
      const { id } = takeovers.begin({ shown, until: null, reason: null });
      await flushPromises();
      for (let loss = 0; loss < 10; loss += 1) {
        stage.see("verified");
        stage.restart();
        await flushPromises();
        expect(director.status()?.takeoverId).toBe(id);
      }
      stage.restart();
      await flushPromises();
      expect(director.status()?.takeoverId).toBeNull();
      await clock.advance(10_000);
      expect(director.status()?.takeoverId).toBe(id);
      expect([director.takeoverProblem(), faults]).toEqual([null, []]);
      expect(problemOf(running, "A")).toBeNull();
    }
  });

  it("[V2-411] or unresponsive one takes back failures counted against anything shortly before", async () => {
    const running = await startDirector();
    const { add, stage, clock } = running;
    for (const name of ["A", "B", "C"]) add(name);
    await flushPromises();
    stage.failVisible("The asset was not displayed in time.");
    await flushPromises();
    expect(running.visible()).toBe("B");
    await clock.advance(3000);
    stage.disturb("graphics-lost");
    await clock.advance(26_000);
    // Otherwise it would wait for a minute.
    expect(running.visible()).toBe("A");
    expect(problemOf(running, "A")).toBeNull();
  });

  it("[V2-411] or unresponsive one during preparation is not counted as a failed preparation", async () => {
    const running = await startDirector();
    const { add, stage, clock, faults } = running;
    stage.stall("B");
    for (const name of ["A", "B", "C"]) add(name);
    await flushPromises();
    for (let round = 0; round < 4; round += 1) {
      while (stage.prepared()?.name !== "B") await clock.advance(1000);
      await clock.advance(1);
      stage.disturb("stage-silent");
      await clock.advance(20_000);
    }
    expect([faults, problemOf(running, "B")]).toEqual([[], null]);
  });

  it("[V2-353] that takes long to come back counts against nothing that waited for it", async () => {
    const running = await startDirectorWith("A", "B", "C");
    const { library, stage, clock, visible } = running;
    stage.lose();
    // Another showing than the one that was ready comes next.
    running.remove(library.assets().find(({ name }) => name === "B")!);
    await clock.advance(60_000);
    stage.restart();
    await flushPromises();
    expect([visible(), running.faults]).toEqual(["A", []]);
    const events = running.logged.map(({ event }) => event);
    expect(events).not.toContain("showing.late");
  });

  it("[V2-141] is blamed on the showing being loaded at that moment, not on the visible one", async () => {
    const running = await startDirector();
    const { add, stage, clock } = running;
    stage.stall("B");
    for (const name of ["A", "B", "C"]) add(name);
    await flushPromises();
    const prepared = (): string | undefined => stage.prepared()?.name;
    while (problemOf(running, "B") === null) {
      while (prepared() !== "B") await clock.advance(1000);
      stage.restart();
      await flushPromises();
      await flushPromises();
    }
    expect(problemOf(running, "A")).toBeNull();
    expect(problemOf(running, "B")).toContain(
      "The playback window's process ended while the asset was loading or playing.",
    );
    expect(prepared()).toBe("C");
  });
});

describe("while file descriptors are short", () => {
  it("[V2-653] no failure is counted, visible or in preparation: the rest plays, and the showing is retried soon", async () => {
    const running = await startDirectorWith("A", "B", "C");
    const { stage, clock, faults, visible } = running;
    stage.disturb("descriptors-few");
    stage.fail("C", "The page could not be opened.");
    stage.failVisible("It could not be read.");
    await flushPromises();
    expect(visible()).toBe("B");
    await clock.advance(10_000);
    expect(["A", "B"]).toContain(visible());
    stage.heal("C");
    await clock.advance(20_000);
    expect(stage.shown).toContain("C");
    expect(stage.shown.filter((name) => name === "A").length).toBeGreaterThan(
      1,
    );
    expect(faults).toEqual([]);
    for (const name of ["A", "B", "C"])
      expect(problemOf(running, name)).toBeNull();
  });

  it("[V2-653] a failure half a minute later counts as usual", async () => {
    const running = await startDirectorWith("A", "B", "C");
    const { stage, clock } = running;
    stage.disturb("descriptors-few");
    await clock.advance(30_000);
    const name = running.visible() ?? "";
    stage.failVisible("It could not be read.");
    await flushPromises();
    expect(problemOf(running, name)).toBe("It could not be read.");
  });
});

describe("events received during a swap", () => {
  it("[V2-350] an end that arrives before a short clip is reported visible advances as if it had come after", async () => {
    const { add, stage, clock, visible } = await startDirector();
    stage.linger("V");
    add("A");
    add("V", { mimetype: "application/pdf" });
    await flushPromises();
    await clock.advance(10_000);
    expect(visible()).toBe("V");
    stage.end();
    stage.arrive();
    await clock.advance(0);
    expect(stage.shown.at(-1)).toBe("A");
  });

  it("[V2-350] a page that breaks before it is reported visible has failed and is replaced at once", async () => {
    const running = await startDirector();
    const { add, stage, clock } = running;
    stage.linger("B");
    for (const name of ["A", "B", "C"]) add(name);
    await flushPromises();
    await clock.advance(10_000);
    stage.failVisible("The page crashed.");
    stage.arrive();
    await clock.advance(0);
    expect(stage.shown.slice(-2)).toEqual(["B", "C"]);
    expect(problemOf(running, "B")).toBe("The page crashed.");
  });

  it("[V2-350] the natural end of a showing that stays, because its successor failed, is not lost", async () => {
    const { add, stage, clock, takeovers, visible } = await startDirector();
    add("V", { mimetype: "application/pdf" });
    add("A");
    await flushPromises();
    const url = "https://example.org/alarm";
    stage.linger(url);
    stage.balk(url, "The page crashed.");
    takeovers.begin({
      ...{ shown: { kind: "page", url }, until: null, reason: null },
    });
    await flushPromises();
    stage.end();
    expect(visible()).toBe("V");
    stage.arrive();
    await clock.advance(0);
    expect(visible()).toBe("A");
  });

  it("of a swap that was under way when the stage was lost, are ignored: the swap started afterwards continues undisturbed", async () => {
    const { add, stage, clock, director } = await startDirector();
    for (const name of ["A", "B"]) {
      stage.linger(name);
      add(name);
    }
    await flushPromises();
    stage.arrive();
    await clock.advance(10_000);
    stage.restart();
    await flushPromises();
    expect(stage.shown.slice(-2)).toEqual(["B", "A"]);
    // Of B, whose stage is gone; A has not been reported visible yet.
    stage.arrive();
    await flushPromises();
    director.step("next");
    await flushPromises();
    expect(stage.shown.at(-1)).toBe("A");
    stage.arrive();
    await flushPromises();
    expect(stage.shown.at(-1)).toBe("B");
  });
});

describe("[V2-735] a page that hung or crashed the graphics process", () => {
  it.each(["visible", "prepared"] as const)(
    "twice while it was %s waits for five minutes, with the reason, whatever else the process is lost with then",
    async (which) => {
      const running = await startDirector();
      const { add, stage, clock, visible } = running;
      for (const name of ["A", "B", "C"]) add(name);
      await flushPromises();
      const [guilty, next] = which === "visible" ? ["A", "B"] : ["B", "C"];
      stage.disturb("graphics-lost");
      stage.blameGraphics(which, true);
      await flushPromises();
      if (which === "prepared") await clock.advance(10_000);
      expect(visible()).toBe(next);
      expect(problemOf(running, guilty)).toMatch(
        /^The graphics process hung or crashed twice while .* Next try at 2026-01-01T00:05:00Z\.$/,
      );
      stage.disturb("graphics-lost");
      const from = stage.shown.length;
      await clock.advance(4 * minuteMs);
      expect(stage.shown.slice(from)).not.toContain(guilty);
      await clock.advance(2 * minuteMs);
      expect(stage.shown.slice(from)).toContain(guilty);
      expect(problemOf(running, guilty)).toBeNull();
    },
  );

  it("only perhaps rests for a minute, without a reason", async () => {
    const running = await startDirectorWith("A", "B");
    const { stage, clock, visible, faults } = running;
    stage.blameGraphics("visible", false);
    await flushPromises();
    expect(visible()).toBe("B");
    await clock.advance(50_000);
    expect(stage.shown.filter((name) => name === "A")).toHaveLength(1);
    await clock.advance(30_000);
    expect(stage.shown.filter((name) => name === "A").length).toBeGreaterThan(
      1,
    );
    expect([faults, problemOf(running, "A")]).toEqual([[], null]);
  });

  it("as a takeover gives the screen to the schedule for a minute, with the reason on the takeover", async () => {
    const running = await startDirectorWith("A");
    const { stage, clock, takeovers, visible, director } = running;
    takeovers.begin({
      shown: { kind: "page", url: "https://example.org/" },
      ...{ until: null, reason: null },
    });
    await flushPromises();
    const shown = visible();
    expect(shown).not.toBe("A");
    stage.blameGraphics("visible", true);
    await flushPromises();
    expect(visible()).toBe("A");
    expect(director.takeoverProblem()).toContain("The graphics process");
    await clock.advance(minuteMs);
    expect(visible()).toBe(shown);
    expect(director.takeoverProblem()).toBeNull();
  });
});
