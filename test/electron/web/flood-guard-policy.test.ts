// Which page is paused or ended while the main process does not get to its own work.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  firstGuard,
  stepGuard,
  type GuardAct,
  type OpenPage,
} from "../../../electron/web/flood-guard-policy.ts";

interface Moment {
  readonly isBeat: boolean;
  /** CPU seconds that each page uses in one interval. */
  readonly use: readonly number[];
  /** And the main process. */
  readonly mainUse?: number;
}

const intervalMs = 100;
const busy = intervalMs / 1000;

/** The acts at each tick: `pause 1` for the first page. */
function actsAt(
  moments: readonly Moment[],
  { canPause = true, isKnown = true, stepMs = intervalMs } = {},
): readonly string[][] {
  let mainSeconds = isKnown ? 100 : null;
  let state = firstGuard(0, mainSeconds);
  let beat = 0;
  const used = [0, 0];
  const stopped = new Set<number>();
  const gone = new Set<number>();
  return moments.map(({ isBeat, use, mainUse = busy }, at) => {
    if (isBeat) beat += 1;
    if (mainSeconds !== null) mainSeconds += mainUse;
    use.forEach((seconds, page) => {
      if (!stopped.has(page + 1)) used[page] = (used[page] ?? 0) + seconds;
    });
    const pages: OpenPage[] = used
      .map((seconds, page) => ({
        ...{ id: page + 1, processorSeconds: isKnown ? seconds : null },
      }))
      .filter(({ id }) => !gone.has(id));
    const nowMs = (at + 1) * stepMs;
    const tick = { beat, mainSeconds, pages, canPause };
    const step = stepGuard(state, tick, nowMs);
    state = step.state;
    for (const { act, id } of step.acts) {
      if (act === "pause") stopped.add(id);
      else stopped.delete(id);
      if (act === "end") gone.add(id);
    }
    return step.acts.map(({ act, id }) => `${act} ${id}`);
  });
}

const moments = (
  length: number,
  isBeat: boolean,
  use: readonly number[],
): Moment[] => Array.from({ length }, () => ({ isBeat, use }));

describe("[V2-738] while the main process does not beat", () => {
  it("the busiest page is paused, and continues with the next beat", () => {
    const acts = actsAt([
      ...moments(3, true, [0.01, busy]),
      ...moments(8, false, [0.01, busy]),
      ...moments(2, true, [0.01, busy]),
    ]);
    expect(acts.flat()).toEqual(["pause 2", "continue 2"]);
  });

  it("the page that was paused is ended if that does not help, then the next busy one", () => {
    const acts = actsAt(moments(40, false, [busy, busy * 2]));
    expect(acts.flat()).toEqual(["pause 2", "end 2", "end 1"]);
  });

  it("a page that kept it for two seconds of twenty is ended", () => {
    const once = [
      ...moments(5, false, [0, busy]),
      ...moments(2, true, [0, busy]),
    ];
    const acts = actsAt(Array.from({ length: 5 }, () => once).flat()).flat();
    expect(acts.filter((act) => act === "continue 2")).toHaveLength(3);
    expect(acts.at(-1)).toBe("end 2");
  });

  it("short pauses are no reason to end a page before there are sixty of them", () => {
    const once = [
      ...moments(2, false, [0, busy]),
      ...moments(1, true, [0, busy]),
    ];
    const acts = (count: number) =>
      actsAt(Array.from({ length: count }, () => once).flat()).flat();
    expect(acts(59)).not.toContain("end 2");
    expect(acts(60).at(-1)).toBe("end 2");
  });

  it("no page is touched that is not busy: something else is the cause", () => {
    expect(actsAt(moments(50, false, [0, busy / 10])).flat()).toEqual([]);
  });

  it("a page that was opened since the last beat is not charged with what its processes had used before", () => {
    const busyPage = (seconds: number): OpenPage => ({
      ...{ id: 1, processorSeconds: seconds },
    });
    let state = firstGuard(0);
    const acts: string[] = [];
    for (let at = 1; at <= 4; at += 1) {
      const late = at > 1 ? [{ id: 2, processorSeconds: 600 }] : [];
      const pages = [busyPage(at * busy), ...late];
      const tick = { beat: 0, mainSeconds: null, canPause: true, pages };
      const step = stepGuard(state, tick, at * intervalMs);
      state = step.state;
      acts.push(...step.acts.map(({ act, id }) => `${act} ${id}`));
    }
    expect(acts).toEqual(["pause 1"]);
  });

  it("a page that floods it is paused and ended on an overloaded machine, too, where both are slow and the thread is late", () => {
    const slow = moments(20, false, [0, busy]).map((moment) => ({
      ...moment,
      mainUse: busy * 1.5,
    }));
    const acts = actsAt(slow, { stepMs: 2000 });
    expect(acts.flat()).toEqual(["pause 2", "end 2"]);
  });

  it("no page is touched while it gets no processor itself, or was stopped as a whole", () => {
    const starved = moments(20, false, [0, busy]).map((moment) => ({
      ...moment,
      mainUse: 0.004,
    }));
    expect(actsAt(starved, { stepMs: 2000 }).flat()).toEqual([]);
  });

  it("where its usage is unknown, a thread that is as late was stopped itself, which proves nothing", () => {
    const options = { stepMs: 5000, isKnown: false };
    expect(actsAt(moments(20, false, [0, 5]), options).flat()).toEqual([]);
  });

  it("where usage is unknown, the page opened last is ended after three seconds", () => {
    const options = { canPause: false, isKnown: false };
    const acts = actsAt(moments(34, false, [0, 0]), options);
    expect(acts.slice(0, 29).flat()).toEqual([]);
    expect(acts.flat()).toEqual(["end 2"]);
  });
});

it("[V2-738] never leaves a page paused once the main process beats, and acts on no page before it is silent", () => {
  const moment = fc.record({
    isBeat: fc.boolean(),
    use: fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.constant(0)),
  });
  fc.assert(
    fc.property(fc.array(moment, { maxLength: 80 }), (some) => {
      const paused = new Set<string>();
      actsAt(some).forEach((acts, at) => {
        for (const text of acts) {
          const [act, id = ""] = text.split(" ") as [GuardAct, string];
          if (act === "pause") {
            expect(some[at]?.isBeat).toBe(false);
            paused.add(id);
          } else paused.delete(id);
        }
        if (some[at]?.isBeat) expect([...paused]).toEqual([]);
      });
    }),
  );
});
