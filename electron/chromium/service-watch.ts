// State machine for a network process that hangs. Pure decisions; network.ts carries them out.

/** Times are in monotonic milliseconds from any origin. */
export interface NetworkWatch {
  /** When the pending ping was sent; null while none is pending. */
  readonly pingedMs: number | null;
  readonly quietSinceMs: number;
  /** Numbers the pings; an answer to an earlier one is ignored. */
  readonly question: number;
  /** How often it was killed since it last answered. */
  readonly kills: number;
}

export type NetworkEvent =
  /** `isNeeded`: what is shown or prepared loads from the network. */
  | { readonly kind: "tick"; readonly isNeeded: boolean }
  /** Something is about to be loaded: whether it responds must be known now. */
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
/** A live one answers within milliseconds; an overloaded machine may take seconds. */
export const responseTimeoutMs = 8000;
/** If killing did not help, it is killed again, but later each time. */
const maxTimeoutMs = 120_000;
/** Keeping more of them would not change any decision. */
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

/** When the next step is due, if no event arrives before; null while nothing needs the network. */
export function nextTickMs(
  { pingedMs, quietSinceMs, kills }: NetworkWatch,
  isNeeded: boolean,
): number | null {
  // A ping that was sent keeps its deadline, whatever is shown meanwhile.
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
