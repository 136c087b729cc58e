// What is to be done about a stage that is silent, gone or never comes up: pure decisions, carried out by the watchdog.

/** Moments are steady milliseconds, whatever they count from. */
export interface StageWatch {
  readonly phase: Phase;
  /** When the stage was lost within the last minute, the newest last. */
  readonly losses: readonly number[];
  /** Begun since a stage last came up. */
  readonly launches: number;
  /** Counts the questions; what answers an earlier one counts no more. */
  readonly question: number;
}

type Phase =
  | { readonly kind: "launching"; readonly sinceMs: number }
  | {
      readonly kind: "up";
      readonly pingedMs: number | null;
      readonly quietSinceMs: number;
    }
  /** Told to go; whether it was up or only about to be. */
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

/** The same view loads its page again, or another one takes its place. */
type Recovery = "reload" | "replace";

export type StageEvent =
  | { readonly kind: "tick" }
  /** The stage's page runs. */
  | { readonly kind: "started" }
  | { readonly kind: "answered"; readonly question: number }
  /** Something is wanted of it: whether it answers is worth knowing now. */
  | { readonly kind: "due" }
  /** It answers no input, by what the system says. */
  | { readonly kind: "unresponsive" }
  /** Its process has ended, or its page was not to be loaded. */
  | { readonly kind: "gone"; readonly reason: string };

export type StageEffect =
  | { readonly kind: "ping"; readonly question: number }
  /** By the system: a process that stands still obeys nothing else. */
  | { readonly kind: "kill" }
  | {
      readonly kind: "lost";
      readonly isSilent: boolean;
      readonly reason: string;
      readonly losses: number;
    }
  | { readonly kind: Recovery }
  /** So many launches have brought no stage: what launches them is to be replaced itself. */
  | { readonly kind: "hopeless"; readonly launches: number };

export interface StageTimes {
  readonly pingIntervalMs: number;
  /** While what is shown holds still: until something is due of the stage, nobody sees whether it answers. */
  readonly restIntervalMs: number;
  /** A living page answers within milliseconds; decoding a huge picture may take seconds. */
  readonly responseTimeoutMs: number;
  /** A process that was told to go is gone by then; one that was gone before says nothing. */
  readonly exitTimeoutMs: number;
  readonly startTimeoutMs: number;
}

/** With the question before it, a stage of which something is due is found to stand still within 14 s, and plays again within 20 (V2-460). */
export const defaultTimes: StageTimes = {
  pingIntervalMs: 2000,
  restIntervalMs: 10_000,
  responseTimeoutMs: 12_000,
  exitTimeoutMs: 1000,
  startTimeoutMs: 20_000,
};

/** A stage lost more often than this inside the window is not helped by loading it once more. */
const maxReloads = 3;
const windowMs = 60_000;
/** With a new view each time, never faster than this: a machine in trouble needs air. */
const replacePauseMs = 2000;
const longestPauseMs = 10_000;
/** So many in a row without a stage that comes up (V2-461). */
export const maxLaunches = 5;

const silent = "It no longer answers.";
const neverUp = "It did not come up.";

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

/** When there is something to do next, if nothing happens before. */
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

/** It is up, and nothing is asked of it. */
export function isAtRest({ phase }: StageWatch): boolean {
  return phase.kind === "up" && phase.pingedMs === null;
}

/** It has not answered for longer than a living page takes: what is late now is not to blame for it. */
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
  // The last word of one that is told to go, or has gone.
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
  // The process before it; that it was lost is known.
  if (phase.kind === "pausing") return nothing(state);
  const isKilled = phase.kind === "killing";
  const isSilent = isKilled && phase.wasUp;
  const losses = [
    ...state.losses.filter((at) => nowMs - at < windowMs),
    nowMs,
  ].slice(-maxKept);
  const beyond = losses.length - maxReloads;
  // Into a process that stood still, or that never came up, nothing more is loaded.
  const recovery = isKilled || beyond > 0 ? "replace" : "reload";
  const pauseMs =
    beyond > 0 ? Math.min(longestPauseMs, replacePauseMs * beyond) : 0;
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
      // Asked for once: whoever heard it has other means.
      ...(launches === maxLaunches
        ? [{ kind: "hopeless", launches } as const]
        : []),
    ],
  };
}

/** More of them change nothing. */
const maxKept = 20;

function nothing(state: StageWatch): Step {
  return { state, effects: [] };
}
