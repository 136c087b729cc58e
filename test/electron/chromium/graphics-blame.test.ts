// Which page hangs or crashes the graphics process: the evidence, step by step and in random sequences.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  blameWindowMs,
  noGraphicsBlame,
  stepGraphicsBlame,
  type GraphicsBlame,
  type GraphicsBlameEvent,
  type GraphicsSuspect,
} from "../../../electron/chromium/graphics-blame.ts";

const minuteMs = 60_000;

/** A crash: what was closed before is not concerned. */
type Loss = readonly [atMs: number, open: readonly string[]];

/** What each loss leads to. */
function suspectsOf(losses: readonly Loss[]): (GraphicsSuspect | null)[] {
  let state: GraphicsBlame = noGraphicsBlame;
  return losses.map(([atMs, open]) => {
    const event: GraphicsBlameEvent = { kind: "lost", open, sinceMs: atMs };
    const step = stepGraphicsBlame(state, event, atMs);
    state = step.state;
    return step.suspect;
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
        [1, []],
        [2, ["a"]],
        [3, ["a"]],
      ]),
    ).toEqual([null, null, null, proven("a")]);
  });

  it("not while another one was up both times, too: they rest one after the other, the newest first", () => {
    const both = ["a", "b"];
    expect(
      suspectsOf([
        [0, both],
        [1, both],
        [2, both],
        [3, both],
        [4, ["a"]],
      ]),
    ).toEqual([null, resting("b"), resting("a"), resting("b"), proven("a")]);
  });

  it("anew only after two further losses, and what it explains counts against nothing else", () => {
    expect(
      suspectsOf([
        [0, ["a", "b"]],
        [1, ["a"]],
        [2, ["b"]],
        [3, ["a"]],
        [4, ["a"]],
      ]),
    ).toEqual([null, proven("a"), null, null, proven("a")]);
  });

  it("although it was closed while the process hung, but not when it was closed before", () => {
    const closedAt = (closedMs: number) => {
      const [firstMs, secondMs] = [10_000, 20_000];
      let state: GraphicsBlame = noGraphicsBlame;
      const suspects: (GraphicsSuspect | null)[] = [];
      for (const lostMs of [firstMs, secondMs]) {
        state = stepGraphicsBlame(
          state,
          { kind: "closed", page: "a" },
          lostMs - closedMs,
        ).state;
        const step = stepGraphicsBlame(
          state,
          { kind: "lost", open: [], sinceMs: lostMs - 8000 },
          lostMs,
        );
        state = step.state;
        suspects.push(step.suspect);
      }
      return suspects;
    };
    expect(closedAt(8000)).toEqual([null, proven("a")]);
    expect(closedAt(8001)).toEqual([null, null]);
  });

  const anyPages = fc.uniqueArray(fc.constantFrom(..."abcd"), { maxLength: 3 });
  const anyLosses = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 5 * minuteMs }), anyPages),
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

  it("soon, in any round of pages, and never another one: the process is lost each time the guilty page is opened", () => {
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
        let state: GraphicsBlame = noGraphicsBlame;
        let [losses, at, nowMs] = [0, 0, 0];
        for (; losses < 12; at += 1) {
          nowMs += seconds * 1000;
          const due = lineup.filter(
            (page) => page === null || (restUntil.get(page) ?? 0) <= nowMs,
          );
          if (due.length === 0) continue;
          const up = [due[at % due.length], due[(at + 1) % due.length]].filter(
            (page) => typeof page === "string",
          );
          if (!up.includes(guilty)) continue;
          losses += 1;
          const step = stepGraphicsBlame(
            state,
            { kind: "lost", open: up, sinceMs: nowMs },
            nowMs,
          );
          state = step.state;
          if (step.suspect?.isProven) {
            expect(step.suspect.page).toBe(guilty);
            return;
          }
          if (step.suspect) restUntil.set(step.suspect.page, nowMs + minuteMs);
        }
        expect.unreachable("nothing was blamed");
      }),
      { seed: 735, numRuns: 500 },
    );
  });
});
