// Recovery of an empty playback window: it is remapped or redrawn, and only the loss of the GPU process leads to a restart.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  firstSurface,
  nextTickMs,
  stepSurface,
  type SurfaceCause,
  type SurfaceEffect,
  type SurfaceEvent,
  type SurfaceState,
  type SurfaceWatch,
} from "../../../electron/playback-window/surface-recovery-policy.ts";

interface Action {
  readonly atMs: number;
  readonly kind: SurfaceEffect["kind"];
}

const stepMs = 250;

interface Run {
  /** The cause that triggers a probe at this time, if any. */
  readonly suspected: (atMs: number) => SurfaceCause | null;
  /** What a probe that begins then sees; "silent": it never answers. */
  readonly surfaceState: (
    atMs: number,
    tries: number,
  ) => SurfaceState | "silent";
  readonly forMs: number;
}

/** Probes answer half a second later. */
function drive({ suspected, surfaceState, forMs }: Run): readonly Action[] {
  let state: SurfaceWatch = firstSurface;
  const actions: Action[] = [];
  const answers: { readonly atMs: number; readonly event: SurfaceEvent }[] = [];
  for (let atMs = 0; atMs <= forMs; atMs += stepMs) {
    const events: SurfaceEvent[] = [];
    const cause = suspected(atMs);
    if (cause) events.push({ kind: "suspected", cause });
    while (answers[0] && answers[0].atMs <= atMs)
      events.push(answers.shift()!.event);
    const dueMs = nextTickMs(state);
    if (dueMs !== null && dueMs <= atMs) events.push({ kind: "tick" });
    for (const event of events) {
      const step = stepSurface(state, event, atMs);
      state = step.state;
      for (const effect of step.effects) {
        actions.push({ atMs, kind: effect.kind });
        if (effect.kind !== "probe") continue;
        const seen = surfaceState(atMs, actions.filter(isTry).length);
        if (seen === "silent") continue;
        const { probe } = effect;
        answers.push({
          atMs: atMs + 500,
          event: { kind: "probed", probe, surfaceState: seen },
        });
      }
    }
  }
  return actions;
}

const isTry = ({ kind }: Action): boolean =>
  kind === "remap" || kind === "redraw";

const momentsOf = (
  actions: readonly Action[],
  expectedKind: SurfaceEffect["kind"],
) =>
  actions.filter(({ kind }) => kind === expectedKind).map(({ atMs }) => atMs);

const at =
  (expectedMs: number, cause: SurfaceCause) =>
  (atMs: number): SurfaceCause | null =>
    atMs === expectedMs ? cause : null;

describe("[V2-650] the playback window", () => {
  it("is not probed without a cause, and no longer than until it shows an image", () => {
    const calm: Run = {
      suspected: () => null,
      surfaceState: () => "image",
      forMs: 300_000,
    };
    expect(drive(calm)).toEqual([]);
    const actions = drive({ ...calm, suspected: at(1000, "graphics-lost") });
    expect(actions.length).toBeGreaterThan(1);
    expect(actions.every(({ kind }) => kind === "probe")).toBe(true);
    expect(actions.at(-1)?.atMs).toBeLessThan(8000);
  });

  it.each([
    ["graphics-lost", "empty", "remap"],
    ["found-blank", "empty", "remap"],
    ["graphics-lost", "undrawn", "redraw"],
    ["found-blank", "undrawn", "redraw"],
  ] as const)(
    "(%s, then %s) is recovered by a %s within eight seconds, and left alone when that helped",
    (cause, nothing, help) => {
      const actions = drive({
        suspected: at(1000, cause),
        surfaceState: (_atMs, tries) => (tries > 0 ? "image" : nothing),
        forMs: 300_000,
      });
      const [helpMs, ...more] = momentsOf(actions, help);
      expect(helpMs).toBeLessThan(9000);
      expect(more).toEqual([]);
      expect(actions.filter(isTry)).toHaveLength(1);
      expect(momentsOf(actions, "restart")).toEqual([]);
    },
  );

  it("[V2-729] is recovered though a new page lies over it every other time", () => {
    const actions = drive({
      suspected: at(1000, "graphics-lost"),
      surfaceState: (atMs, tries) =>
        Math.floor(atMs / 1000) % 2 === 0
          ? "unknown"
          : tries > 0
            ? "image"
            : "undrawn",
      forMs: 300_000,
    });
    expect(momentsOf(actions, "redraw")).toHaveLength(1);
    expect(momentsOf(actions, "redraw")[0]).toBeLessThan(10_000);
    expect(momentsOf(actions, "remap")).toEqual([]);
  });

  it.each(["empty", "undrawn"] as const)(
    "causes a restart, once, when nothing helped after the loss of the GPU process (%s)",
    (nothing) => {
      const actions = drive({
        suspected: at(1000, "graphics-lost"),
        surfaceState: () => nothing,
        forMs: 300_000,
      });
      expect(actions.filter(isTry)).toHaveLength(2);
      expect(momentsOf(actions, "restart")).toHaveLength(1);
      expect(momentsOf(actions, "restart")[0]).toBeLessThan(30_000);
    },
  );

  it("is remapped at most three times within ten minutes where something of one colour covers it, and never causes a restart", () => {
    const actions = drive({
      suspected: (atMs) => (atMs % 5000 === 0 ? "found-blank" : null),
      surfaceState: () => "empty",
      forMs: 3_600_000,
    });
    const remaps = momentsOf(actions, "remap");
    expect(remaps.length).toBeGreaterThanOrEqual(12);
    for (const [index, atMs] of remaps.slice(3).entries())
      expect(atMs - (remaps[index] ?? 0)).toBeGreaterThanOrEqual(600_000);
    expect(momentsOf(actions, "restart")).toEqual([]);
  });

  it.each(["unknown", "silent"] as const)(
    "is neither remapped nor probed indefinitely where every probe is %s",
    (surfaceState) => {
      const actions = drive({
        suspected: at(1000, "graphics-lost"),
        surfaceState: () => surfaceState,
        forMs: 600_000,
      });
      expect(actions.every(({ kind }) => kind === "probe")).toBe(true);
      expect(actions.at(-1)?.atMs).toBeLessThan(130_000);
    },
  );

  it("is recovered or restarted only after three consecutive probes that found it empty, for any sequence of events", () => {
    const moment = fc.record({
      cause: fc.option(
        fc.constantFrom<SurfaceCause>("graphics-lost", "found-blank"),
        { freq: 12 },
      ),
      surfaceState: fc.constantFrom<SurfaceState | "silent">(
        ...(["empty", "empty", "empty", "image", "unknown", "silent"] as const),
      ),
    });
    fc.assert(
      fc.property(
        fc.array(moment, { minLength: 40, maxLength: 400 }),
        (moments) => {
          const seen: {
            readonly atMs: number;
            readonly surfaceState: string;
          }[] = [];
          const lost: number[] = [];
          const actions = drive({
            suspected: (atMs) => {
              const cause = moments[atMs / stepMs]?.cause ?? null;
              if (cause === "graphics-lost") lost.push(atMs);
              return cause;
            },
            surfaceState: (atMs) => {
              const surfaceState =
                moments[atMs / stepMs]?.surfaceState ?? "image";
              seen.push({ atMs, surfaceState });
              return surfaceState;
            },
            forMs: moments.length * stepMs,
          });
          let sinceMs = -Infinity;
          for (const { atMs, kind } of actions) {
            if (kind === "probe") continue;
            const before = seen.filter(
              (probe) => probe.atMs > sinceMs && probe.atMs <= atMs - 500,
            );
            const last = before.findLastIndex(
              ({ surfaceState }) => surfaceState === "image",
            );
            const empties = before
              .slice(last + 1)
              .filter(
                ({ surfaceState }) =>
                  surfaceState === "empty" || surfaceState === "undrawn",
              );
            expect(empties.length).toBeGreaterThanOrEqual(3);
            if (kind === "restart")
              expect(lost.some((lostMs) => lostMs < atMs)).toBe(true);
            sinceMs = kind === "restart" ? -Infinity : atMs;
          }
          for (const [index, { kind, atMs }] of actions.entries())
            if (kind === "restart")
              expect(
                actions
                  .slice(0, index)
                  .findLast((action) => action.kind !== "probe")?.kind,
                `the restart at ${atMs}`,
              ).toBe("remap");
        },
      ),
    );
  });
});
