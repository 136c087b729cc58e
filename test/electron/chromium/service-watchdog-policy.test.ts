// Watchdog of a service process: pings it while it is needed, and kills it when it does not answer.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  responseTimeoutMs,
  pingIntervalMs,
  firstService,
  stepService,
  type ServiceEffect,
  type ServiceEvent,
  type ServiceWatch,
} from "../../../electron/chromium/service-watchdog-policy.ts";
import {
  expectPatientKills,
  momentsOf,
} from "../../support/watchdog-moments.ts";

interface Moment {
  readonly atMs: number;
  readonly event: ServiceEvent;
  readonly before: ServiceWatch;
  readonly state: ServiceWatch;
  readonly effects: readonly ServiceEffect[];
}

const tickMs = 1000;

/** Ticks every second; `happens` returns the other events of that second. */
function drive(
  seconds: number,
  happens: (second: number, state: ServiceWatch) => readonly ServiceEvent[],
  isNeeded: (second: number) => boolean = () => true,
): readonly Moment[] {
  let state = firstService(0);
  const moments: Moment[] = [];
  for (let second = 1; second <= seconds; second += 1) {
    const tick = { kind: "tick", isNeeded: isNeeded(second) } as const;
    for (const event of [tick, ...happens(second, state)]) {
      const before = state;
      const step = stepService(state, event, second * tickMs);
      state = step.state;
      moments.push({ atMs: second * tickMs, event, before, ...step });
    }
  }
  return moments;
}

const answer = ({ question }: ServiceWatch): ServiceEvent => ({
  ...{ kind: "answered", question },
});
const gone = { kind: "gone", reason: "killed" } as const;

describe("[V2-663][V2-728] a service process", () => {
  it("is killed within 15 s of hanging, and later each time that does not help", () => {
    expectPatientKills(drive(300, () => []));
  });

  it("is left alone as long as it answers, and is not pinged while nothing needs it", () => {
    const answered = drive(300, (_second, state) => [answer(state)]);
    expect(momentsOf(answered, "kill")).toEqual([]);
    expect(momentsOf(answered, "ping").length).toBeGreaterThan(40);
    const unneeded = drive(
      300,
      () => [],
      () => false,
    );
    expect(unneeded.flatMap(({ effects }) => effects)).toEqual([]);
  });

  it("is killed, too, when the request to it has been given up meanwhile", () => {
    const kills = momentsOf(
      drive(
        30,
        (second) => (second === 5 ? [{ kind: "due" }] : []),
        () => false,
      ),
      "kill",
    );
    expect(kills).toEqual([5000 + responseTimeoutMs]);
  });

  it("is pinged and killed in turn for any sequence of events: never killed while it answered in time, never unchecked for long", () => {
    const any = fc.constantFrom(
      ...(["answer", "stale", "gone", "due", "nothing"] as const),
    );
    const second = fc.record({ what: any, isNeeded: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(second, { minLength: 20, maxLength: 200 }),
        (seconds) => {
          const moments = drive(
            seconds.length,
            (at, state) => {
              switch (seconds[at - 1]?.what) {
                case "answer":
                  return [answer(state)];
                case "stale":
                  return [{ kind: "answered", question: state.question - 1 }];
                case "gone":
                  return [gone];
                case "due":
                  return [{ kind: "due" }];
                default:
                  return [];
              }
            },
            (at) => seconds[at - 1]?.isNeeded === true,
          );
          for (const { atMs, event, before, state, effects } of moments) {
            const kinds = effects.map(({ kind }) => kind);
            if (kinds.includes("ping")) expect(before.pingedMs).toBeNull();
            // Only after a ping that has been unanswered for long.
            if (kinds.includes("kill"))
              expect(atMs - (before.pingedMs ?? atMs)).toBeGreaterThanOrEqual(
                responseTimeoutMs,
              );
            expect(kinds.includes("lost")).toBe(event.kind === "gone");
            // When something is about to be loaded, a ping is sent at once or is pending.
            if (event.kind === "due") expect(state.pingedMs).not.toBeNull();
            const isDue = atMs - before.quietSinceMs >= pingIntervalMs;
            if (event.kind === "tick" && event.isNeeded && isDue)
              expect([...kinds, state.pingedMs !== null]).not.toEqual([false]);
          }
        },
      ),
      { seed: 25, numRuns: 500 },
    );
  });
});
