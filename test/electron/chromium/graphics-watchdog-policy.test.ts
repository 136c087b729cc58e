// GPU process watchdog: pings it, kills it when no screenshot arrives, and switches to software rendering when it keeps ending.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  pingIntervalMs,
  firstGraphics,
  isSilent,
  stepGraphics,
  type GraphicsEffect,
  type GraphicsEvent,
  type GraphicsWatch,
} from "../../../electron/chromium/graphics-watchdog-policy.ts";
import {
  expectPatientKills,
  momentsOf,
} from "../../support/watchdog-moments.ts";

interface Moment {
  readonly atMs: number;
  readonly state: GraphicsWatch;
  readonly effects: readonly GraphicsEffect[];
}

const tickMs = 1000;
const tick = { kind: "tick", isDrawn: true, isStill: false } as const;
const unseen = { kind: "tick", isDrawn: false, isStill: false } as const;

/** Ticks every second; `happens` returns the other events of that second. */
function drive(
  seconds: number,
  happens: (second: number, state: GraphicsWatch) => readonly GraphicsEvent[],
  isSoft = false,
): readonly Moment[] {
  let state = firstGraphics(0, isSoft);
  const moments: Moment[] = [];
  for (let second = 1; second <= seconds; second += 1)
    for (const event of [tick, ...happens(second, state)]) {
      const step = stepGraphics(state, event, second * tickMs);
      state = step.state;
      moments.push({ atMs: second * tickMs, ...step });
    }
  return moments;
}

const answer = ({ question }: GraphicsWatch): GraphicsEvent => ({
  kind: "answered",
  question,
});
const gone = { kind: "gone", reason: "killed" } as const;

describe("[V2-463] the GPU process", () => {
  it("is killed within 15 s of hanging, and later each time that does not help", () => {
    expectPatientKills(drive(300, () => []));
  });

  it("is left alone as long as screenshots arrive, and while nothing of it is visible", () => {
    const answered = drive(300, (_second, state) => [answer(state)]);
    expect(momentsOf(answered, "kill")).toEqual([]);
    expect(momentsOf(answered, "ping").length).toBeGreaterThan(40);
    expect(
      momentsOf(
        drive(300, () => [unseen]),
        "kill",
      ),
    ).toEqual([]);
  });

  it("[V2-676] are asked less often while what is drawn holds still, and at once when something is wanted", () => {
    const asks = (wantedAt: number | null) => {
      let state = firstGraphics(0, false);
      const created: number[] = [];
      for (let atMs = tickMs; atMs <= 60_000; atMs += tickMs) {
        const event =
          atMs === wantedAt
            ? ({ kind: "due" } as const)
            : { ...tick, isStill: true };
        const step = stepGraphics(state, event, atMs);
        state = step.state;
        if (step.effects.length === 0) continue;
        created.push(atMs);
        state = stepGraphics(state, answer(state), atMs).state;
      }
      return created;
    };
    expect(asks(null)).toEqual([15_000, 30_000, 45_000, 60_000]);
    expect(asks(20_000)).toEqual([15_000, 20_000, 35_000, 50_000]);
  });

  it("is replaced by software rendering once, after three losses within a minute, and not where that is already in use", () => {
    const losses = (at: readonly number[]) => (second: number) =>
      at.includes(second) ? [gone] : [];
    const often = drive(90, losses([10, 30, 50, 60, 65, 70]));
    expect(momentsOf(often, "soften")).toEqual([50_000]);
    expect(
      momentsOf(drive(200, losses([10, 30, 80, 100, 150])), "soften"),
    ).toEqual([]);
    expect(momentsOf(drive(90, losses([10, 20, 30]), true), "soften")).toEqual(
      [],
    );
  });

  it("is pinged and killed in turn for any sequence of events: never killed while a screenshot arrived in time, never unchecked for long", () => {
    const any = fc.oneof(
      fc.constant("answer" as const),
      fc.constant("stale" as const),
      fc.constant("gone" as const),
      fc.constant("due" as const),
      fc.constant("unseen" as const),
      fc.constant("nothing" as const),
    );
    fc.assert(
      fc.property(
        fc.array(any, { minLength: 20, maxLength: 200 }),
        (readings) => {
          const moments = drive(readings.length, (second, state) => {
            switch (readings[second - 1]) {
              case "answer":
                return [answer(state)];
              case "stale":
                return [{ kind: "answered", question: state.question - 1 }];
              case "gone":
                return [gone];
              case "due":
                return [{ kind: "due" }];
              case "unseen":
                return [unseen];
              default:
                return [];
            }
          });
          let pingedMs: number | null = null;
          for (const { atMs, state, effects } of moments) {
            for (const { kind } of effects) {
              if (kind === "ping") {
                expect(pingedMs).toBeNull();
                pingedMs = atMs;
              }
              // Only after a ping that has been unanswered for long.
              if (kind === "kill")
                expect(atMs - (pingedMs ?? atMs)).toBeGreaterThanOrEqual(8000);
            }
            pingedMs = state.pingedMs;
            expect(
              state.pingedMs === null || !isSilent(state, state.pingedMs),
            ).toBe(true);
            if (state.pingedMs === null)
              expect(atMs - state.quietSinceMs).toBeLessThanOrEqual(
                pingIntervalMs + tickMs,
              );
          }
          expect(momentsOf(moments, "soften").length).toBeLessThanOrEqual(1);
        },
      ),
      { seed: 25, numRuns: 500 },
    );
  });
});
