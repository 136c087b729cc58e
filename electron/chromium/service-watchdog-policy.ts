// State machine for a process that serves the others (network, audio) and hangs. Pure decisions; service-watchdog.ts carries them out.

/** Times are in monotonic milliseconds from any origin. */
export interface ServiceWatch {
  /** When the pending ping was sent; null while none is pending. */
  readonly pingedMs: number | null;
  readonly quietSinceMs: number;
  /** Numbers the pings; an answer to an earlier one is ignored. */
  readonly question: number;
  /** How often it was killed since it last answered. */
  readonly kills: number;
}

export type ServiceEvent =
  /** `isNeeded`: what is shown or prepared uses it. */
  | { readonly kind: "tick"; readonly isNeeded: boolean }
  /** It is about to be used: whether it responds must be known now. */
  | { readonly kind: "due" }
  | { readonly kind: "answered"; readonly question: number }
  | { readonly kind: "gone"; readonly reason: string };

export type ServiceEffect =
  | { readonly kind: "ping"; readonly question: number }
  /** By the system; Chromium starts a new one when it is used. */
  | { readonly kind: "kill" }
  | { readonly kind: "lost"; readonly reason: string };

export interface ServiceStep {
  readonly state: ServiceWatch;
  readonly effects: readonly ServiceEffect[];
}

export const pingIntervalMs = 5000;
/** A live one answers within milliseconds; an overloaded machine may take seconds. */
export const responseTimeoutMs = 8000;
/** If killing did not help, it is killed again, but later each time. */
const maxTimeoutMs = 120_000;
/** Keeping more of them would not change any decision. */
const maxKills = 20;

export function firstService(nowMs: number): ServiceWatch {
  return { pingedMs: null, quietSinceMs: nowMs, question: 0, kills: 0 };
}

export function stepService(
  state: ServiceWatch,
  event: ServiceEvent,
  nowMs: number,
): ServiceStep {
  switch (event.kind) {
    case "tick":
      return tick(state, event.isNeeded, nowMs);
    case "due":
      return state.pingedMs === null ? ping(state, nowMs) : nothing(state);
    case "answered":
      return nothing(
        event.question === state.question && state.pingedMs !== null
          ? { ...withoutQuestion(state, nowMs), kills: 0 }
          : state,
      );
    case "gone":
      return {
        state: withoutQuestion(state, nowMs),
        effects: [{ kind: "lost", reason: event.reason }],
      };
  }
}

/** When the next step is due, if no event arrives before; null while nothing needs it. */
export function nextTickMs(
  { pingedMs, quietSinceMs, kills }: ServiceWatch,
  isNeeded: boolean,
): number | null {
  // A ping that was sent keeps its deadline, whatever is shown meanwhile.
  if (pingedMs !== null)
    return pingedMs + Math.min(maxTimeoutMs, responseTimeoutMs * 2 ** kills);
  return isNeeded ? quietSinceMs + pingIntervalMs : null;
}

function tick(
  state: ServiceWatch,
  isNeeded: boolean,
  nowMs: number,
): ServiceStep {
  const dueMs = nextTickMs(state, isNeeded);
  if (dueMs === null || nowMs < dueMs) return nothing(state);
  if (state.pingedMs === null) return ping(state, nowMs);
  const kills = Math.min(state.kills + 1, maxKills);
  return {
    state: { ...withoutQuestion(state, nowMs), kills },
    effects: [{ kind: "kill" }],
  };
}

function ping(state: ServiceWatch, nowMs: number): ServiceStep {
  const question = state.question + 1;
  return {
    state: { ...state, pingedMs: nowMs, question },
    effects: [{ kind: "ping", question }],
  };
}

function withoutQuestion(state: ServiceWatch, nowMs: number): ServiceWatch {
  const question = state.question + 1;
  return { ...state, pingedMs: null, quietSinceMs: nowMs, question };
}

function nothing(state: ServiceWatch): ServiceStep {
  return { state, effects: [] };
}
