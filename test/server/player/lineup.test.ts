// What the lineup makes of playlists on the screen: exact schedule boundaries, priority, rounds, interrupted showings.

import { describe, expect, it } from "vitest";
import type { RunningDirector } from "../../support/player/start-director.ts";
import { startDirector } from "../../support/player/start-director.ts";
import { manualClock, flushPromises } from "../../support/clock.ts";

const hourMs = 3_600_000;
/** Time since midnight, as the predicate's $TIME has it. */
const fromTo = (from: number, to: number): string =>
  `$TIME >= ${from} AND $TIME < ${to}`;

/** Library changes are processed in the next turn of the event loop. */
async function flushChanges({ clock }: RunningDirector): Promise<void> {
  await flushPromises();
  await clock.advance(0);
}

const shownSince = ({ stage }: RunningDirector, from: number): string[] =>
  stage.shown.slice(from);

describe("at a schedule boundary, the director", () => {
  it("[V2-142] swaps on the exact millisecond, with the next showing already prepared", async () => {
    const running = await startDirector();
    const { addItem, addPlaylist, clock, stage, visible } = running;
    addPlaylist("morning", [addItem("A", { durationSeconds: hourMs })], {
      predicate: fromTo(0, hourMs),
    });
    addPlaylist("noon", [addItem("N")], { predicate: `$TIME >= ${hourMs}` });
    await flushChanges(running);
    await clock.advance(hourMs - 4001);
    expect(stage.prepared()).toBeNull();
    await clock.advance(2);
    expect([visible(), stage.prepared()?.name]).toEqual(["A", "N"]);
    await clock.advance(3998);
    expect(visible()).toBe("A");
    await clock.advance(1);
    expect(visible()).toBe("N");
  });

  it("[V2-142] keeps the showing before it, and prepares for the boundary when that has ended", async () => {
    const running = await startDirector();
    const { add, addItem, addPlaylist, clock, stage, visible } = running;
    add("A");
    add("B");
    addPlaylist("noon", [addItem("N")], {
      ...{ predicate: `$TIME >= 12000`, priority: 1 },
    });
    await flushChanges(running);
    await clock.advance(9000);
    // A ends before the boundary: B comes next.
    expect([visible(), stage.prepared()?.name]).toEqual(["A", "B"]);
    await clock.advance(1000);
    expect([visible(), stage.prepared()?.name]).toEqual(["B", "N"]);
    await clock.advance(2000);
    expect(visible()).toBe("N");
  });

  it("[V2-142] has the showing after the boundary ready when the current one ends just after it", async () => {
    const running = await startDirector();
    const { add, addItem, addPlaylist, clock, stage, visible } = running;
    add("A");
    addPlaylist("later", [addItem("L")], { predicate: "$TIME >= 9000" });
    add("B", { endsAt: clock.now() + 9000 });
    await flushChanges(running);
    expect(stage.prepared()?.name).toBe("B");
    await clock.advance(8999);
    expect([visible(), stage.prepared()?.name]).toEqual(["A", "L"]);
    await clock.advance(1001);
    expect(visible()).toBe("L");
  });

  it("[V2-862] goes by the machine's new time zone within a second, though no setting has changed; the idle screen shows its time", async () => {
    let zone = "UTC";
    const running = await startDirector({ zone: () => zone });
    const { addItem, addPlaylist, clock, stage, visible } = running;
    addPlaylist("nine", [addItem("N", { durationSeconds: hourMs })], {
      predicate: fromTo(9 * hourMs, 10 * hourMs),
    });
    await flushChanges(running);
    await clock.advance(60_000);
    expect(stage.visible()?.content).toMatchObject({ kind: "card" });
    // Midnight UTC is nine o'clock there.
    zone = "Asia/Tokyo";
    await clock.advance(1000);
    expect(visible()).toBe("N");
    zone = "Europe/Berlin";
    await clock.advance(1000);
    expect(stage.visible()?.content).toMatchObject({
      idleScreen: { zone: "Europe/Berlin" },
    });
    // Nine o'clock there, too: no edge of the zones before remains.
    await clock.advance(8 * hourMs - 62_000 - 1);
    expect(stage.visible()?.content.kind).toBe("card");
    await clock.advance(1);
    expect(visible()).toBe("N");
  });

  it("[V2-142] is on time for a boundary announced just before it", async () => {
    const running = await startDirector();
    const { add, takeovers, clock, visible } = running;
    add("A", { endsAt: clock.now() + 700 });
    await flushChanges(running);
    add("B", { startsAt: clock.now() + 300, endsAt: clock.now() + 800 });
    await flushChanges(running);
    await clock.advance(699);
    expect(visible()).toBe("A");
    await clock.advance(1);
    expect(visible()).toBe("B");
    takeovers.begin({
      ...{ shown: { kind: "text", text: "x" }, reason: null },
      until: clock.now() + 33,
    });
    await flushChanges(running);
    await clock.advance(32);
    expect(visible()).toBe("x");
    await clock.advance(1);
    expect(visible()).toBe("B");
  });

  it("waits for the boundary without a hot loop, though the visible showing cannot continue", async () => {
    const clock = manualClock();
    let timers = 0;
    const counted = {
      ...clock,
      after: (ms: number, callback: () => void) => {
        timers += 1;
        return clock.after(ms, callback);
      },
    };
    const running = await startDirector({ clock: counted });
    running.stage.stall("B");
    running.add("A");
    running.add("B");
    running.add("C", { startsAt: clock.now() + 14_000 });
    await flushChanges(running);
    await clock.advance(10_000);
    timers = 0;
    await clock.advance(3_900);
    expect(timers).toBeLessThan(30);
  });

  it("switches to the idle screen, prepared as well, and back from it", async () => {
    const running = await startDirector();
    const { addItem, addPlaylist, clock, stage, visible } = running;
    addPlaylist("day", [addItem("D")], {
      predicate: "$TIME < 10000 OR $TIME >= 20000",
    });
    await flushChanges(running);
    await clock.advance(9999);
    expect(stage.prepared()?.content.kind).toBe("card");
    await clock.advance(1);
    expect(visible()).toBe("card");
    await clock.advance(9999);
    expect([visible(), stage.prepared()?.name]).toEqual(["card", "D"]);
    await clock.advance(1);
    expect(visible()).toBe("D");
  });

  it("handles a boundary a year ahead, and notices within a second when the clock jumps to it", async () => {
    const running = await startDirector();
    const { add, clock, visible } = running;
    const dayMs = 86_400_000;
    add("A", { durationSeconds: 600 });
    add("B", { endsAt: clock.now() + 10 });
    add("C", { startsAt: clock.now() + 365 * dayMs, durationSeconds: 600 });
    await flushChanges(running);
    clock.jumpTo(clock.now() + 365 * dayMs);
    await clock.advance(1000);
    // A is still due, so it stays; C comes next.
    expect(visible()).toBe("A");
    expect(running.director.next()?.name).toBe("C");
    clock.jumpTo(clock.now() - 365 * dayMs);
    await clock.advance(1000);
    expect(running.director.next()?.name).not.toBe("C");
  });

  it.each([
    { name: "an hour forward", by: hourMs },
    { name: "a day forward", by: 24 * hourMs },
    { name: "an hour back", by: -hourMs },
    { name: "a day back", by: -24 * hourMs },
  ])(
    "re-evaluates the schedule within a second when the clock jumps $name",
    async ({ by }) => {
      const running = await startDirector();
      const { add, clock, visible } = running;
      const now = clock.now();
      const around = { startsAt: now - 1800_000, endsAt: now + 1800_000 };
      add("A", { ...around, durationSeconds: 86_400 });
      const there = now + by;
      add("B", {
        ...{ startsAt: there - 1800_000, endsAt: there + 1800_000 },
        durationSeconds: 86_400,
      });
      await flushChanges(running);
      expect(visible()).toBe("A");
      await clock.advance(5000);
      clock.jumpTo(there);
      await clock.advance(1000);
      expect(visible()).toBe("B");
    },
  );
});

describe("with a playlist of higher priority, the director", () => {
  it("[V2-143] interrupts at once and later restarts the interrupted showing", async () => {
    const running = await startDirector();
    const { add, addItem, addPlaylist, playlists, clock, visible } = running;
    for (const name of ["A", "B", "C"]) add(name);
    await flushChanges(running);
    await clock.advance(14_000);
    expect(visible()).toBe("B");
    const { id } = addPlaylist("alert", [addItem("X"), addItem("Y")], {
      priority: 5,
    });
    await flushChanges(running);
    expect(visible()).toBe("X");
    await clock.advance(12_000);
    expect(visible()).toBe("Y");
    playlists.change(id, { isEnabled: false });
    await flushChanges(running);
    expect(visible()).toBe("B");
    await clock.advance(9_999);
    expect(visible()).toBe("B");
    await clock.advance(1);
    expect(visible()).toBe("C");
  });

  it("[V2-143] resumes through every level that was interrupted", async () => {
    const running = await startDirector();
    const { add, addItem, addPlaylist, clock, visible } = running;
    add("A");
    add("B");
    const items = (...names: string[]) => names.map((name) => addItem(name));
    addPlaylist("one", items("P", "Q"), {
      ...{ priority: 1, predicate: fromTo(15_000, 60_000) },
    });
    addPlaylist("two", items("X", "Y"), {
      ...{ priority: 2, predicate: fromTo(28_000, 41_000) },
    });
    await flushChanges(running);
    const seen: (string | undefined)[] = [];
    for (let second = 0; second < 72; second += 1) {
      if (seen.at(-1) !== visible()) seen.push(visible());
      await clock.advance(1000);
    }
    // B and Q were interrupted and restart.
    expect(seen.join("")).toBe("ABPQXYQPBA");
  });

  it("[V2-143] resumes after the interrupted showing when that has been removed meanwhile", async () => {
    const running = await startDirector();
    const { add, addItem, addPlaylist, playlists, clock, visible } = running;
    const [, b] = ["A", "B", "C"].map((name) => add(name));
    await flushChanges(running);
    await clock.advance(14_000);
    const { id } = addPlaylist("alert", [addItem("X")], { priority: 5 });
    await flushChanges(running);
    if (b) running.remove(b);
    playlists.remove(id);
    await flushChanges(running);
    expect(visible()).toBe("C");
  });
});

describe("after the idle screen, the director", () => {
  it("[V2-143] resumes with the interrupted showing, or from the start when that has been removed", async () => {
    const running = await startDirector();
    const { add, library, clock, stage, visible } = running;
    const all = ["A", "B", "C"].map((name) => add(name));
    await flushChanges(running);
    await clock.advance(14_000);
    expect(visible()).toBe("B");
    for (const { id } of all) library.change(id, { isEnabled: false });
    await flushChanges(running);
    expect(visible()).toBe("card");
    for (const { id } of all) library.change(id, { isEnabled: true });
    await flushChanges(running);
    expect(visible()).toBe("B");
    for (const asset of all) running.remove(asset);
    await flushChanges(running);
    expect(visible()).toBe("card");
    for (const name of ["D", "E", "F"]) add(name);
    await flushChanges(running);
    expect(visible()).toBe("D");
    await clock.advance(20_000);
    expect(stage.shown.slice(-3).join("")).toBe("DEF");
  });
});

describe("over several rounds, the director", () => {
  it("plays each of several playlists completely, in order of creation", async () => {
    const running = await startDirector();
    const { add, addItem, addPlaylist, clock, stage } = running;
    const from = stage.shown.length;
    addPlaylist("one", [addItem("P"), addItem("Q")]);
    addPlaylist("two", [addItem("X"), addItem("Y")]);
    add("A");
    await flushChanges(running);
    await clock.advance(55_000);
    expect(shownSince(running, from).join("")).toBe("APQXYA");
  });

  it("plays an asset as often as its playlist lists it, each time for that item's duration", async () => {
    const running = await startDirector();
    const { addItem, addPlaylist, clock, stage } = running;
    const [a, b] = [addItem("A"), addItem("B")];
    const from = stage.shown.length;
    addPlaylist("menu", [], {
      items: [
        { assetId: a.id, durationSeconds: 3 },
        { assetId: b.id, durationSeconds: null },
        { assetId: a.id, durationSeconds: 5 },
        { assetId: b.id, durationSeconds: 2 },
      ],
    });
    await flushChanges(running);
    const times: number[] = [];
    running.director.onShowing(() => times.push(clock.monotonic()));
    await clock.advance(23_000);
    expect(shownSince(running, from).join("")).toBe("ABABAB");
    expect(times).toEqual([3_000, 13_000, 18_000, 20_000, 23_000]);
  });

  it("[V2-351] restarts a video, to its own end, when its item no longer has a duration", async () => {
    const running = await startDirector();
    const { addItem, addPlaylist, playlists, clock, stage } = running;
    const film = addItem("F", { mimetype: "audio/mpeg", durationSeconds: 0 });
    const items = (durationSeconds: number | null) => [
      { assetId: film.id, durationSeconds },
      { assetId: other.id, durationSeconds: 10 },
    ];
    const other = addItem("A");
    const { id } = addPlaylist("films", [], { items: items(30) });
    await flushChanges(running);
    await clock.advance(5000);
    expect(stage.visible()?.content).toMatchObject({ loop: true });
    playlists.change(id, { items: items(20) });
    await flushChanges(running);
    expect(stage.shown.slice(-2)).toEqual(["card", "F"]);
    playlists.change(id, { items: items(null) });
    await flushChanges(running);
    expect(stage.visible()).toMatchObject({
      ...{ name: "F", content: { loop: false }, durationSeconds: null },
    });
    stage.end();
    await flushChanges(running);
    expect(running.visible()).toBe("A");
  });

  it("[V2-144] shuffles each round as a whole, without a repeat between rounds", async () => {
    const running = await startDirector({ random: () => 0.123 });
    const { add, settings, clock, stage } = running;
    const names = ["A", "B", "C", "D", "E"];
    for (const name of names) add(name);
    settings.change({ shufflePlaylist: true });
    await flushChanges(running);
    await clock.advance(10_000 * 40);
    const shown = stage.shown.slice(stage.shown.indexOf("card") + 1);
    shown.forEach((name, index) => expect(shown[index + 1]).not.toBe(name));
    // The first showing was chosen before the order was known.
    const rounds = new Set<string>();
    for (let at = 10; at + 5 <= shown.length; at += 5) {
      const round = shown.slice(at, at + 5);
      expect(round.toSorted()).toEqual(names);
      rounds.add(round.join(""));
    }
    expect(rounds.size).toBeGreaterThan(3);
  });

  it("[V2-144] shuffles by the playlist's own option before the setting, and keeps the order when a name changes", async () => {
    const running = await startDirector({ random: () => 0.7 });
    const { addItem, addPlaylist, library, clock, stage, director } = running;
    const items = ["A", "B", "C", "D", "E", "F"].map((name) => addItem(name));
    addPlaylist("shuffled", items, { isShuffled: true });
    await flushChanges(running);
    await clock.advance(50_000);
    const first = stage.shown.slice(-6);
    expect(first.toSorted().join("")).toBe("ABCDEF");
    expect(first.join("")).not.toBe("ABCDEF");
    const next = director.next()?.name;
    const [a] = items;
    if (a) library.change(a.id, { name: "a" });
    await flushChanges(running);
    expect(director.next()?.name.toUpperCase()).toBe(next);
  });
});
