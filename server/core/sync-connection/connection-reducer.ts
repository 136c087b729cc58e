// Reducer of a sync connection: a pure function from state and event to state and effects.

import type { Fetch } from "../sync-plan/sync-plan.ts";
import type {
  CloudVersion,
  SyncConnection,
  SyncProblem,
} from "../sync-plan/sync-state.ts";
import {
  dueAtOf,
  fetchesOf,
  holdOf,
  initialState,
  stateToApply,
  type ConnectionMemory,
  type ConnectionState,
  type Desired,
  type Moment,
  failuresOf,
  hasBrokenOff,
  redatedFailures,
  withFailure,
  withoutFailure,
  type FileFailure,
  mayFetchAt,
  pollPauseMs,
} from "./connection-state.ts";
import type { Progress } from "./plan-progress.ts";

/** Why a poll, the downloads or an apply failed as a whole. */
export type SyncFailure = Pick<SyncProblem, "code" | "message">;

export type ConnectionEvent =
  /** The player has started, or its rows were written by something else. `waiting`: the plan that was waiting. */
  | {
      readonly kind: "restarted";
      readonly connection: SyncConnection;
      readonly memory: ConnectionMemory;
      readonly waiting: (Omit<Desired, "isRemembered"> & { at: number }) | null;
    }
  | { readonly kind: "poll-due" }
  | { readonly kind: "poll-requested" }
  /** Requested by the service itself. */
  | { readonly kind: "poll-suggested" }
  | {
      readonly kind: "version-found";
      readonly version: CloudVersion;
      readonly prefix: string;
    }
  /** Of a poll: the response has yet to be parsed. */
  | { readonly kind: "large-answer" }
  /** Null: the desired state is unchanged. */
  | {
      readonly kind: "polled";
      readonly desired: Omit<Desired, "isRemembered"> | null;
    }
  | {
      readonly kind: "poll-failed";
      readonly failure: SyncFailure;
      readonly retryAfterMs: number;
    }
  /** Rows and files were read; null without a desired state. */
  | { readonly kind: "planned"; readonly progress: Progress | null }
  | { readonly kind: "plan-failed"; readonly failure: SyncFailure }
  | { readonly kind: "file-came"; readonly md5: string }
  | {
      readonly kind: "file-failed";
      readonly md5: string;
      readonly failure: FileFailure;
    }
  /** A verified file is missing on the disk. */
  | { readonly kind: "file-lost" }
  /** A person changed its content on this player. */
  | { readonly kind: "edited-here" }
  /** A second has passed during downloads. */
  | { readonly kind: "second-passed" }
  | {
      readonly kind: "downloads-ended";
      readonly failure: SyncFailure | null;
      readonly hasReceived: boolean;
    }
  /** A plan of the mode `tonight` may be due. */
  | { readonly kind: "hour-came" }
  /** `unwritten`: what the database could not write, by the service's identifiers (V2-550). */
  | { readonly kind: "applied"; readonly unwritten: readonly string[] }
  | { readonly kind: "apply-ended"; readonly failure: SyncFailure | null }
  | { readonly kind: "approved" }
  | { readonly kind: "postponed" }
  /** An earlier plan was restored in place of the desired state. */
  | {
      readonly kind: "restored-version";
      readonly memory: ConnectionMemory;
      /** What is known of the desired state that was left, if that was not known here before. */
      readonly left: Omit<Desired, "isRemembered"> | null;
    }
  /** `isScreenChanged`: the screen's identity or its service has changed. */
  | {
      readonly kind: "settings-changed";
      readonly connection: SyncConnection;
      readonly isScreenChanged: boolean;
    };

export type Effect =
  /** `startsOver`: with the current token and address. */
  | { readonly kind: "poll"; readonly startsOver: boolean }
  | { readonly kind: "poll-after"; readonly ms: number }
  | { readonly kind: "apply-after"; readonly ms: number }
  /** Reads rows and files. */
  | { readonly kind: "plan" }
  /** Downloads exactly these files. */
  | { readonly kind: "download"; readonly fetches: readonly Fetch[] }
  | { readonly kind: "apply" }
  /** The plan being applied has been superseded. */
  | { readonly kind: "apply-again" }
  | { readonly kind: "keep-waiting"; readonly isWaiting: boolean }
  | { readonly kind: "forget-addresses" }
  | { readonly kind: "save" }
  /** Saves only the memory, before anything else is done; a power cut may undo it. */
  | { readonly kind: "mark-run" }
  /** The service has answered: files that nobody was known to need can be judged. */
  | { readonly kind: "heard" }
  /** Aborts everything under way. */
  | { readonly kind: "stop" };

export interface Next {
  readonly state: ConnectionState;
  readonly effects: readonly Effect[];
}

/** A transfer that was interrupted is worth resuming at once. */
const soonMs = 5000;
/** Applying a plan leads to an empty one; if it does not, it is not applied forever. */
const maxAppliesInRow = 3;
/** Pause after a run that never ended; doubled after each further one. */
const firstCutOffPauseMs = 10_000;
const maxCutOffPauseMs = 3_600_000;
const maxDoublings = 10;

export function reduce(
  before: ConnectionState,
  event: ConnectionEvent,
  moment: Moment,
): Next {
  return marked(reduced(redated(before, moment.now), event, moment));
}

/**
 * What a run makes of something new may crash the player: a response that takes all memory, a plan without an end. Its beginning is
 * recorded before, and its end after (V2-620); if nothing is new, nothing is written.
 */
function marked({ state, effects }: Next): Next {
  const { poll, planning, isApplying, memory, unendedBefore } = state;
  if (!state.isRisky && !isApplying) return { state, effects };
  const isRisky = poll !== "none" || planning !== "none" || isApplying;
  const unendedRuns = isRisky ? unendedBefore + 1 : 0;
  if (state.isRisky && unendedRuns === memory.unendedRuns)
    return { state, effects };
  return {
    state: {
      ...{ ...state, isRisky, memory: { ...memory, unendedRuns } },
      unendedBefore: isRisky ? unendedBefore : 0,
    },
    effects: [{ kind: "mark-run" }, ...effects],
  };
}

function reduced(
  state: ConnectionState,
  event: ConnectionEvent,
  moment: Moment,
): Next {
  switch (event.kind) {
    case "restarted":
      return restarted(event, moment);
    case "poll-suggested":
      // Not before the operator had a chance to reach the player (V2-620).
      return state.unendedBefore > 0
        ? only(state)
        : pollRequested(state, false);
    case "poll-due":
    case "poll-requested":
      return pollRequested(state, event.kind === "poll-requested");
    case "version-found": {
      const { version, prefix } = event;
      const memory = { ...state.memory, version, prefix };
      return { state: { ...state, memory }, effects: [save] };
    }
    case "large-answer":
      return only({ ...state, isRisky: state.poll !== "none" });
    case "polled":
      return polled(state, event.desired, moment);
    case "poll-failed":
      return pollFailed(state, event.failure, event.retryAfterMs, moment);
    case "planned":
      return state.planning === "running-and-due"
        ? plan({ ...state, planning: "none" })
        : planned({ ...state, planning: "none" }, event.progress, moment);
    case "plan-failed": {
      const next = withProblem(state, "apply", event, moment);
      return only({ ...next, planning: "none" });
    }
    case "file-came": {
      const failed = withoutFailure(state.failed, event.md5);
      return only({ ...state, failed, hasArrived: true });
    }
    case "file-failed": {
      const { md5, failure } = event;
      const failed = withFailure(state.failed, md5, failure, moment.now);
      return {
        state: { ...state, failed, hasArrived: true },
        effects: failure.isAddressOld ? [{ kind: "forget-addresses" }] : [],
      };
    }
    case "file-lost":
      return state.connection.isEnabled && state.unendedBefore === 0
        ? pollToo(tryAll(state))
        : plan(state);
    case "edited-here":
      return tryAll(state);
    case "second-passed":
      // Complete parts need not wait for the rest.
      return state.hasArrived
        ? plan({ ...state, hasArrived: false, isApplyDue: true })
        : stopOutsideHours(state, moment);
    case "downloads-ended":
      return downloadsEnded(state, event, moment);
    case "hour-came":
      return plan({ ...state, isApplyDue: true });
    case "applied": {
      const memory = { ...state.memory, lastAppliedAt: moment.now };
      const appliesInRow = state.appliesInRow + 1;
      // Applying may itself have made a name available.
      const isApplyDue = state.isApplyDue || appliesInRow < maxAppliesInRow;
      const { unwritten } = event;
      return only({ ...state, memory, appliesInRow, isApplyDue, unwritten });
    }
    case "apply-ended":
      return plan(
        withProblem({ ...state, isApplying: false }, "apply", event, moment),
      );
    case "approved": {
      const approved = state.desired?.target ?? null;
      const memory = { ...state.memory, approved, postponed: null };
      // Also while the connection is disabled: it is exactly what the person requested (V2-375).
      const areDue = { isDownloadDue: true, isApplyDue: true };
      const next = plan({ ...state, ...areDue, memory });
      return { ...next, effects: [save, ...next.effects] };
    }
    case "postponed": {
      const postponed = state.desired?.target ?? null;
      const memory = { ...state.memory, postponed, approved: null };
      return saved(giveUpDownloads({ ...state, memory }));
    }
    case "restored-version":
      return restoredVersion(state, event);
    case "settings-changed":
      return settingsChanged(state, event.connection, event.isScreenChanged);
  }
}

const save: Effect = { kind: "save" };

/** A time in the future is set to now (V2-572): it was written while the clock was ahead. */
function redated(state: ConnectionState, now: number): ConnectionState {
  const { seenAt, lastContactAt, lastAppliedAt } = state.memory;
  const { poll, download, apply } = state.problems;
  const failed = redatedFailures(state.failed, now);
  const moments = [
    ...[seenAt, lastContactAt ?? 0, lastAppliedAt ?? 0],
    ...[poll?.since ?? 0, download?.since ?? 0, apply?.since ?? 0],
  ];
  if (failed === state.failed && Math.max(...moments) <= now) return state;
  const dated = (problem: SyncProblem | null): SyncProblem | null =>
    problem && { ...problem, since: Math.min(problem.since, now) };
  return {
    ...{ ...state, failed },
    memory: {
      ...state.memory,
      seenAt: Math.min(seenAt, now),
      lastContactAt: lastContactAt && Math.min(lastContactAt, now),
      lastAppliedAt: lastAppliedAt && Math.min(lastAppliedAt, now),
    },
    problems: {
      poll: dated(poll),
      download: dated(download),
      apply: dated(apply),
    },
  };
}

function restarted(
  {
    connection,
    memory,
    waiting,
  }: Extract<ConnectionEvent, { kind: "restarted" }>,
  moment: Moment,
): Next {
  const state = initialState(
    connection,
    // Memories of older versions did not record since when.
    memory.wanted === null && waiting !== null
      ? { ...memory, wanted: waiting.target, seenAt: waiting.at }
      : memory,
  );
  const desired = waiting && {
    ...{ target: waiting.target, state: waiting.state, isRemembered: true },
  };
  const { unendedRuns } = memory;
  const { isEnabled } = connection;
  const isCutOff = isEnabled && unendedRuns > 0;
  // A nightly plan may be due before the service is back.
  const next = plan({
    ...redated(state, moment.now),
    ...{ desired, unendedBefore: unendedRuns },
    isApplyDue: isEnabled && !isCutOff,
  });
  if (!isEnabled) return next;
  return isCutOff ? pollLater(next, unendedRuns, moment) : pollToo(next);
}

/** The interface is up for some time before whatever crashed the player may do so again (V2-620). */
function pollLater(next: Next, unendedRuns: number, moment: Moment): Next {
  const doublings = Math.min(unendedRuns - 1, maxDoublings);
  const ms = Math.min(firstCutOffPauseMs * 2 ** doublings, maxCutOffPauseMs);
  const failure = {
    code: "interrupted" as const,
    message: `The player stopped ${unendedRuns === 1 ? "" : `${unendedRuns} times `}during a sync with this service. The next sync is delayed.`,
  };
  return pollAfter(
    { ...next, state: withProblem(next.state, "poll", { failure }, moment) },
    ...([ms, moment] as const),
  );
}

function restoredVersion(
  state: ConnectionState,
  {
    memory,
    left,
  }: Extract<ConnectionEvent, { readonly kind: "restored-version" }>,
): Next {
  const desired = state.desired ?? (left && { ...left, isRemembered: true });
  return plan({ ...state, memory, desired, isDownloading: false });
}

function pollRequested(state: ConnectionState, isByOperator: boolean): Next {
  if (!state.connection.isEnabled) return only(state);
  // Someone may have fixed the cause.
  const failedPolls = isByOperator ? 0 : state.failedPolls;
  return pollToo(
    only({ ...state, failedPolls }),
    isByOperator && state.problems.poll !== null,
  );
}

function polled(
  before: ConnectionState,
  desired: Omit<Desired, "isRemembered"> | null,
  moment: Moment,
): Next {
  const memory = { ...before.memory, lastContactAt: moment.now };
  const state: ConnectionState = {
    ...withProblem(before, "poll", { failure: null }, moment),
    ...{ memory, failedPolls: 0, appliesInRow: 0 },
  };
  const next = polledAgain(
    {
      ...(desired ? withDesired(state, desired, moment) : state),
      ...{ isDownloadDue: true, isApplyDue: true },
    },
    0,
    moment,
  );
  return {
    state: next.state,
    effects: [
      ...(desired ? [save] : []),
      ...next.effects,
      { kind: "heard" },
      // The apply that waits for the end of a showing may have been superseded.
      ...(desired && state.isApplying
        ? [{ kind: "apply-again" as const }]
        : []),
    ],
  };
}

function withDesired(
  state: ConnectionState,
  desired: Omit<Desired, "isRemembered">,
  { now }: Moment,
): ConnectionState {
  return {
    ...state,
    desired: { ...desired, isRemembered: false },
    ...{ areAppsDue: true, isRisky: true },
    failed: failuresOf(state.failed, desired.state.content),
    memory: memoryOf(state.memory, desired.target, now),
  };
}

/** Decisions about another desired state do not apply to this one. */
function memoryOf(
  memory: ConnectionMemory,
  target: string,
  now: number,
): ConnectionMemory {
  const ofThis = (earlier: string | null): string | null =>
    earlier === target ? earlier : null;
  return {
    ...memory,
    wanted: target,
    seenAt: memory.wanted === target ? memory.seenAt : now,
    postponed: ofThis(memory.postponed),
    approved: ofThis(memory.approved),
    trusted: memory.trustsNext ? target : ofThis(memory.trusted),
    trustsNext: false,
  };
}

function pollFailed(
  before: ConnectionState,
  failure: SyncFailure,
  retryAfterMs: number,
  moment: Moment,
): Next {
  const isNew = before.problems.poll?.code !== failure.code;
  const state = {
    ...withProblem(before, "poll", { failure }, moment),
    ...{ failedPolls: before.failedPolls + 1, isApplyDue: true },
  };
  const next = polledAgain(state, retryAfterMs, moment);
  return isNew ? { ...next, effects: [save, ...next.effects] } : next;
}

/** Ends a poll: plans its result and schedules the next one, or starts it if one was requested in the meantime. */
function polledAgain(
  state: ConnectionState,
  retryAfterMs: number,
  moment: Moment,
): Next {
  const { connection, problems, failedPolls } = state;
  const next = plan({ ...state, poll: "none" });
  if (state.poll === "running-and-due") return pollToo(next);
  const ms = pollPauseMs({
    ...{ pollSeconds: connection.pollSeconds, retryAfterMs },
    ...{ problem: problems.poll?.code ?? null, failuresInRow: failedPolls },
    random: moment.random,
  });
  return pollAfter(next, ms, moment);
}

function pollAfter({ state, effects }: Next, ms: number, moment: Moment): Next {
  return {
    state: { ...state, nextPollAt: moment.now + ms, pollPauseMs: ms },
    effects: [...effects, { kind: "poll-after", ms }],
  };
}

function pollToo({ state, effects }: Next, startsOver = false): Next {
  if (state.poll !== "none")
    return { state: { ...state, poll: "running-and-due" }, effects };
  return {
    state: { ...state, poll: "running", nextPollAt: null },
    effects: [...effects, { kind: "poll", startsOver }],
  };
}

function planned(
  before: ConnectionState,
  progress: Progress | null,
  moment: Moment,
): Next {
  let state: ConnectionState = { ...before, progress };
  const effects: Effect[] = [];
  if (state.isDownloadDue) {
    const fetches = fetchesOf(state, moment);
    const isDownloading = fetches.length > 0;
    if (isDownloading || state.isDownloading)
      effects.push({ kind: "download", fetches });
    const next = { ...state, isDownloading, isDownloadDue: false };
    // Nothing is missing any more that could fail.
    state = isDownloading
      ? next
      : withProblem(next, "download", { failure: null }, moment);
  }
  if (progress)
    effects.push({
      kind: "keep-waiting",
      isWaiting: holdOf(state, moment) !== null,
    });
  const hasWork = stateToApply(state, moment) !== null || hasAppWork(state);
  if (state.isApplyDue && !state.isApplying) {
    if (hasWork) effects.push({ kind: "apply" });
    else state = withProblem(state, "apply", { failure: null }, moment);
    state = {
      ...state,
      isApplying: hasWork,
      isApplyDue: false,
      areAppsDue: false,
    };
  }
  const dueAt = dueAtOf(state, moment);
  if (dueAt !== null)
    effects.push({ kind: "apply-after", ms: dueAt - moment.now });
  return { state, effects };
}

/** Apps to assemble, or secret settings of apps to store. */
function hasAppWork({ progress, areAppsDue }: ConnectionState): boolean {
  return (
    progress !== null &&
    (progress.hasAppsToAssemble || (areAppsDue && progress.hasApps))
  );
}

function downloadsEnded(
  before: ConnectionState,
  {
    failure,
    hasReceived,
  }: Extract<ConnectionEvent, { kind: "downloads-ended" }>,
  moment: Moment,
): Next {
  const next = plan({
    ...withProblem(before, "download", { failure }, moment),
    ...{ isDownloading: false, hasArrived: false, isApplyDue: true },
  });
  const { poll, nextPollAt } = next.state;
  const isSoon =
    hasReceived &&
    (failure?.code === "unavailable" || hasBrokenOff(next.state.failed));
  const isLater =
    poll === "none" && (nextPollAt ?? Infinity) > moment.now + soonMs;
  return isSoon && isLater ? pollAfter(next, soonMs, moment) : next;
}

function settingsChanged(
  before: ConnectionState,
  connection: SyncConnection,
  isScreenChanged: boolean,
): Next {
  const changed: ConnectionState = { ...before, connection, failedPolls: 0 };
  const state: ConnectionState = isScreenChanged
    ? {
        ...changed,
        memory: {
          ...before.memory,
          ...{ version: null, prefix: null, trustsNext: true },
        },
      }
    : changed;
  const saving = isScreenChanged ? [save] : [];
  if (!connection.isEnabled)
    return {
      state: {
        ...{ ...state, poll: "none", nextPollAt: null },
        ...{ isDownloading: false, isDownloadDue: false, isApplyDue: false },
        problems: { poll: null, download: null, apply: null },
      },
      effects: [...saving, { kind: "stop" }],
    };
  if (isScreenChanged || !before.connection.isEnabled) {
    const next = isScreenChanged ? giveUpDownloads(state) : only(state);
    const { effects } = next;
    return pollToo({ state: next.state, effects: [...saving, ...effects] });
  }
  // Another mode or time may release what waits; another token is worth a poll.
  return pollToo(tryAll(state));
}

function stopOutsideHours(state: ConnectionState, moment: Moment): Next {
  return mayFetchAt(state.connection, moment.now, moment.zone)
    ? only(state)
    : giveUpDownloads(state);
}

function giveUpDownloads(state: ConnectionState): Next {
  if (!state.isDownloading) return only(state);
  return {
    state: { ...state, isDownloading: false },
    effects: [{ kind: "download", fetches: [] }],
  };
}

function tryAll(state: ConnectionState): Next {
  const { isEnabled } = state.connection;
  return plan({ ...state, isDownloadDue: isEnabled, isApplyDue: isEnabled });
}

/** What is being read may be outdated: in that case it is read again. */
function plan(state: ConnectionState): Next {
  if (state.planning !== "none")
    return only({ ...state, planning: "running-and-due" });
  return {
    state: { ...state, planning: "running" },
    effects: [{ kind: "plan" }],
  };
}

function only(state: ConnectionState): Next {
  return { state, effects: [] };
}

function saved({ state, effects }: Next): Next {
  const next = plan(state);
  return { ...next, effects: [save, ...effects, ...next.effects] };
}

function withProblem(
  state: ConnectionState,
  where: keyof ConnectionState["problems"],
  { failure }: { readonly failure: SyncFailure | null },
  { now }: Moment,
): ConnectionState {
  const before = state.problems[where];
  const problem = failure && {
    ...{ code: failure.code, message: failure.message },
    since: before?.code === failure.code ? before.since : now,
  };
  return { ...state, problems: { ...state.problems, [where]: problem } };
}
