// What is to be done about a process of the graphics that stands still or ends again and again: pure decisions.

/** Moments are steady milliseconds, whatever they count from. */
export interface GraphicsWatch {
  /** Since when a picture has been asked for and has not come; null while none is asked for. */
  readonly pingedMs: number | null;
  readonly quietSinceMs: number;
  /** Counts the questions; what answers an earlier one counts no more. */
  readonly question: number;
  /** How often it was ended since a picture last came. */
  readonly kills: number;
  /** When it was lost within the last minute, the newest last. */
  readonly losses: readonly number[];
  /** Drawing by the processor has been asked for, or is done. */
  readonly isSoft: boolean;
}

export type GraphicsEvent =
  /** `isDrawn`: something is meant to be drawn now; a window that nobody sees need not be. `isStill`: it stays as it is. */
  | {
      readonly kind: "tick";
      readonly isDrawn: boolean;
      readonly isStill: boolean;
    }
  /** Something is wanted of it: whether it draws is worth knowing now. */
  | { readonly kind: "due" }
  /** A picture has come, or the question went with what was asked. */
  | { readonly kind: "answered"; readonly question: number }
  | { readonly kind: "gone"; readonly reason: string };

export type GraphicsEffect =
  | { readonly kind: "ping"; readonly question: number }
  /** By the system; a new one is started for it. */
  | { readonly kind: "kill" }
  | {
      readonly kind: "lost";
      readonly reason: string;
      readonly losses: number;
    }
  /** From now on the processor draws: whatever ends the graphics, ends it again. */
  | { readonly kind: "soften"; readonly losses: number };

export const pingIntervalMs = 5000;
/** Of what holds still, nobody sees whether it is drawn: until something is due, and then a ping is sent at once. */
const restIntervalMs = 15_000;
/** A picture of one dot comes within milliseconds; a machine that is out of breath may take seconds. */
const responseTimeoutMs = 8000;
/** Ended in vain, it is ended again, but later each time. */
const maxTimeoutMs = 120_000;
/** The Chromium of old gave its graphics up after as many. */
const maxLosses = 3;
const windowMs = 60_000;
/** More of them change nothing. */
const maxKept = 20;

export interface GraphicsStep {
  readonly state: GraphicsWatch;
  readonly effects: readonly GraphicsEffect[];
}

export function firstGraphics(nowMs: number, isSoft: boolean): GraphicsWatch {
  return {
    ...{ pingedMs: null, quietSinceMs: nowMs, question: 0 },
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
          ? { ...forget(state, nowMs), kills: 0 }
          : state,
      );
    case "gone":
      return gone(state, event.reason, nowMs);
  }
}

/** No picture has come for longer than any takes: what is late now is not to blame for it. */
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

/** When there is something to do next, if nothing happens before. */
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
  const isTooMuch = !state.isSoft && losses.length >= maxLosses;
  return {
    state: {
      ...forget(state, nowMs),
      ...{ losses, isSoft: state.isSoft || isTooMuch },
    },
    effects: [
      { kind: "lost", reason, losses: losses.length },
      ...(isTooMuch
        ? [{ kind: "soften", losses: losses.length } as const]
        : []),
    ],
  };
}

/** No question is under way, and the next one is some time off. */
function forget(state: GraphicsWatch, nowMs: number): GraphicsWatch {
  const question = state.question + 1;
  return { ...state, pingedMs: null, quietSinceMs: nowMs, question };
}

function nothing(state: GraphicsWatch): GraphicsStep {
  return { state, effects: [] };
}
