// What is to be done about a window that stays empty, though something is to be shown: pure decisions.

/** Moments are steady milliseconds, whatever they count from. */
export interface SurfaceWatch {
  /** What gave reason to look; null while nothing does. */
  readonly cause: SurfaceCause | null;
  /** Since when this is looked into. */
  readonly sinceMs: number;
  /** When the last look began. */
  readonly lastProbeMs: number;
  /** A look is under way. */
  readonly isProbing: boolean;
  /** Counts the looks; an answer to an earlier one counts no more. */
  readonly probe: number;
  /** How many looks in a row found nothing on it, and since when. */
  readonly empties: number;
  readonly emptySinceMs: number;
  /** What was tried since it was last seen with a picture. */
  readonly tries: number;
  /** When something was tried within the last minutes, the newest last. */
  readonly triesMs: readonly number[];
}

export type SurfaceCause =
  /** The graphics process ended: Chromium may not draw again. */
  | "graphics-lost"
  /** A look at a slide found the screen of one colour. */
  | "found-blank";

export type SurfaceSight =
  /** The screen shows something, or what is to be shown is of one colour itself. */
  | "picture"
  /** The screen is of one colour where the window is, and its topmost view is not. */
  | "empty"
  /** The view's own picture is transparent: what its page painted was lost with the graphics. */
  | "undrawn"
  /** The screen or the view could not be read. */
  | "unknown";

export type SurfaceEvent =
  | { readonly kind: "suspected"; readonly cause: SurfaceCause }
  | {
      readonly kind: "probed";
      readonly probe: number;
      readonly sight: SurfaceSight;
    }
  | { readonly kind: "tick" };

export type SurfaceEffect =
  | { readonly kind: "probe"; readonly probe: number }
  /** Hidden and shown again, a window gets a new surface. */
  | { readonly kind: "remap"; readonly emptyMs: number }
  /** The page's process is ended: the next one paints everything anew. Loading it again in the same one does not help. */
  | { readonly kind: "redraw"; readonly emptyMs: number }
  /** That did not help: only another start of the whole does (V2-461). */
  | { readonly kind: "restart"; readonly emptyMs: number };

export interface SurfaceStep {
  readonly state: SurfaceWatch;
  readonly effects: readonly SurfaceEffect[];
}

const probeIntervalMs = 1000;
/** A look that takes longer says nothing. */
const probeTimeoutMs = 4000;
/** New graphics come up within a second; on a busy machine in some. What was tried in vain is given longer the next time. */
const timeoutsMs = [4000, 7000, 10_000] as const;
const maxTries = 2;
const minEmpties = 3;
/** What shows a picture this long after the loss has got over it. */
const recoveredAfterMs = 3000;
/** What cannot be read is not looked at for ever. */
const longestMs = 120_000;
/** Where a slide gave the reason, something else may cover the screen: nobody is to fight with that for ever. */
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

/** When there is something to do next, if nothing happens before; null when never. */
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
    // The stronger reason stands.
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
  { probe, sight }: { readonly probe: number; readonly sight: SurfaceSight },
  nowMs: number,
): SurfaceStep {
  if (state.cause === null || !state.isProbing || probe !== state.probe)
    return nothing(state);
  const seen = { ...state, isProbing: false };
  switch (sight) {
    case "unknown":
      return nothing(seen);
    case "picture":
      return nothing(
        nowMs - state.sinceMs >= recoveredAfterMs
          ? atRest(seen)
          : { ...seen, empties: 0, tries: 0 },
      );
    case "empty":
    case "undrawn":
      return empty(seen, sight, nowMs);
  }
}

function empty(
  state: SurfaceWatch,
  sight: "empty" | "undrawn",
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
      effects: [{ kind: sight === "empty" ? "remap" : "redraw", emptyMs }],
    };
  // A lock screen of one colour is nothing that a new start would help against.
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
