// Takeovers: have the screen at once, release it when they end, and survive a restart.

import { describe, expect, it } from "vitest";
import { flushPromises } from "../../../support/clock.ts";
import {
  startDirector,
  type RunningDirector,
} from "../../../support/player/start-director.ts";
import type { TakeoverInput } from "../../../../server/player/playback/takeover.ts";

const text = (message: string, overrides: Partial<TakeoverInput> = {}) => ({
  ...{ shown: { kind: "text", text: message } as const },
  ...{ reason: null, until: null, ...overrides },
});

async function withThree(): Promise<RunningDirector> {
  const running = await startDirector();
  for (const name of ["A", "B", "C"]) running.add(name);
  await flushPromises();
  await running.clock.advance(14_000);
  expect(running.visible()).toBe("B");
  return running;
}

const fieldsOf = ({ logged }: RunningDirector, event: string): object[] =>
  logged.filter((line) => line.event === event).map((line) => line.logFields);

describe("a takeover", () => {
  it("[V2-150] has the screen at once, then restarts the interrupted showing", async () => {
    const running = await withThree();
    const { takeovers, stage, clock, visible, director } = running;
    takeovers.begin(text("Fire drill"));
    await flushPromises();
    expect(stage.visible()?.content).toEqual({
      ...{ kind: "text", text: "Fire drill" },
    });
    // What follows it stays prepared all the time.
    expect([stage.prepared()?.name, director.next()?.name]).toEqual(["B", "B"]);
    await clock.advance(3_600_000);
    expect(visible()).toBe("Fire drill");
    expect(takeovers.clear()).toBe(true);
    await flushPromises();
    expect(visible()).toBe("B");
    await clock.advance(9_999);
    expect(visible()).toBe("B");
    await clock.advance(1);
    expect(visible()).toBe("C");
  });

  it("[V2-152] ends exactly at its time, with a log entry at its start and its end", async () => {
    const running = await withThree();
    const { takeovers, clock, visible } = running;
    const { id } = takeovers.begin(text("x", { until: clock.now() + 5_500 }));
    await flushPromises();
    await clock.advance(5_499);
    expect(visible()).toBe("x");
    await clock.advance(1);
    expect(visible()).toBe("B");
    expect(takeovers.current()).toBeNull();
    expect(fieldsOf(running, "takeover.started")).toEqual([
      expect.objectContaining({ takeover: id, kind: "text" }),
    ]);
    expect(fieldsOf(running, "takeover.ended")).toEqual([
      expect.objectContaining({ takeover: id, because: "duration reached" }),
    ]);
  });

  it.each([-86_400_000, 86_400_000])(
    "[V2-662] lasts its full duration when the wall clock is set by %i ms meanwhile, and reports its end by the new clock",
    async (jump) => {
      const running = await withThree();
      const { takeovers, clock, visible, director, file } = running;
      takeovers.begin(text("x", { durationMs: 60_000 }));
      await flushPromises();
      await clock.advance(20_000);
      clock.jumpTo(clock.now() + jump);
      await clock.advance(1_000);
      const until = clock.now() + 39_000;
      expect(takeovers.current()?.until).toBe(until);
      expect(director.status()?.untilMs).toBe(until);
      // What a restart would resume.
      const again = await startDirector({ file, clock });
      expect(again.takeovers.current()?.until).toBe(until);
      await clock.advance(38_999);
      expect(visible()).toBe("x");
      await clock.advance(1);
      expect(visible()).toBe("B");
    },
  );

  it("[V2-662] that is a drill ends after a minute, also when the wall clock is set back meanwhile", async () => {
    const { takeovers, clock, visible } = await withThree();
    const until = clock.now() + 600_000;
    takeovers.begin(text("x", { isDrill: true, until }));
    await flushPromises();
    clock.jumpTo(clock.now() - 3_600_000);
    await clock.advance(59_999);
    expect(visible()).toBe("x");
    await clock.advance(1);
    expect(visible()).toBe("B");
  });

  it("[V2-662] with a fixed end ends at it, also when the wall clock is set past it", async () => {
    const { takeovers, clock, visible } = await withThree();
    const until = clock.now() + 600_000;
    takeovers.begin(text("x", { until, durationMs: 3_600_000 }));
    await flushPromises();
    clock.jumpTo(until);
    await clock.advance(1_000);
    expect(visible()).toBe("B");
  });

  it("[V2-152] replaces an earlier one, and still returns to the lineup", async () => {
    const running = await withThree();
    const { takeovers, clock, visible } = running;
    takeovers.begin(text("first", { until: clock.now() + 1000 }));
    await flushPromises();
    takeovers.begin(text("second"));
    await flushPromises();
    expect(visible()).toBe("second");
    await clock.advance(2000);
    expect(visible()).toBe("second");
    takeovers.clear();
    await flushPromises();
    expect(visible()).toBe("B");
  });

  it("[V2-151] shows an asset that is disabled and outside its dates, over any priority, until it ends", async () => {
    const running = await withThree();
    const { add, addItem, addPlaylist, takeovers, clock, visible } = running;
    addPlaylist("alert", [addItem("X")], { priority: 100 });
    const alarm = add("Alarm", { isEnabled: false, endsAt: 1 });
    takeovers.begin({
      ...{ shown: { kind: "asset", assetId: alarm.id } },
      ...{ until: null, reason: "the siren" },
    });
    await flushPromises();
    await clock.advance(600_000);
    expect(visible()).toBe("Alarm");
    // The lineup has changed beneath it.
    takeovers.clear();
    await flushPromises();
    expect(visible()).toBe("X");
  });

  it("[V2-152] ends when its asset is deleted", async () => {
    const running = await withThree();
    const { add, takeovers, visible } = running;
    const alarm = add("Alarm");
    const { id } = takeovers.begin({
      ...{ shown: { kind: "asset", assetId: alarm.id } },
      ...{ until: null, reason: null },
    });
    await flushPromises();
    expect(visible()).toBe("Alarm");
    running.remove(alarm);
    await flushPromises();
    expect(visible()).toBe("B");
    expect(fieldsOf(running, "takeover.ended")).toEqual([
      expect.objectContaining({ takeover: id, because: "asset deleted" }),
    ]);
  });

  it("restarts a showing that ends by itself, as long as it lasts", async () => {
    const running = await withThree();
    const { add, takeovers, stage } = running;
    const pages = add("Plan", { mimetype: "application/pdf" });
    takeovers.begin({
      ...{ shown: { kind: "asset", assetId: pages.id } },
      ...{ until: null, reason: null },
    });
    await flushPromises();
    const before = stage.visible();
    stage.end();
    await flushPromises();
    expect(stage.visible()).toMatchObject({ name: "Plan" });
    expect(stage.visible()?.id).not.toBe(before?.id);
  });

  it("[V2-153] rejects commands meanwhile, and names how to end it", async () => {
    const { takeovers, director, visible } = await withThree();
    takeovers.begin(text("x"));
    for (const command of [
      () => director.step("next"),
      () => director.step("previous"),
    ])
      expect(command).toThrow(/DELETE \/api\/v2\/takeover/);
    await flushPromises();
    expect(visible()).toBe("x");
  });

  it("[V2-154] survives a restart until its end, and is over when that has passed meanwhile", async () => {
    const first = await withThree();
    const { takeovers, clock, file } = first;
    takeovers.begin(text("x", { until: clock.now() + 60_000 }));
    await flushPromises();
    first.director.stop();
    const second = await startDirector({ file, clock });
    expect(second.visible()).toBe("x");
    second.director.stop();
    await clock.advance(60_000);
    const third = await startDirector({ file, clock });
    expect(third.takeovers.current()).toBeNull();
    expect(third.visible()).toBe("A");
  });

  it("[V2-155] that cannot be shown leaves the lineup alone, reports the fault, and is retried", async () => {
    const running = await withThree();
    const { takeovers, stage, clock, faults, director, visible } = running;
    stage.fail("x", "The page's server responded with status 503.");
    takeovers.begin(text("x", { until: clock.now() + 3_600_000 }));
    await flushPromises();
    expect(visible()).toBe("B");
    expect(faults.map(({ name, reason }) => [name, reason])).toEqual([
      ["x", "The page's server responded with status 503."],
    ]);
    expect(director.takeoverProblem()).toBe(
      "The page's server responded with status 503.",
    );
    await clock.advance(6_000);
    expect(visible()).toBe("C");
    director.step("next");
    await flushPromises();
    expect(visible()).toBe("A");
    stage.heal("x");
    await clock.advance(6_000);
    expect(visible()).toBe("x");
    expect(director.takeoverProblem()).toBeNull();
  });

  it.each([text("x"), { ...text("x"), shown: { kind: "blank" } } as const])(
    "[V2-600] of a text, or blank, is retried a second after its first failure and at most every ten seconds, however often it fails; the fault is reported once",
    async (takeover) => {
      const running = await withThree();
      const { takeovers, stage, clock, director, faults } = running;
      const name = takeover.shown.kind === "text" ? "x" : "";
      stage.fail(name, "The stage is out of memory.");
      const { id } = takeovers.begin(takeover);
      await flushPromises();
      await clock.advance(999);
      stage.heal(name);
      await clock.advance(1);
      expect(director.status()?.takeoverId).toBe(id);
      stage.fail(name, "The stage is out of memory.");
      stage.failVisible("The stage is out of memory.");
      // Long enough for any quarantine to begin.
      await clock.advance(10 * 60_000);
      expect(director.status()?.takeoverId).toBeNull();
      expect(director.takeoverProblem()).toBe("The stage is out of memory.");
      expect(faults).toHaveLength(2);
      stage.heal(name);
      await clock.advance(10_000);
      expect(director.status()?.takeoverId).toBe(id);
    },
  );

  it("[V2-600] of a page counts failures from the second on, and only when something else was shown in between", async () => {
    const running = await withThree();
    const { takeovers, stage, clock, faults, director } = running;
    const url = "https://example.org/alarm";
    stage.fail(url, "The page's server responded with status 503.");
    takeovers.begin({
      ...{ shown: { kind: "page", url }, until: null, reason: null },
    });
    await flushPromises();
    const triesIn = async (ms: number): Promise<number> => {
      const before = stage.tried(url);
      await clock.advance(ms);
      return stage.tried(url) - before;
    };
    // Nothing else was tried since: another ten seconds without counting a failure.
    expect(await triesIn(10_000)).toBe(1);
    expect(faults).toHaveLength(1);
    // By now others have been shown, and it fails alone: it waits for a minute.
    expect(await triesIn(59_000)).toBe(0);
    expect(await triesIn(1_000)).toBe(1);
    stage.heal(url);
    await clock.advance(60_000);
    expect(director.status()?.showing.name).toBe(url);
    stage.see("verified", clock.now());
    stage.fail(url, "The page's server responded with status 503.");
    stage.failVisible("The page crashed.");
    await flushPromises();
    expect(await triesIn(10_000)).toBe(1);
  });

  it("[V2-155] that fails to appear leaves the visible showing its duration, and no longer", async () => {
    const { takeovers, stage, clock, visible } = await withThree();
    stage.balk("x", "The asset was not displayed in time.");
    takeovers.begin(text("x"));
    await flushPromises();
    expect(visible()).toBe("B");
    await clock.advance(5_999);
    expect(visible()).toBe("B");
    await clock.advance(1);
    expect(visible()).toBe("C");
  });

  it("[V2-155] that hangs is waited for ten seconds while the visible showing stays; then the lineup continues", async () => {
    const running = await withThree();
    const { takeovers, stage, clock, faults, visible } = running;
    stage.stall("x");
    takeovers.begin(text("x"));
    await flushPromises();
    await clock.advance(9_999);
    expect(visible()).toBe("B");
    await clock.advance(1);
    expect(visible()).toBe("C");
    expect(faults).toHaveLength(1);
  });

  it("[V2-155] that loops and is slow to restart keeps the screen for ten seconds, and does not end itself after three", async () => {
    const running = await withThree();
    const { add, takeovers, stage, clock, faults } = running;
    const pages = add("Plan", { mimetype: "application/pdf" });
    takeovers.begin({
      ...{ shown: { kind: "asset", assetId: pages.id } },
      ...{ until: null, reason: null },
    });
    await flushPromises();
    const before = stage.visible();
    stage.stall("Plan");
    stage.end();
    await clock.advance(9999);
    expect(stage.visible()).toBe(before);
    stage.ready();
    await flushPromises();
    expect(stage.visible()).toMatchObject({ name: "Plan" });
    expect(stage.visible()).not.toBe(before);
    expect(faults).toEqual([]);
  });

  const orders: readonly [
    string,
    (running: RunningDirector) => void,
    string,
  ][] = [
    ["next", ({ director }) => director.step("next"), "C"],
    ["previous", ({ director }) => director.step("previous"), "A"],
    [
      "asset&id",
      ({ director, library }) =>
        director.show(
          library.assets().find(({ name }) => name === "A")?.id ?? "",
        ),
      "A",
    ],
  ];
  it.each(orders)(
    "[V2-370] that ends itself leaves the screen to the command %s given at that moment, also when the interrupted showing is gone",
    async (_order, give, ordered) => {
      const running = await withThree();
      const { takeovers, stage, visible } = running;
      takeovers.begin({
        ...{ shown: { kind: "page", url: "https://example.org/alarm" } },
        ...{ until: null, reason: null },
      });
      await flushPromises();
      stage.linger("B");
      stage.balk("B", "The asset was not displayed in time.");
      stage.failVisible("The page crashed.");
      await flushPromises();
      give(running);
      stage.arrive();
      await flushPromises();
      expect(visible()).toBe(ordered);
    },
  );

  it("[V2-150][V2-141] that ends gives the screen to the next showing when the interrupted one is not ready in time", async () => {
    const running = await withThree();
    const { takeovers, stage, clock, visible } = running;
    takeovers.begin(text("x"));
    await flushPromises();
    // Prepared again, since it becomes another showing after this, and never ready.
    stage.stall("B");
    const b = running.library.assets().find(({ name }) => name === "B");
    running.library.change(b?.id ?? "", { noCache: true });
    await clock.advance(1000);
    takeovers.clear();
    await clock.advance(3000);
    expect(visible()).toBe("C");
  });

  it("[V2-150] does not wait when nothing else is due", async () => {
    const { takeovers, clock, visible } = await startDirector();
    expect(visible()).toBe("card");
    takeovers.begin(text("x", { until: clock.now() + 1000 }));
    await flushPromises();
    expect(visible()).toBe("x");
    await clock.advance(1000);
    expect(visible()).toBe("card");
  });

  it("is restored after the stage was lost", async () => {
    const { takeovers, stage, visible } = await withThree();
    takeovers.begin(text("x"));
    await flushPromises();
    stage.restart();
    await flushPromises();
    expect(visible()).toBe("x");
    takeovers.clear();
    await flushPromises();
    expect(visible()).toBe("B");
  });
});
