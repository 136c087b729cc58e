// State machine of the stage watchdog: decides what to do about a stage that hangs, crashes or never starts. Pure;
// stage-watchdog.ts carries the decisions out.

/** Times are in monotonic milliseconds from any origin. */
export interface StageWatch {
  readonly phase: Phase;
  /** When the stage was lost within the last minute, the newest last. */
  readonly losses: readonly number[];
  /** Launches begun since a stage last started. */
  readonly launches: number;
  /** Numbers the pings; an answer to an earlier one is ignored. */
  readonly question: number;
}

type Phase =
  | { readonly kind: "launching"; readonly sinceMs: number }
  | {
      readonly kind: "up";
      readonly pingedMs: number | null;
      readonly quietSinceMs: number;
    }
  /** Being killed; records whether it was up or only launching. */
  | {
      readonly kind: "killing";
      readonly sinceMs: number;
      readonly wasUp: boolean;
    }
  | {
      readonly kind: "pausing";
      readonly untilMs: number;
      readonly recovery: Recovery;
    };

/** The same view reloads its page, or another view replaces it. */
type Recovery = "reload" | "replace";

export type StageEvent =
  | { readonly kind: "tick" }
  /** The stage's page is running. */
  | { readonly kind: "started" }
  | { readonly kind: "answered"; readonly question: number }
  /** The stage is about to be used: whether it responds must be known now. */
  | { readonly kind: "due" }
  /** Electron reports that it does not respond to input. */
  | { readonly kind: "unresponsive" }
  /** Its process has ended, or its page could not be loaded. */
  | { readonly kind: "gone"; readonly reason: string };

export type StageEffect =
  | { readonly kind: "ping"; readonly question: number }
  /** By the system: a hung process reacts to nothing else. */
  | { readonly kind: "kill" }
  | {
      readonly kind: "lost";
      readonly isSilent: boolean;
      readonly reason: string;
      readonly losses: number;
    }
  | { readonly kind: Recovery }
  /** This many launches have produced no stage: the process that launches them must be replaced itself. */
  | { readonly kind: "hopeless"; readonly launches: number };

export interface StageTimes {
  readonly pingIntervalMs: number;
  /** While what is shown holds still: until the stage is due for something, a missing answer is invisible. */
  readonly restIntervalMs: number;
  /** A living page answers within milliseconds; decoding a huge image may take seconds. */
  readonly responseTimeoutMs: number;
  /** A killed process has ended by then; one that had ended before emits no event. */
  readonly exitTimeoutMs: number;
  readonly startTimeoutMs: number;
}

/**
 * Including the preceding ping, a stage that is due for something is found to be hung within 14 s, and plays again within 20
 * (V2-460).
 */
export const defaultTimes: StageTimes = {
  pingIntervalMs: 2000,
  restIntervalMs: 10_000,
  responseTimeoutMs: 12_000,
  exitTimeoutMs: 1000,
  startTimeoutMs: 20_000,
};

/** A stage lost more often than this inside the window is not helped by another reload. */
const maxReloads = 3;
const windowMs = 60_000;
/** With a new view each time, never faster than this: an overloaded machine needs the pause. */
const replacePauseMs = 2000;
const longestPauseMs = 10_000;
/** Consecutive launches without a stage that starts (V2-461). */
export const maxLaunches = 5;

const silent = "It stopped responding.";
const neverUp = "It did not start.";

export interface Step {
  readonly state: StageWatch;
  readonly effects: readonly StageEffect[];
}

/** The first launch is under way. */
export function firstWatch(nowMs: number): StageWatch {
  return {
    ...{ phase: { kind: "launching", sinceMs: nowMs }, losses: [] },
    ...{ launches: 1, question: 0 },
  };
}

export function stepWatch(
  state: StageWatch,
  event: StageEvent,
  nowMs: number,
  times: StageTimes = defaultTimes,
): Step {
  switch (event.kind) {
    case "tick":
      return tick(state, nowMs, times);
    case "started":
      return started(state, nowMs);
    case "answered":
      return {
        state:
          state.phase.kind === "up" && event.question === state.question
            ? {
                ...state,
                phase: { kind: "up", pingedMs: null, quietSinceMs: nowMs },
              }
            : state,
        effects: [],
      };
    case "due":
      return state.phase.kind === "up" && state.phase.pingedMs === null
        ? ping(state, nowMs)
        : nothing(state);
    case "unresponsive":
      return state.phase.kind === "up" ? kill(state, nowMs) : nothing(state);
    case "gone":
      return gone(state, event.reason, nowMs);
  }
}

/** When the next step is due, if no event arrives before. */
export function nextTickMs(
  { phase }: StageWatch,
  times: StageTimes = defaultTimes,
): number {
  switch (phase.kind) {
    case "launching":
      return phase.sinceMs + times.startTimeoutMs;
    case "up":
      return phase.pingedMs === null
        ? phase.quietSinceMs + times.pingIntervalMs
        : phase.pingedMs + times.responseTimeoutMs;
    case "killing":
      return phase.sinceMs + times.exitTimeoutMs;
    case "pausing":
      return phase.untilMs;
  }
}

/** It is up, and no ping is pending. */
export function isAtRest({ phase }: StageWatch): boolean {
  return phase.kind === "up" && phase.pingedMs === null;
}

/** It has not answered for longer than a live page takes: deadlines missed now are not the showing's fault. */
export function isSilent({ phase }: StageWatch, nowMs: number): boolean {
  if (phase.kind === "up")
    return phase.pingedMs !== null && nowMs - phase.pingedMs > atOnceMs;
  return phase.kind === "killing";
}

const atOnceMs = 800;

function tick(state: StageWatch, nowMs: number, times: StageTimes): Step {
  if (nowMs < nextTickMs(state, times)) return nothing(state);
  const { phase } = state;
  switch (phase.kind) {
    case "launching":
      return kill(state, nowMs);
    case "up":
      return phase.pingedMs === null ? ping(state, nowMs) : kill(state, nowMs);
    case "killing":
      return gone(state, silent, nowMs);
    case "pausing":
      return {
        state: {
          ...state,
          phase: { kind: "launching", sinceMs: nowMs },
          launches: state.launches + 1,
        },
        effects: [{ kind: phase.recovery }],
      };
  }
}

function started(state: StageWatch, nowMs: number): Step {
  const { kind } = state.phase;
  // Last event of a process that is being killed or has ended.
  if (kind === "killing" || kind === "pausing") return nothing(state);
  return {
    state: {
      ...state,
      phase: { kind: "up", pingedMs: null, quietSinceMs: nowMs },
      launches: 0,
      question: state.question + 1,
    },
    effects: [],
  };
}

function ping(state: StageWatch, nowMs: number): Step {
  const question = state.question + 1;
  const phase = { kind: "up", pingedMs: nowMs, quietSinceMs: nowMs } as const;
  return {
    state: { ...state, phase, question },
    effects: [{ kind: "ping", question }],
  };
}

function kill(state: StageWatch, nowMs: number): Step {
  const wasUp = state.phase.kind === "up";
  return {
    state: { ...state, phase: { kind: "killing", sinceMs: nowMs, wasUp } },
    effects: [{ kind: "kill" }],
  };
}

function gone(state: StageWatch, reason: string, nowMs: number): Step {
  const { phase, launches } = state;
  // Event of the previous process, whose loss is already handled.
  if (phase.kind === "pausing") return nothing(state);
  const isKilled = phase.kind === "killing";
  const isSilent = isKilled && phase.wasUp;
  const losses = [
    ...state.losses.filter((at) => nowMs - at < windowMs),
    nowMs,
  ].slice(-maxKept);
  const excess = losses.length - maxReloads;
  // Nothing more is loaded into a process that hung or never started.
  const recovery = isKilled || excess > 0 ? "replace" : "reload";
  const pauseMs =
    excess > 0 ? Math.min(longestPauseMs, replacePauseMs * excess) : 0;
  return {
    state: {
      ...state,
      phase: { kind: "pausing", untilMs: nowMs + pauseMs, recovery },
      losses,
      question: state.question + 1,
    },
    effects: [
      {
        ...{ kind: "lost", isSilent, losses: losses.length },
        reason: isSilent ? silent : isKilled ? neverUp : reason,
      },
      // Emitted once: the receiver has other means.
      ...(launches === maxLaunches
        ? [{ kind: "hopeless", launches } as const]
        : []),
    ],
  };
}

/** Keeping more of them would not change any decision. */
const maxKept = 20;

function nothing(state: StageWatch): Step {
  return { state, effects: [] };
}
