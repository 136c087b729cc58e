// What is to be done about a network process that stands still: pure decisions.

/** Moments are steady milliseconds, whatever they count from. */
export interface NetworkWatch {
  /** Since when an answer has been asked for and has not come; null while none is asked for. */
  readonly pingedMs: number | null;
  readonly quietSinceMs: number;
  /** Counts the questions; what answers an earlier one counts no more. */
  readonly question: number;
  /** How often it was ended since it last answered. */
  readonly kills: number;
}

export type NetworkEvent =
  /** `isNeeded`: what is shown or prepared comes by it. */
  | { readonly kind: "tick"; readonly isNeeded: boolean }
  /** Something is about to be loaded: whether it answers is worth knowing now. */
  | { readonly kind: "due" }
  | { readonly kind: "answered"; readonly question: number }
  | { readonly kind: "gone"; readonly reason: string };

export type NetworkEffect =
  | { readonly kind: "ping"; readonly question: number }
  /** By the system; Chromium starts a new one when something is loaded. */
  | { readonly kind: "kill" }
  | { readonly kind: "lost"; readonly reason: string };

export interface NetworkStep {
  readonly state: NetworkWatch;
  readonly effects: readonly NetworkEffect[];
}

export const pingIntervalMs = 5000;
/** A living one answers within milliseconds; a machine that is out of breath may take seconds. */
export const responseTimeoutMs = 8000;
/** Ended in vain, it is ended again, but later each time. */
const maxTimeoutMs = 120_000;
/** More of them change nothing. */
const maxKills = 20;

export function firstNetwork(nowMs: number): NetworkWatch {
  return { pingedMs: null, quietSinceMs: nowMs, question: 0, kills: 0 };
}

export function stepNetwork(
  state: NetworkWatch,
  event: NetworkEvent,
  nowMs: number,
): NetworkStep {
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

/** When there is something to do next, if nothing happens before; null when there is nothing as long as nothing needs it. */
export function nextTickMs(
  { pingedMs, quietSinceMs, kills }: NetworkWatch,
  isNeeded: boolean,
): number | null {
  // A question that was asked has its deadline, whatever is shown meanwhile.
  if (pingedMs !== null)
    return pingedMs + Math.min(maxTimeoutMs, responseTimeoutMs * 2 ** kills);
  return isNeeded ? quietSinceMs + pingIntervalMs : null;
}

function tick(
  state: NetworkWatch,
  isNeeded: boolean,
  nowMs: number,
): NetworkStep {
  const dueMs = nextTickMs(state, isNeeded);
  if (dueMs === null || nowMs < dueMs) return nothing(state);
  if (state.pingedMs === null) return ping(state, nowMs);
  const kills = Math.min(state.kills + 1, maxKills);
  return {
    state: { ...withoutQuestion(state, nowMs), kills },
    effects: [{ kind: "kill" }],
  };
}

function ping(state: NetworkWatch, nowMs: number): NetworkStep {
  const question = state.question + 1;
  return {
    state: { ...state, pingedMs: nowMs, question },
    effects: [{ kind: "ping", question }],
  };
}

function withoutQuestion(state: NetworkWatch, nowMs: number): NetworkWatch {
  const question = state.question + 1;
  return { ...state, pingedMs: null, quietSinceMs: nowMs, question };
}

function nothing(state: NetworkWatch): NetworkStep {
  return { state, effects: [] };
}
