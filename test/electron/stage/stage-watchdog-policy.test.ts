// Stage watchdog decisions: a stage is pinged, killed when it hangs, and recovered, for any sequence of events.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  firstWatch,
  maxLaunches,
  nextTickMs,
  stepWatch,
  defaultTimes,
  type StageEffect,
  type StageEvent,
  type StageWatch,
} from "../../../electron/stage/stage-watchdog-policy.ts";
import { momentsOf } from "../../support/watchdog-moments.ts";

interface Made {
  readonly atMs: number;
  readonly event: StageEvent;
  readonly before: StageWatch;
  readonly after: StageWatch;
  readonly effects: readonly StageEffect[];
}

/** Drives it as its timer would: no tick that it scheduled is skipped. */
function drive(
  events: readonly { readonly afterMs: number; readonly event: StageEvent }[],
): readonly Made[] {
  let state = firstWatch(0);
  let nowMs = 0;
  const created: Made[] = [];
  const step = (event: StageEvent): void => {
    const before = state;
    const { state: after, effects } = stepWatch(before, event, nowMs);
    created.push({ atMs: nowMs, event, before, after, effects });
    state = after;
  };
  const tickUntil = (untilMs: number): void => {
    for (let due = nextTickMs(state); due <= untilMs; due = nextTickMs(state)) {
      nowMs = Math.max(nowMs, due);
      step({ kind: "tick" });
    }
    nowMs = untilMs;
  };
  for (const { afterMs, event } of events) {
    tickUntil(nowMs + afterMs);
    step(
      event.kind === "answered" && event.question < 0
        ? { kind: "answered", question: state.question }
        : event,
    );
  }
  tickUntil(nowMs + 120_000);
  return created;
}

const kindsOf = (made: readonly Made[]) =>
  made.flatMap(({ effects }) => effects.map(({ kind }) => kind));

const latest = { kind: "answered", question: -1 } as const;

const anyEvent = fc.record({
  afterMs: fc.oneof(fc.nat(100), fc.nat(5000), fc.nat(30_000)),
  event: fc.oneof(
    fc.constant<StageEvent>({ kind: "started" }),
    fc.constant<StageEvent>(latest),
    fc.nat(20).map<StageEvent>((question) => ({ kind: "answered", question })),
    fc.constant<StageEvent>({ kind: "due" }),
    fc.constant<StageEvent>({ kind: "unresponsive" }),
    fc.constant<StageEvent>({ kind: "gone", reason: "crashed" }),
    fc.constant<StageEvent>({ kind: "tick" }),
  ),
});

describe("[V2-460] a stage", () => {
  it("that hangs is killed and replaced within 15 s of its last answer", () => {
    const created = drive([{ afterMs: 500, event: { kind: "started" } }]);
    const [killedMs] = momentsOf(created, "kill");
    expect(killedMs).toBeLessThanOrEqual(500 + 15_000);
    expect(kindsOf(created).slice(0, 4)).toEqual([
      "ping",
      "kill",
      "lost",
      "replace",
    ]);
  });

  it("that answers is pinged again and again, and never killed", () => {
    const answers = Array.from({ length: 50 }, () => [
      { afterMs: defaultTimes.pingIntervalMs + 1, event: latest },
    ]).flat();
    const created = drive([
      { afterMs: 500, event: { kind: "started" } },
      ...answers,
    ]);
    const before = created.slice(
      0,
      created.findLastIndex(({ event }) => event.kind === "answered"),
    );
    expect(new Set(kindsOf(before))).toEqual(new Set(["ping"]));
  });

  it("that crashes is reloaded at once, three times within a minute, and replaced after a pause from then on", () => {
    const crash = [
      { afterMs: 200, event: { kind: "started" } as const },
      { afterMs: 200, event: { kind: "gone", reason: "crashed" } as const },
    ];
    const created = drive([...crash, ...crash, ...crash]);
    expect(kindsOf(created).slice(0, 6)).toEqual(
      Array.from({ length: 3 }, () => ["lost", "reload"]).flat(),
    );
    const fourth = drive([...crash, ...crash, ...crash, ...crash]);
    const [replacedMs = 0] = momentsOf(fourth, "replace");
    expect(replacedMs - (momentsOf(fourth, "lost")[3] ?? 0)).toBe(2000);
  });

  it("[V2-461] that does not start after the maximum of launches is reported as hopeless, once", () => {
    const created = drive(
      Array.from({ length: 12 }, () => ({
        afterMs: 11_000,
        event: { kind: "gone", reason: "launch-failed" } as const,
      })),
    );
    const kinds = kindsOf(created);
    expect(kinds.filter((kind) => kind === "hopeless")).toHaveLength(1);
    const before = kinds.slice(0, kinds.indexOf("hopeless"));
    expect(before.filter((kind) => kind === "lost")).toHaveLength(maxLaunches);
    // It continues, in case the receiver has no other means.
    expect(kinds.slice(kinds.indexOf("hopeless"))).toContain("replace");
  });

  it("is never left unwatched: for any events, it is pinged, killed or launched again in time, and each loss is followed by one launch", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
        const created = drive(events);
        let isAwaitingLaunch = false;
        let lastMs = 0;
        for (const { atMs, event, before, after, effects } of created) {
          // A next step is always due, and never far away.
          expect(nextTickMs(after) - atMs).toBeLessThanOrEqual(20_000);
          for (const effect of effects) {
            if (effect.kind === "lost") {
              expect(isAwaitingLaunch).toBe(false);
              isAwaitingLaunch = true;
              // Reported as silent only when it had been up and was killed for it.
              if (effect.isSilent) expect(before.phase.kind).toBe("killing");
            }
            if (effect.kind === "reload" || effect.kind === "replace") {
              expect(isAwaitingLaunch).toBe(true);
              expect(after.phase.kind).toBe("launching");
              isAwaitingLaunch = false;
            }
            // Nothing is loaded into a process that is being killed.
            if (effect.kind === "kill")
              expect(after.phase.kind).toBe("killing");
          }
          // An answer to an earlier ping keeps nothing alive.
          if (event.kind === "answered" && event.question !== before.question)
            expect(after).toEqual(before);
          expect(atMs).toBeGreaterThanOrEqual(lastMs);
          lastMs = atMs;
        }
        // More than four losses a minute occur only with new views, each after a pause.
        expect(momentsOf(created, "replace").length).toBeLessThanOrEqual(
          3 + (lastMs / 1000) * 0.6,
        );
      }),
      { seed: 25, numRuns: 500 },
    );
  });
});
