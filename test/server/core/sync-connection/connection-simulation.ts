// Naive world around the connection reducer: a service, a disk, rows and timers of a few lines, driven step by step.

import {
  reduce,
  type ConnectionEvent,
  type Effect,
} from "../../../../server/core/sync-connection/connection-reducer.ts";
import {
  dueAtOf,
  emptyMemory,
  fetchesOf,
  holdOf,
  initialState,
  isInSync,
  stateToApply,
  type ConnectionMemory,
  type ConnectionState,
  type Desired,
  type Moment,
  mayFetchAt,
} from "../../../../server/core/sync-connection/connection-state.ts";
import {
  progressSliced,
  type DesiredState,
  type Progress,
  isSuspiciousRemoval,
} from "../../../../server/core/sync-connection/plan-progress.ts";
import { inOneGo } from "../../../../server/core/slices.ts";
import {
  isEqual,
  isNothingToApply,
  planSync,
  type Fetch,
  type Held,
} from "../../../../server/core/sync-plan/sync-plan.ts";
import {
  connectionDefaults,
  type SyncConnection,
  type SyncMode,
} from "../../../../server/core/sync-plan/sync-state.ts";
import {
  emptyContent,
  orderedContent,
  type DesiredContent,
} from "../../../../server/core/sync-plan/desired-content.ts";
import {
  applied,
  asset,
  emptyHanded,
  playlist,
} from "../../../support/sync/sync-plans.ts";

const hourMs = 3_600_000;
/** Longest pause between two polls: a rejected token, with its spread, or a day that the service asked for. */
const maxPauseMs = 24 * hourMs * 1.1;
const pollSeconds = 60;
const fileNumbers = [0, 1, 2, 3, 4, 5, 6, 7];

const md5s = fileNumbers.map((file) => String(file).padStart(32, "0"));
const md5Of = (file: number): string => md5s[file] ?? "";
const sources = new Map(
  md5s.map((md5) => [md5, [`https://files.example/${md5}`]]),
);

/** The desired content by file: one asset for each, the first four in a playlist. */
function contentOf(files: readonly number[]): DesiredContent {
  const all = [...new Set(files)].sort();
  const ids = all.filter((file) => file < 4).map((file) => `a${file}`);
  return orderedContent({
    assets: all.map((file) =>
      asset(`a${file}`, { isPlaylistOnly: file < 4 }, md5Of(file)),
    ),
    playlists: [playlist("p", ids)],
  });
}

export type WorldOperation =
  | { readonly name: "service wants"; readonly files: readonly number[] }
  | { readonly name: "service switches"; readonly on: boolean }
  | { readonly name: "service is away"; readonly on: boolean }
  | { readonly name: "file is broken"; readonly file: number }
  | { readonly name: "files are sound" }
  | { readonly name: "file vanishes"; readonly file: number }
  | { readonly name: "poll is requested" }
  | { readonly name: "service suggests a poll" }
  | { readonly name: "a large answer comes" }
  | { readonly name: "download breaks off" }
  | { readonly name: "a second passes" }
  | { readonly name: "application fails" }
  | { readonly name: "time passes"; readonly hours: number }
  | { readonly name: "clock is set"; readonly hours: number }
  | { readonly name: "mode is set"; readonly mode: SyncMode }
  | { readonly name: "hours are set"; readonly on: boolean }
  | { readonly name: "connection is switched"; readonly on: boolean }
  | { readonly name: "screen is changed" }
  | { readonly name: "approved" }
  | { readonly name: "postponed" }
  | { readonly name: "version is restored" }
  | { readonly name: "edited here" }
  | { readonly name: "restarted" };

interface StoredPlan {
  readonly target: string;
  readonly content: DesiredContent;
}

export interface WorldStep {
  readonly operation: WorldOperation;
  /** Number of operations under way that end afterwards. */
  readonly ends: number;
}

/** Each operation asserts what must hold at every moment; `finishEverything` asserts what must hold when idle. */
export function createConnectionWorld(random: () => number) {
  let now = Date.UTC(2026, 4, 5, 12);
  /** Clock of the timers, which nobody sets. */
  let monotonic = 0;
  let connection: SyncConnection = {
    ...{ ...connectionDefaults, id: "one", kind: "cloud", tokenKept: "file" },
    ...{ name: "One", baseUrl: "https://service.example", tokensGiven: 0 },
    pollSeconds,
  };

  // The service and its files.
  let content = emptyContent;
  let isEnabled = true;
  let isAway = false;
  const broken = new Set<string>();

  // State that survives a restart.
  let saved: ConnectionMemory = emptyMemory;
  let held: Held = emptyHanded;
  let files: ReadonlySet<string> = new Set();
  const keepFiles = (next: ReadonlySet<string>): void => {
    files = next;
    held = { ...held, files };
  };
  let plans: readonly StoredPlan[] = [];
  let waiting: (StoredPlan & { readonly at: number }) | null = null;

  // Operations under way.
  let state: ConnectionState = initialState(connection, saved);
  let isPolling = false;
  let isApplying = false;
  let isPlanning = false;
  /** Something new is being read, planned or applied. */
  let isRisky = false;
  let isRequired = false;
  /** Consecutive ones. */
  let cutOffRuns = 0;
  let downloading: readonly Fetch[] = [];
  let pollTimer: { readonly at: number; readonly setAt: number } | null = null;
  let applyTimer: number | null = null;
  /** Requested during a poll: another one follows it. */
  let isRequestedAgain = false;
  /** The operator's decision about a target, modelled naively: valid until the service wants another. */
  let reported: {
    readonly target: string;
    readonly what: "approved" | "postponed";
  } | null = null;
  let isTrusting = false;
  let trusted: string | null = null;
  /** Effects since the restart or the last event, by kind. */
  let done: readonly Effect["kind"][] = [];

  function assert(isTrue: boolean, rule: string): void {
    if (!isTrue) throw new Error(`broken: ${rule}`);
  }

  const moment = (): Moment => ({ now, zone: "UTC", random: random() });

  function dispatch(event: ConnectionEvent): void {
    const events = [event];
    done = [];
    for (let next = events.shift(); next; next = events.shift()) {
      const { state: after, effects } = reduce(state, next, moment());
      state = after;
      for (const effect of effects) {
        done = [...done, effect.kind];
        const follows = carryOut(effect);
        if (follows) events.push(follows);
      }
    }
    assertAlways();
  }

  function carryOut(effect: Effect): ConnectionEvent | null {
    const { isEnabled: isOn } = state.connection;
    switch (effect.kind) {
      case "poll":
        assert(isOn, "a connection that is off is not polled");
        assert(!isPolling, "one poll at a time");
        isPolling = true;
        pollTimer = null;
        return null;
      case "poll-after":
        assert(isOn, "a connection that is off is not polled later either");
        assert(!isPolling, "no poll is set while one is under way");
        assert(effect.ms > 0 && effect.ms <= maxPauseMs, "pauses are bounded");
        pollTimer = { at: monotonic + effect.ms, setAt: monotonic };
        return null;
      case "apply-after":
        assert(effect.ms > 0, "what is due at a time is not due yet");
        applyTimer = monotonic + effect.ms;
        return null;
      case "plan":
        assert(!isPlanning, "one plan at a time");
        isPlanning = true;
        // A large one takes several slices.
        return random() < 0.7 ? endPlan() : null;
      case "download":
        assertFetches(effect.fetches);
        downloading = effect.fetches;
        return null;
      case "apply":
        assert(
          isOn || state.memory.approved === state.desired?.target,
          "a connection that is off applies nothing but what was approved",
        );
        assert(!isApplying, "one application at a time");
        assert(state.desired !== null, "what is applied is known");
        isApplying = true;
        isRisky = true;
        return null;
      case "keep-waiting":
        keepWaiting(effect.isWaiting);
        return null;
      case "save":
      case "mark-run":
        saved = state.memory;
        return null;
      case "stop":
        isPolling = false;
        isRequestedAgain = false;
        downloading = [];
        pollTimer = null;
        applyTimer = null;
        return null;
      case "apply-again":
      case "forget-addresses":
      case "heard":
        return null;
    }
  }

  function endPlan(): ConnectionEvent {
    isPlanning = false;
    return { kind: "planned", progress: readProgress() };
  }

  function readProgress(): Progress | null {
    const { desired, failed } = state;
    if (!desired) return null;
    const { target } = desired;
    return inOneGo(
      progressSliced(
        ...([target, desired.state] as const),
        {
          current: plans[0]?.content ?? emptyContent,
          before: planBefore(target),
        },
        held,
        (md5) => failed.get(md5)?.isGivenUp === true,
      ),
    );
  }

  /** The content applied last for any other target. */
  function planBefore(target: string): DesiredContent {
    const other = plans.find((one) => one.target !== target);
    return other?.content ?? emptyContent;
  }

  function assertFetches(fetches: readonly Fetch[]): void {
    const { desired, memory } = state;
    if (fetches.length === 0) return;
    assert(
      state.connection.isEnabled,
      "a connection that is off fetches nothing",
    );
    assert(memory.postponed !== desired?.target, "postponed is not fetched");
    assert(
      mayFetchAt(state.connection, now, "UTC"),
      "files come in their hours",
    );
    for (const { md5 } of fetches) {
      assert(desired?.state.sources.has(md5) === true, "a file has a source");
      assert(!held.files.has(md5), "a file that is here is not fetched");
      const failed = state.failed.get(md5);
      const isDue = !failed || now >= failed.failedAt + failed.pauseMs;
      assert(isDue, "a file that failed has its pause");
    }
  }

  function assertAlways(): void {
    const { memory, desired, failed } = state;
    const { isEnabled: isOn } = state.connection;
    assert((state.poll !== "none") === isPolling, "the poll is known");
    assert(state.isApplying === isApplying, "the application is known");
    assert(
      state.isDownloading === downloading.length > 0,
      "the downloads are known",
    );
    assert(
      isOn
        ? isPolling !== (pollTimer !== null)
        : !isPolling && pollTimer === null,
      "a poll is under way or due, and both never; of one that is off neither",
    );
    if (isRisky && !isPolling && !isApplying && !isPlanning) {
      isRisky = false;
      cutOffRuns = 0;
    }
    assert(
      saved.unendedRuns === cutOffRuns + Number(isRisky),
      "what a run makes of something new is noted before it",
    );
    // Decisions about a plan are saved with it.
    for (const field of [
      ...(["wanted", "approved", "postponed", "trusted"] as const),
      "trustsNext" as const,
    ])
      assert(saved[field] === memory[field], `${field} outlives a restart`);
    // Clock changes postpone nothing.
    assert(memory.seenAt <= now, "nothing was seen in the future");
    for (const { failedAt } of failed.values())
      assert(failedAt <= now, "nothing failed in the future");
    for (const problem of Object.values(state.problems))
      assert((problem?.since ?? 0) <= now, "no problem is from the future");
    if (desired === null) return;
    const step = stateToApply(state, moment());
    const isPostponed = memory.postponed === desired.target;
    assert(!isPostponed || step === null, "postponed is not applied");
    const hold = holdOf(state, moment());
    if (hold === "more-than-half" && step !== null) {
      const { forgetAssets, forgetPlaylists } = step.plan;
      const removed = forgetAssets.length + forgetPlaylists.length;
      assert(removed === 0, "a hold removes nothing");
    }
    if (isInSync(state, moment()) === true && !isStale())
      assert(isAllHere(desired.state.content), "in sync is the truth");
  }

  /** Rows or files have changed, and the connection will only be notified later. */
  let isStale = (): boolean => false;

  function isAllHere({ assets, playlists }: DesiredContent): boolean {
    return (
      assets.every(
        ({ remoteId, facts, file }) =>
          held.files.has(file?.md5 ?? "") &&
          held.assets.some(
            (one) => one.remoteId === remoteId && isEqual(one.now, facts),
          ),
      ) &&
      held.assets.length === assets.length &&
      playlists.every(({ remoteId, facts }) =>
        held.playlists.some(
          (one) => one.remoteId === remoteId && isEqual(one.now, facts),
        ),
      ) &&
      held.playlists.length === playlists.length
    );
  }

  /** As a connection keeps it. */
  function keepWaiting(isWaiting: boolean): void {
    const { progress, desired, memory } = state;
    if (!progress || !desired || desired.isRemembered) return;
    const { target, complete, isComplete } = progress;
    const isOver =
      waiting?.target !== target ||
      (isComplete && isNothingToApply(complete.plan));
    if (isWaiting)
      waiting = { target, content: complete.content, at: memory.seenAt };
    else if (isOver) waiting = null;
  }

  function desiredNow(): Omit<Desired, "isRemembered"> {
    const now: DesiredContent = {
      ...content,
      playlists: content.playlists.map((one) => ({
        ...one,
        facts: { ...one.facts, isEnabled },
      })),
    };
    return {
      target: JSON.stringify([
        content.assets.map((a) => a.remoteId),
        isEnabled,
      ]),
      state: stateOf(now, sources),
    };
  }

  function note(target: string, to: DesiredContent): void {
    const others = plans.filter((one) => one.target !== target);
    plans = [{ target, content: to }, ...others].slice(0, 2);
  }

  function endPoll(): void {
    if (!isPolling) return;
    isPolling = false;
    const isMore = isRequestedAgain;
    isRequestedAgain = false;
    notifyPoll();
    assert(!isMore || isPolling, "what was requested meanwhile is asked");
  }

  function notifyPoll(): void {
    if (isAway)
      return dispatch({
        ...{ kind: "poll-failed", retryAfterMs: 0 },
        failure: { code: "unavailable", message: "away" },
      });
    isRequired = false;
    const desired = desiredNow();
    if (isTrusting) trusted = desired.target;
    else if (trusted !== desired.target) trusted = null;
    if (reported?.target !== desired.target) reported = null;
    isTrusting = false;
    isRisky = true;
    dispatch({ kind: "polled", desired });
  }

  function endFile(): void {
    const [fetch, ...others] = downloading;
    if (!fetch) return;
    const { md5 } = fetch;
    downloading = others;
    const failure = {
      ...{ reason: "404", isGivenUp: false, isAddressOld: true },
    };
    // The queue reports its end with its last file.
    const before = downloading;
    if (broken.has(md5)) reduceOnly({ kind: "file-failed", md5, failure });
    else {
      keepFiles(new Set([...files, md5]));
      reduceOnly({ kind: "file-came", md5 });
    }
    if (before.length === 0)
      dispatch({
        ...{ kind: "downloads-ended", hasReceived: true },
        failure: null,
      });
    else assertAlways();
  }

  /** An event that is followed by another before anything is checked. */
  function reduceOnly(event: ConnectionEvent): void {
    const { state: after, effects } = reduce(state, event, moment());
    state = after;
    for (const effect of effects) carryOut(effect);
  }

  function endApplication(isGood: boolean): void {
    if (!isApplying) return;
    // Applies what is to be applied by now.
    state = { ...state, progress: readProgress() };
    const step = stateToApply(state, moment());
    const { progress, desired } = state;
    if (isGood && step && progress && desired) {
      assert(
        !isReported("postponed", desired.target),
        "postponed is not applied",
      );
      const isLast = progress.isComplete && step === progress.complete;
      held = applied(held, step.plan);
      note(desired.target, step.content);
      if (isLast) waiting = null;
      saved = { ...state.memory, lastAppliedAt: now };
      reduceOnly({ kind: "applied", unwritten: [] });
    }
    isApplying = false;
    const failure = isGood
      ? null
      : { code: "read-only" as const, message: "full" };
    dispatch({ kind: "apply-ended", failure });
  }

  /** Timers that expire in this time fire once. */
  function pass(ms: number): void {
    now += ms;
    monotonic += ms;
    if (applyTimer !== null && applyTimer <= monotonic) {
      applyTimer = null;
      dispatch({ kind: "hour-came" });
    }
    if (pollTimer !== null && pollTimer.at <= monotonic) {
      pollTimer = null;
      dispatch({ kind: "poll-due" });
    }
    if (downloading.length > 0) dispatch({ kind: "second-passed" });
  }

  function change(
    next: Partial<SyncConnection>,
    isScreenChanged: boolean,
  ): void {
    connection = { ...connection, ...next };
    dispatch({ kind: "settings-changed", connection, isScreenChanged });
    if (!connection.isEnabled) return;
    assert(state.poll !== "none", "changed settings are worth a poll");
  }

  function restart(): void {
    isPolling = false;
    isPlanning = false;
    isRequestedAgain = false;
    isApplying = false;
    downloading = [];
    pollTimer = null;
    applyTimer = null;
    cutOffRuns += Number(isRisky);
    isRisky = false;
    assert(
      cutOffRuns === saved.unendedRuns,
      "runs that were cut off are known",
    );
    state = initialState(connection, saved);
    const remembered = waiting && {
      ...{ target: waiting.target, at: waiting.at },
      state: stateOf(waiting.content, new Map()),
    };
    dispatch({
      kind: "restarted",
      connection,
      memory: saved,
      waiting: remembered,
    });
    if (!connection.isEnabled) return;
    assert(done.includes("plan"), "a restart reads rows and files");
    assert(
      done.includes(cutOffRuns > 0 ? "poll-after" : "poll"),
      "a restart asks the service, after a run that was cut off later",
    );
  }

  function perform(operation: WorldOperation): void {
    switch (operation.name) {
      case "service wants":
        content = contentOf(operation.files);
        return;
      case "service switches":
        isEnabled = operation.on;
        return;
      case "service is away":
        isAway = operation.on;
        return;
      case "file is broken":
        for (const file of fileNumbers)
          if (file >= operation.file) broken.add(md5Of(file));
        return;
      case "files are sound":
        broken.clear();
        return;
      case "file vanishes": {
        const md5 = md5Of(operation.file);
        if (!held.files.has(md5)) return;
        keepFiles(new Set([...files].filter((one) => one !== md5)));
        return dispatch({ kind: "file-lost" });
      }
      case "poll is requested":
        isRequestedAgain ||= isPolling;
        dispatch({ kind: "poll-requested" });
        assert(
          !connection.isEnabled || state.poll !== "none",
          "what an operator requests begins",
        );
        return;
      case "a large answer comes":
        if (!isPolling) return;
        isRisky = true;
        return dispatch({ kind: "large-answer" });
      case "service suggests a poll": {
        const was = isPolling;
        isRequestedAgain ||= isPolling && cutOffRuns === 0;
        dispatch({ kind: "poll-suggested" });
        if (!connection.isEnabled) return;
        assert(
          isPolling === (was || cutOffRuns === 0),
          "what the service suggests begins, but after a run that was cut off",
        );
        return;
      }
      case "download breaks off": {
        if (downloading.length === 0) return;
        downloading = [];
        const failure = { code: "unavailable" as const, message: "reset" };
        return dispatch({
          ...{ kind: "downloads-ended", failure, hasReceived: true },
        });
      }
      case "a second passes":
        return pass(1000);
      case "application fails":
        return endApplication(false);
      case "time passes":
        return pass(operation.hours * hourMs);
      case "clock is set":
        now += operation.hours * hourMs;
        return dispatch({ kind: "edited-here" });
      case "mode is set":
        return change({ mode: operation.mode }, false);
      case "hours are set": {
        const [from, until] = operation.on
          ? [hourMs, 5 * hourMs]
          : [null, null];
        return change({ fetchFromMs: from, fetchUntilMs: until }, false);
      }
      case "connection is switched":
        return change({ isEnabled: operation.on }, false);
      case "screen is changed":
        isTrusting = true;
        change({ labels: [`${random()}`] }, true);
        assert(downloading.length === 0, "files of another screen do not come");
        return;
      case "approved":
        if (!state.desired || holdOf(state, moment()) === null) return;
        reported = { target: state.desired.target, what: "approved" };
        return dispatch({ kind: "approved" });
      case "postponed":
        if (!state.desired || holdOf(state, moment()) === null) return;
        reported = { target: state.desired.target, what: "postponed" };
        dispatch({ kind: "postponed" });
        assert(downloading.length === 0, "of what is postponed nothing comes");
        return;
      case "version is restored":
        return restoreVersion();
      case "edited here":
        return dispatch({ kind: "edited-here" });
      case "restarted":
        return restart();
    }
  }

  function restoreVersion(): void {
    const [current, to] = plans;
    if (!current || !to) return;
    downloading = [];
    held = applied(held, planSync(to.content, held));
    const left = state.desired?.target ?? state.memory.wanted ?? current.target;
    const postponed = left === to.target ? null : left;
    const memory = {
      ...{ ...state.memory, wanted: left, approved: null, postponed },
      lastAppliedAt: now,
    };
    note(to.target, to.content);
    saved = memory;
    reported =
      postponed === null ? null : { target: postponed, what: "postponed" };
    const isKnown = current.target === memory.wanted;
    dispatch({
      ...{ kind: "restored-version", memory },
      left: isKnown
        ? { target: current.target, state: stateOf(current.content, new Map()) }
        : null,
    });
  }

  /** False: nothing is under way. */
  function endOne(): boolean {
    const ends = [
      ...(isApplying ? [() => endApplication(true)] : []),
      ...(downloading.length > 0 ? [endFile] : []),
      ...(isPolling ? [endPoll] : []),
      ...(isPlanning ? [() => dispatch(endPlan())] : []),
    ];
    ends[Math.floor(random() * ends.length)]?.();
    return ends.length > 0;
  }

  function finishAll(): void {
    for (let left = 200; left > 0; left -= 1) if (!endOne()) return;
    throw new Error("broken: it comes to rest");
  }

  /** Everything works again: by polling alone, the connection gets what is wanted, or holds what it must. */
  function finishEverything(): void {
    broken.clear();
    isAway = false;
    if (!connection.isEnabled)
      return (change({ isEnabled: true }, false), finishEverything());
    isRequired = true;
    finishAll();
    // What was given up is retried within the hour; nightly plans and download windows come within the day.
    pass(1.1 * hourMs);
    finishAll();
    for (const hour of [2, 3.5, 12, 2, 3.5, 4]) {
      pass(hoursUntil(hour) * hourMs);
      finishAll();
    }
    assert(!isRequired, "the service is asked again by itself");
    assertRest();
  }

  const hoursUntil = (hour: number): number =>
    (hour - ((now / hourMs) % 24) + 24) % 24;

  const isReported = (what: string, target: string): boolean =>
    reported?.target === target && reported.what === what;

  function assertRest(): void {
    const { desired, progress } = state;
    const target = desiredNow();
    assert(desired?.target === target.target, "what is wanted is known");
    const { content: all } = target.state;
    const hold = holdOf(state, moment());
    if (isReported("postponed", target.target)) {
      assert(hold === "postponed", "postponed holds");
      return;
    }
    if (isReported("approved", target.target))
      assert(isAllHere(all), "what was approved is applied");
    if (hold === null) {
      assert(isAllHere(all), "what is wanted is here");
      assert(isInSync(state, moment()) === true, "and that is known");
      return;
    }
    assert(isInSync(state, moment()) === false, "held is not in sync");
    if (hold === "tonight") {
      assert(dueAtOf(state, moment()) !== null, "a night comes");
      throw new Error("broken: the night has come within a day");
    }
    if (hold === "ask") {
      assert(
        connection.mode === "ask",
        "only a mode that asks waits for a person",
      );
      return;
    }
    assert(
      inOneGo(isSuspiciousRemoval(all, planBefore(target.target), new Map())),
      "only a removal that looks like an accident is held",
    );
    assert(trusted !== target.target, "trusted is not held");
    assert(progress?.withoutRemoval !== null, "a held removal is known");
    if (connection.mode !== "now") return;
    for (const { remoteId, facts } of all.assets)
      assert(
        held.assets.some(
          (one) => one.remoteId === remoteId && isEqual(one.now, facts),
        ),
        "a hold holds removals and nothing else",
      );
  }

  isStale = () => isPlanning || fetchesOf(state, moment()).length > 0;

  return {
    run: (steps: readonly WorldStep[]): void => {
      restart();
      for (const { operation, ends } of steps) {
        perform(operation);
        for (let left = ends; left > 0; left -= 1) endOne();
      }
      finishEverything();
      restart();
      finishEverything();
    },
  };
}

function stateOf(
  content: DesiredContent,
  sources: ReadonlyMap<string, readonly string[]>,
): DesiredState {
  return {
    ...{ content, sources, secrets: new Map() },
    ...{ itemFailures: [], unreadable: new Set<string>() },
  };
}
