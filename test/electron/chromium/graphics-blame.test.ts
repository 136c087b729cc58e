// Which page hangs or crashes the graphics process: the evidence, step by step and in random sequences.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  blameWindowMs,
  firstGraphicsBlame,
  stepGraphicsBlame,
  type GraphicsBlame,
  type GraphicsBlameEvent,
  type GraphicsSuspect,
} from "../../../electron/chromium/graphics-blame.ts";

const minuteMs = 60_000;
/** A process that hangs is killed after this. */
const hangMs = 8000;

/** A crash: what was closed before is not concerned. */
type Loss = readonly [atMs: number, open: readonly string[]];

/** A graphics process that has worked for a minute. */
function working() {
  let state: GraphicsBlame = firstGraphicsBlame(-minuteMs);
  return (event: GraphicsBlameEvent, atMs: number): GraphicsSuspect | null => {
    const step = stepGraphicsBlame(state, event, atMs);
    state = step.state;
    return step.suspect;
  };
}

/** What each loss leads to: the process is lost as soon as those pages are opened, and they are closed then. */
function suspectsOf(losses: readonly Loss[]): (GraphicsSuspect | null)[] {
  const note = working();
  return losses.map(([atMs, open]) => {
    for (const page of open) note({ kind: "opened", page }, atMs);
    const suspect = note({ kind: "lost", open, sinceMs: atMs }, atMs);
    for (const page of open) note({ kind: "closed", page }, atMs);
    return suspect;
  });
}

const proven = (page: string) => ({ page, isProven: true });
const resting = (page: string) => ({ page, isProven: false });

describe("[V2-735] a page is blamed for the graphics process", () => {
  it("when it was up both times, and nothing else was", () => {
    expect(
      suspectsOf([
        [0, ["a"]],
        [minuteMs, ["b", "a"]],
      ]),
    ).toEqual([null, proven("a")]);
  });

  it("not for a single loss, nor for two that are more than ten minutes apart", () => {
    expect(
      suspectsOf([
        [0, ["a"]],
        [blameWindowMs, ["a"]],
        [blameWindowMs + 1, ["b"]],
      ]),
    ).toEqual([null, null, null]);
  });

  it("not when the process was lost without any page in between", () => {
    expect(
      suspectsOf([
        [0, ["a"]],
        [1000, []],
        [2000, ["a"]],
        [3000, ["a"]],
      ]),
    ).toEqual([null, null, null, proven("a")]);
  });

  it("not while another one was up both times, too: they rest one after the other, the newest first", () => {
    const both = ["a", "b"];
    expect(
      suspectsOf([
        [0, both],
        [1000, both],
        [2000, both],
        [3000, both],
        [4000, ["a"]],
      ]),
    ).toEqual([null, resting("b"), resting("a"), resting("b"), proven("a")]);
  });

  it("anew only after two further losses, and what it explains counts against nothing else", () => {
    expect(
      suspectsOf([
        [0, ["a", "b"]],
        [1000, ["a"]],
        [2000, ["b"]],
        [3000, ["a"]],
        [4000, ["a"]],
      ]),
    ).toEqual([null, proven("a"), null, null, proven("a")]);
  });

  it("although it was closed while the process hung, but not when it was closed before", () => {
    const closedAt = (closedMs: number) => {
      const note = working();
      return [10_000, 20_000].map((lostMs) => {
        note({ kind: "opened", page: "a" }, lostMs - closedMs);
        note({ kind: "closed", page: "a" }, lostMs - closedMs);
        return note({ kind: "lost", open: [], sinceMs: lostMs - 8000 }, lostMs);
      });
    };
    expect(closedAt(8000)).toEqual([null, proven("a")]);
    expect(closedAt(8001)).toEqual([null, null]);
  });

  const anyPages = fc.uniqueArray(fc.constantFrom(..."abcd"), { maxLength: 3 });
  const anyLosses = fc.array(
    fc.tuple(fc.integer({ min: 1000, max: 5 * minuteMs }), anyPages),
    { maxLength: 60 },
  );

  it("exactly when a naive model finds the evidence, for any sequence of losses", () => {
    fc.assert(
      fc.property(anyLosses, (pauses) => {
        let atMs = 0;
        const losses = pauses.map(([pauseMs, open]): Loss => {
          atMs += pauseMs;
          return [atMs, open];
        });
        const suspects = suspectsOf(losses);
        /** Explained by a page that was blamed, or cleared by a loss without pages. */
        const settled = new Set<Loss>();
        losses.forEach((loss, index) => {
          const [lostMs, open] = loss;
          const before = losses
            .slice(0, index)
            .filter(([beforeMs]) => lostMs - beforeMs < blameWindowMs)
            .filter((one) => !settled.has(one));
          const evidence = new Set(
            before
              .map(([, pages]) => open.filter((page) => pages.includes(page)))
              .filter(({ length }) => length === 1)
              .flat(),
          );
          const suspect = suspects[index] ?? null;
          if (open.length === 0) before.forEach((one) => settled.add(one));
          expect(suspect?.isProven === true).toBe(evidence.size > 0);
          if (!suspect) return;
          expect(open).toContain(suspect.page);
          if (!suspect.isProven) return;
          expect(evidence).toContain(suspect.page);
          for (const one of [...before, loss])
            if (one[1].includes(suspect.page)) settled.add(one);
        });
      }),
      { seed: 735, numRuns: 500 },
    );
  });

  it("[V2-754] not while it is up all the time and the process works with it", () => {
    const note = working();
    note({ kind: "opened", page: "a" }, -minuteMs);
    const lostAt = (atMs: number) =>
      note({ kind: "lost", open: ["a"], sinceMs: atMs }, atMs);
    expect([0, 11, 40, 90, 300].map((second) => lostAt(second * 1000))).toEqual(
      [null, null, null, null, null],
    );
  });

  it("[V2-754] after the process has worked without it, if it is the only one: until then it rests", () => {
    const note = working();
    const lostAt = (atMs: number) =>
      note({ kind: "lost", open: ["a"], sinceMs: atMs }, atMs);
    note({ kind: "opened", page: "a" }, -minuteMs);
    expect([lostAt(0), lostAt(1000)]).toEqual([null, resting("a")]);
    note({ kind: "closed", page: "a" }, 1000);
    note({ kind: "opened", page: "a" }, 1000 + minuteMs);
    expect(lostAt(2000 + minuteMs)).toEqual(proven("a"));
  });

  it("[V2-754] never, in any round of pages, when the process is killed from outside less often than the pages change", () => {
    const kills = fc.array(fc.integer({ min: 11_000, max: 300_000 }), {
      maxLength: 40,
    });
    const round = fc.integer({ min: 1, max: 4 });
    fc.assert(
      fc.property(kills, round, (pauses, count) => {
        const note = working();
        const slotMs = 10_000;
        const nameAt = (slot: number): string => "abcd"[slot % count] ?? "a";
        let [slot, lostMs] = [-1, 0];
        for (const pauseMs of pauses) {
          lostMs += pauseMs;
          // Each page is prepared while the one before is shown.
          for (; (slot + 1) * slotMs <= lostMs; slot += 1) {
            const atMs = (slot + 1) * slotMs;
            note({ kind: "opened", page: nameAt(slot + 1) }, atMs);
            if (slot > 0)
              note({ kind: "closed", page: nameAt(slot - 1) }, atMs);
          }
          const open = [nameAt(slot - 1), nameAt(slot)];
          const suspect = note({ kind: "lost", open, sinceMs: lostMs }, lostMs);
          if (count < 3) expect(suspect?.isProven ?? false).toBe(false);
        }
      }),
      { seed: 754, numRuns: 200 },
    );
  });

  it("[V2-760] not when it is up for a third of the time, and the process is killed from outside twice meanwhile", () => {
    const note = working();
    const suspects: (GraphicsSuspect | null)[] = [];
    for (let atMs = 0; atMs < 2 * minuteMs; atMs += 500) {
      if (atMs % 3000 === 0) note({ kind: "opened", page: "a" }, atMs);
      if (atMs % 3000 === 1000) note({ kind: "closed", page: "a" }, atMs);
      if (atMs === 60_500 || atMs === 90_500)
        suspects.push(note({ kind: "lost", open: ["a"], sinceMs: atMs }, atMs));
    }
    expect(suspects).toHaveLength(2);
    expect(suspects).not.toContainEqual(proven("a"));
  });

  it("soon, in any round of pages, and never another one: the process is lost each time the guilty page is opened, and again while it is up", () => {
    const round = fc
      .uniqueArray(fc.constantFrom(..."abcdefgh"), { minLength: 1 })
      .chain((pages) =>
        fc.record({
          pages: fc.constant(pages),
          guilty: fc.constantFrom(...pages),
          // Something that is no page, in places.
          images: fc.array(fc.nat({ max: pages.length }), { maxLength: 3 }),
          seconds: fc.integer({ min: 5, max: 20 }),
        }),
      );
    fc.assert(
      fc.property(round, ({ pages, guilty, images, seconds }) => {
        const lineup: (string | null)[] = [...pages];
        for (const index of images) lineup.splice(index, 0, null);
        const restUntil = new Map<string, number>();
        const note = working();
        let open: string[] = [];
        let [losses, at, nowMs] = [0, 0, 0];
        const put = (next: readonly string[]): void => {
          for (const page of open)
            if (!next.includes(page)) note({ kind: "closed", page }, nowMs);
          for (const page of next)
            if (!open.includes(page)) note({ kind: "opened", page }, nowMs);
          open = [...next];
        };
        for (; losses < 12; at += 1) {
          nowMs += seconds * 1000;
          const due = lineup.filter(
            (page) => page === null || (restUntil.get(page) ?? 0) <= nowMs,
          );
          const up = [due[at % due.length], due[(at + 1) % due.length]];
          put([...new Set(up.filter((page) => typeof page === "string"))]);
          // It hangs again as soon as the next process draws it, and is killed each time.
          for (let sinceMs = nowMs; open.includes(guilty);) {
            nowMs += hangMs;
            losses += 1;
            const suspect = note({ kind: "lost", open, sinceMs }, nowMs);
            if (suspect?.isProven) {
              expect(suspect.page).toBe(guilty);
              return;
            }
            if (suspect) {
              restUntil.set(suspect.page, nowMs + minuteMs);
              put(open.filter((page) => page !== suspect.page));
            }
            sinceMs = Math.max(sinceMs, nowMs - hangMs);
            if (losses >= 12) break;
          }
        }
        expect.unreachable("nothing was blamed");
      }),
      { seed: 735, numRuns: 500 },
    );
  });
});
