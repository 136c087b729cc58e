// State machine for a playback window that stays empty though something should be shown. Pure decisions;
// surface-recovery.ts carries them out.

/** Times are in monotonic milliseconds from any origin. */
export interface SurfaceWatch {
  /** What triggered the probes; null while nothing does. */
  readonly cause: SurfaceCause | null;
  /** Since when it has been probed. */
  readonly sinceMs: number;
  /** When the last probe began. */
  readonly lastProbeMs: number;
  /** A probe is under way. */
  readonly isProbing: boolean;
  /** Numbers the probes; a result of an earlier one is ignored. */
  readonly probe: number;
  /** How many consecutive probes found the window empty, and since when. */
  readonly empties: number;
  readonly emptySinceMs: number;
  /** Recovery attempts since an image was last seen on it. */
  readonly tries: number;
  /** When recovery was attempted within the last minutes, the newest last. */
  readonly triesMs: readonly number[];
}

export type SurfaceCause =
  /** The GPU process ended: Chromium may not draw again. */
  | "graphics-lost"
  /** Verification of a showing found the screen of one colour. */
  | "found-blank";

export type SurfaceState =
  /** The screen shows something, or the expected content is of one colour itself. */
  | "image"
  /** The screen is of one colour where the window is, and its topmost view is not. */
  | "empty"
  /** The own screenshot of the stage or the topmost view is transparent: what it had painted was lost with the GPU process. */
  | "undrawn"
  /** The screen or the view could not be read, or it proves nothing about the stage, which a page covers. */
  | "unknown";

export type SurfaceEvent =
  | { readonly kind: "suspected"; readonly cause: SurfaceCause }
  | {
      readonly kind: "probed";
      readonly probe: number;
      readonly surfaceState: SurfaceState;
    }
  | { readonly kind: "tick" };

export type SurfaceEffect =
  | { readonly kind: "probe"; readonly probe: number }
  /** Hidden and shown again, a window gets a new surface. */
  | { readonly kind: "remap"; readonly emptyMs: number }
  /** Ends the page's process: the next one paints everything again. Reloading in the same process does not help. */
  | { readonly kind: "redraw"; readonly emptyMs: number }
  /** That did not help: only a restart of the whole app does (V2-461). */
  | { readonly kind: "restart"; readonly emptyMs: number };

export interface SurfaceStep {
  readonly state: SurfaceWatch;
  readonly effects: readonly SurfaceEffect[];
}

const probeIntervalMs = 1000;
/** A probe that takes longer has no result. */
const probeTimeoutMs = 4000;
/** A new GPU process starts within a second; on a busy machine in a few. Each further attempt is given longer. */
const timeoutsMs = [4000, 7000, 10_000] as const;
const maxTries = 2;
const minEmpties = 3;
/** A window that shows an image this long after the loss has recovered. */
const recoveredAfterMs = 3000;
/** What cannot be read is not probed indefinitely. */
const longestMs = 120_000;
/** Where a showing was the trigger, something else may cover the screen: recovery must not fight with that indefinitely. */
const maxRecent = 2;
const recentWindowMs = 600_000;

export const firstSurface: SurfaceWatch = {
  ...{ cause: null, sinceMs: 0, lastProbeMs: 0, isProbing: false, probe: 0 },
  ...{ empties: 0, emptySinceMs: 0, tries: 0, triesMs: [] },
};

export function stepSurface(
  state: SurfaceWatch,
  event: SurfaceEvent,
  nowMs: number,
): SurfaceStep {
  switch (event.kind) {
    case "suspected":
      return suspected(state, event.cause, nowMs);
    case "probed":
      return probed(state, event, nowMs);
    case "tick":
      return tick(state, nowMs);
  }
}

/** When the next step is due, if no event arrives before; null for never. */
export function nextTickMs(state: SurfaceWatch): number | null {
  if (state.cause === null) return null;
  return (
    state.lastProbeMs + (state.isProbing ? probeTimeoutMs : probeIntervalMs)
  );
}

function suspected(
  state: SurfaceWatch,
  cause: SurfaceCause,
  nowMs: number,
): SurfaceStep {
  if (cause === "found-blank") {
    // The stronger cause is kept.
    if (state.cause !== null) return nothing(state);
    if (recent(state.triesMs, nowMs).length >= maxRecent) return nothing(state);
  }
  const isBegun = state.cause !== null;
  return nothing({
    ...state,
    ...{ cause, sinceMs: nowMs, empties: 0 },
    tries: isBegun ? state.tries : 0,
    lastProbeMs: isBegun ? state.lastProbeMs : nowMs,
  });
}

function tick(state: SurfaceWatch, nowMs: number): SurfaceStep {
  const dueMs = nextTickMs(state);
  if (dueMs === null || nowMs < dueMs) return nothing(state);
  if (nowMs - state.sinceMs > longestMs) return nothing(atRest(state));
  const probe = state.probe + 1;
  return {
    state: { ...state, probe, isProbing: true, lastProbeMs: nowMs },
    effects: [{ kind: "probe", probe }],
  };
}

function probed(
  state: SurfaceWatch,
  {
    probe,
    surfaceState,
  }: { readonly probe: number; readonly surfaceState: SurfaceState },
  nowMs: number,
): SurfaceStep {
  if (state.cause === null || !state.isProbing || probe !== state.probe)
    return nothing(state);
  const seen = { ...state, isProbing: false };
  switch (surfaceState) {
    case "unknown":
      return nothing(seen);
    case "image":
      return nothing(
        nowMs - state.sinceMs >= recoveredAfterMs
          ? atRest(seen)
          : { ...seen, empties: 0, tries: 0 },
      );
    case "empty":
    case "undrawn":
      return empty(seen, surfaceState, nowMs);
  }
}

function empty(
  state: SurfaceWatch,
  surfaceState: "empty" | "undrawn",
  nowMs: number,
): SurfaceStep {
  const emptySinceMs = state.empties === 0 ? nowMs : state.emptySinceMs;
  const now = { ...state, emptySinceMs, empties: state.empties + 1 };
  const emptyMs = nowMs - emptySinceMs;
  const { tries } = state;
  const isLong = emptyMs >= (timeoutsMs[tries] ?? timeoutsMs[maxTries]);
  if (now.empties < minEmpties || !isLong) return nothing(now);
  if (tries < maxTries)
    return {
      state: {
        ...{ ...now, empties: 0, tries: tries + 1 },
        triesMs: [...recent(now.triesMs, nowMs), nowMs],
      },
      effects: [
        { kind: surfaceState === "empty" ? "remap" : "redraw", emptyMs },
      ],
    };
  // A lock screen of one colour would not be helped by a restart.
  return {
    state: atRest(now),
    effects:
      state.cause === "graphics-lost" ? [{ kind: "restart", emptyMs }] : [],
  };
}

function recent(moments: readonly number[], nowMs: number): readonly number[] {
  return moments.filter((atMs) => nowMs - atMs < recentWindowMs);
}

function atRest(state: SurfaceWatch): SurfaceWatch {
  return {
    ...state,
    ...{ cause: null, isProbing: false, empties: 0, tries: 0 },
  };
}

function nothing(state: SurfaceWatch): SurfaceStep {
  return { state, effects: [] };
}
