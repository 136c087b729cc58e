// State machine for a GPU process that hangs or keeps ending. Pure decisions; graphics-watchdog.ts carries them out.

/** Times are in monotonic milliseconds from any origin. */
export interface GraphicsWatch {
  /** When the pending screenshot was requested; null while none is pending. */
  readonly pingedMs: number | null;
  readonly quietSinceMs: number;
  /** Numbers the pings; an answer to an earlier one is ignored. */
  readonly question: number;
  /** When the last screenshot arrived. */
  readonly answeredMs: number;
  /** How often it was killed since the last screenshot arrived. */
  readonly kills: number;
  /** When it was lost within the last minute, the newest last. */
  readonly losses: readonly number[];
  /** Software rendering has been requested, or is in use. */
  readonly isSoft: boolean;
}

export type GraphicsEvent =
  /** `isDrawn`: something is meant to be drawn now; an invisible window need not be. `isStill`: it stays as it is. */
  | {
      readonly kind: "tick";
      readonly isDrawn: boolean;
      readonly isStill: boolean;
    }
  /** It is about to be used: whether it draws must be known now. */
  | { readonly kind: "due" }
  /** A screenshot has arrived, or its view was closed while it was pending. */
  | { readonly kind: "answered"; readonly question: number }
  | { readonly kind: "gone"; readonly reason: string };

export type GraphicsEffect =
  | { readonly kind: "ping"; readonly question: number }
  /** By the system; Chromium starts a new one. */
  | { readonly kind: "kill" }
  | {
      readonly kind: "lost";
      readonly reason: string;
      readonly losses: number;
      /** When it last worked: the last screenshot arrived before it hung, or this moment if it crashed. */
      readonly workedMs: number;
    }
  /** Switches to software rendering: whatever ended the GPU process would end it again. */
  | { readonly kind: "soften"; readonly losses: number };

export const pingIntervalMs = 5000;
/** While the screen holds still, missing drawing is invisible: until something is due, and then a ping is sent at once. */
const restIntervalMs = 15_000;
/** A screenshot of one pixel arrives within milliseconds; an overloaded machine may take seconds. */
const responseTimeoutMs = 8000;
/** If killing did not help, it is killed again, but later each time. */
const maxTimeoutMs = 120_000;
/** Chromium's former limit, after which it gave its GPU process up. */
const maxLosses = 3;
const windowMs = 60_000;
/** Keeping more of them would not change any decision. */
const maxKept = 20;

export interface GraphicsStep {
  readonly state: GraphicsWatch;
  readonly effects: readonly GraphicsEffect[];
}

export function firstGraphics(nowMs: number, isSoft: boolean): GraphicsWatch {
  return {
    ...{ pingedMs: null, quietSinceMs: nowMs, question: 0 },
    ...{ answeredMs: nowMs },
    ...{ kills: 0, losses: [], isSoft },
  };
}

export function stepGraphics(
  state: GraphicsWatch,
  event: GraphicsEvent,
  nowMs: number,
): GraphicsStep {
  switch (event.kind) {
    case "tick":
      return event.isDrawn
        ? tick(state, event.isStill, nowMs)
        : nothing(forget(state, nowMs));
    case "due":
      return state.pingedMs === null ? ping(state, nowMs) : nothing(state);
    case "answered":
      return nothing(
        event.question === state.question && state.pingedMs !== null
          ? { ...forget(state, nowMs), answeredMs: nowMs, kills: 0 }
          : state,
      );
    case "gone":
      return gone(state, event.reason, nowMs);
  }
}

/** No screenshot has arrived for longer than any takes: deadlines missed now are not the showing's fault. */
export function isSilent({ pingedMs }: GraphicsWatch, nowMs: number): boolean {
  return pingedMs !== null && nowMs - pingedMs > atOnceMs;
}

const atOnceMs = 1500;

function ping(state: GraphicsWatch, nowMs: number): GraphicsStep {
  const question = state.question + 1;
  return {
    state: { ...state, pingedMs: nowMs, question },
    effects: [{ kind: "ping", question }],
  };
}

/** When the next step is due, if no event arrives before. */
export function nextTickMs(state: GraphicsWatch, isStill: boolean): number {
  const { pingedMs, kills, quietSinceMs } = state;
  if (pingedMs === null)
    return quietSinceMs + (isStill ? restIntervalMs : pingIntervalMs);
  return pingedMs + Math.min(maxTimeoutMs, responseTimeoutMs * 2 ** kills);
}

function tick(
  state: GraphicsWatch,
  isStill: boolean,
  nowMs: number,
): GraphicsStep {
  const { pingedMs, kills } = state;
  if (nowMs < nextTickMs(state, isStill)) return nothing(state);
  if (pingedMs === null) return ping(state, nowMs);
  return {
    state: { ...forget(state, nowMs), kills: Math.min(kills + 1, maxKept) },
    effects: [{ kind: "kill" }],
  };
}

function gone(
  state: GraphicsWatch,
  reason: string,
  nowMs: number,
): GraphicsStep {
  const losses = [
    ...state.losses.filter((at) => nowMs - at < windowMs),
    nowMs,
  ].slice(-maxKept);
  const workedMs = state.kills > 0 ? state.answeredMs : nowMs;
  const isTooMuch = !state.isSoft && losses.length >= maxLosses;
  return {
    state: {
      ...forget(state, nowMs),
      ...{ losses, isSoft: state.isSoft || isTooMuch },
    },
    effects: [
      { kind: "lost", reason, losses: losses.length, workedMs },
      ...(isTooMuch
        ? [{ kind: "soften", losses: losses.length } as const]
        : []),
    ],
  };
}

/** Drops the pending ping and schedules the next one. */
function forget(state: GraphicsWatch, nowMs: number): GraphicsWatch {
  const question = state.question + 1;
  return { ...state, pingedMs: null, quietSinceMs: nowMs, question };
}

function nothing(state: GraphicsWatch): GraphicsStep {
  return { state, effects: [] };
}
