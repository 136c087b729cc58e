// Runs the sync of one connection: carries out the effects of the reducer, stores its plans, and reports the results back to it.

import { createHash, randomBytes } from "node:crypto";
import { connectionSentences } from "../../../contract/sentences/connection-sentences.ts";
import { Failure } from "../../../core/failure.ts";
import {
  reduce,
  type ConnectionEvent,
  type Effect,
  type SyncFailure,
} from "../../../core/sync-connection/connection-reducer.ts";
import {
  holdOf,
  initialState,
  isInSync,
  nextPollAtOf,
  phaseOf,
  problemOf,
  stateToApply,
  itemFailuresIn,
  type ConnectionMemory,
  type Moment,
} from "../../../core/sync-connection/connection-state.ts";
import {
  progressSliced,
  type Progress,
} from "../../../core/sync-connection/plan-progress.ts";
import {
  isNothingToApply,
  planSync,
  withoutOwn,
  type SyncPlan,
  planViewOf,
} from "../../../core/sync-plan/sync-plan.ts";
import { inOneGo, type Sliced } from "../../../core/slices.ts";
import type {
  AppliedPlanView,
  PlanView,
  SyncConnection,
  SyncProgress,
  SyncStatus,
} from "../../../core/sync-plan/sync-state.ts";
import {
  type DesiredContent,
  filesOfAsset,
  emptyContent,
} from "../../../core/sync-plan/desired-content.ts";
import type { Log } from "../../../platform/log.ts";
import { actorScope, serviceActor } from "../../logs/actor.ts";
import type { Parts } from "../download/partial-files.ts";
import type { AppSecrets, ConnectionTokens } from "../store/secret-store.ts";
import type { SiteSharing } from "../site/site-sharing.ts";
import type { SyncLibrary } from "../store/library-store.ts";
import type { StoredPlan } from "../store/sync-rows.ts";
import {
  toRemoteErrorOrBug,
  type RemoteError,
} from "../remote/remote-error.ts";
import type { Clock } from "../../../platform/clock.ts";
import { createDownloadQueue } from "../download/download-queue.ts";
import { assembleApps } from "../edge-apps/assemble-apps.ts";
import { waitForShowingEnd } from "./wait-for-showing-end.ts";
import { createPoll } from "./poll.ts";

export interface Connection {
  status(): SyncStatus;
  /** The plan that is waiting to be applied; null if there is none. */
  plan(): PlanView | null;
  start(): void;
  /** `isSuggested`: the content service asked for this poll. */
  run(isSuggested: boolean): void;
  /** Throws `conflict` if no plan is waiting, or if another plan than `planId` is. */
  apply(planId?: string): void;
  /** Postpones the waiting plan; throws `conflict` if there is none. */
  hold(): void;
  /** Restores the plan before the current one; throws `conflict` if there is none. */
  back(): Promise<readonly AppliedPlanView[]>;
  /** An operator changed the settings or the token. */
  changed(connection: SyncConnection): void;
  /** The rows of this connection were written by something else. */
  readAgain(connection: SyncConnection, memory: ConnectionMemory): void;
  /** MD5 of each file that a plan of this connection needs or will need. */
  needed(): readonly string[];
  /** Whether it is one of them, as of a moment ago. */
  isNeeded(md5: string): boolean;
  /** The bytes of this file are lost: if a plan needs them, they are downloaded again. */
  fetchAgain(md5: string): void;
  /** A person changed content of this connection locally (V2-560). */
  editedHere(): void;
  /** The service may need more files than we know of: it has not answered since the start (V2-345). */
  isAwaited(): boolean;
  stop(): Promise<void>;
}

export interface ConnectionOptions {
  readonly connection: SyncConnection;
  readonly memory: ConnectionMemory;
  readonly library: SyncLibrary;
  readonly parts: Parts;
  readonly appSecrets: AppSecrets;
  readonly tokens: Pick<ConnectionTokens, "open">;
  readonly clock: Clock;
  readonly random: () => number;
  readonly zone: () => string;
  readonly reserveBytes: () => number;
  readonly silenceMs: number;
  readonly maxBytesPerSecond: number;
  /** Files are shared with other players; null: never. */
  readonly sharing: SiteSharing | null;
  readonly log: Log;
  readonly onProgress: (progress: SyncProgress) => void;
  /** Called when files may have become unneeded: a plan was applied, or what the service wanted before was superseded. */
  readonly onReleased: () => Promise<void>;
  /** Called after the service has answered. */
  readonly onContact: () => Promise<void>;
}

/** Other players of the site may ask for hundreds of files at once. */
const neededMs = 500;
/** A service that has been silent for longer is not waited for: partial downloads for it are dropped and start over. */
const maxAwaitedMs = 30 * 24 * 3_600_000;

export function createConnection(options: ConnectionOptions): Connection {
  const { library, clock, log, sharing } = options;
  const { id } = options.connection;
  const storedPlans = createStoredPlans(library, id, clock.now);
  let state = initialState(options.connection, options.memory);
  const events: ConnectionEvent[] = [];
  let isReducing = false;
  let isStarted = false;
  /** A poll was requested before the start. */
  let isRequested = false;
  let isStopped = false;
  let polling = new AbortController();
  /** Cancels waiting for the end of a showing; the next apply gets a controller of its own. */
  let applying = new AbortController();
  /** Writes run one after the other. */
  let lastTask: Promise<void> = Promise.resolve();
  let polled: Promise<void> = Promise.resolve();
  let stopPollTimer = (): void => undefined;
  let stopApplyTimer = (): void => undefined;

  const token = (): Promise<string | null> =>
    options.tokens.open(state.connection);
  const poll = createPoll({
    ...{ ...options, token },
    connection: () => state.connection,
    memory: () => state.memory,
    now: clock.now,
    onLargeAnswer: () => dispatch({ kind: "large-answer" }),
    noteVersion: (found) => dispatch({ kind: "version-found", ...found }),
  });
  const downloads = createDownloadQueue({
    ...{ ...options, token },
    connection: () => state.connection,
    site:
      sharing &&
      ((of, signal) => {
        const isLinked = state.connection.kind === "screen";
        return sharing.begin(id, of, signal, isLinked);
      }),
    onBegun: () => sharing?.resetCounts(id),
    onCame: (md5, isRequested) => {
      dispatch({ kind: "file-came", md5 });
      // Its download was aborted too late.
      if (!isRequested) void runInOrder(options.onReleased).catch(noteBug);
    },
    onFailed: (md5, failure) => {
      log.warn("sync.file-failed", { md5, reason: failure.reason });
      dispatch({ kind: "file-failed", md5, failure });
    },
    onSecond: () => dispatch({ kind: "second-passed" }),
    onEnded: (error, hasReceived) => {
      const failure = error === null ? null : toRemoteError(error);
      dispatch({ kind: "downloads-ended", failure, hasReceived });
    },
  });

  const moment = (): Moment => ({
    ...{ now: clock.now(), zone: options.zone(), random: options.random() },
  });

  function dispatch(event: ConnectionEvent): void {
    if (isStopped) return;
    events.push(event);
    if (isReducing) return;
    isReducing = true;
    try {
      for (let next = events.shift(); next; next = events.shift()) {
        const { state: after, effects } = reduce(state, next, moment());
        noteEdges(next, after);
        state = after;
        // Nothing is polled, downloaded or applied before the start.
        for (const effect of effects)
          if (isStarted || effect.kind === "save") carryOut(effect);
      }
    } finally {
      isReducing = false;
    }
    options.onProgress(progress());
  }

  /** Logs transitions and records when they happened; a lasting state is not logged again. */
  function noteEdges(event: ConnectionEvent, after: typeof state): void {
    const [before, now] = [problemOf(state), problemOf(after)];
    if (now && now.code !== before?.code)
      log.warn("sync.failed", { code: now.code, reason: now.message });
    if (before && !now && event.kind !== "settings-changed")
      log.info("sync.recovered");
  }

  function carryOut(effect: Effect): void {
    switch (effect.kind) {
      case "poll":
        if (effect.startsOver) poll.startOver();
        stopPollTimer();
        polling = new AbortController();
        polled = polled.then(pollOnce(polling.signal)).catch(noteBug);
        return;
      case "poll-after":
        stopPollTimer();
        stopPollTimer = clock.after(effect.ms, () =>
          dispatch({ kind: "poll-due" }),
        );
        return;
      case "apply-after":
        stopApplyTimer();
        stopApplyTimer = clock.after(effect.ms, () =>
          dispatch({ kind: "hour-came" }),
        );
        return;
      case "plan":
        return planNow();
      case "download":
        if (state.desired)
          downloads.request(effect.fetches, state.desired.state);
        return;
      case "apply":
        void runInOrder(apply(applying.signal)).catch(noteBug);
        return;
      case "apply-again":
        return giveUpApplying();
      case "keep-waiting":
        return keepWaiting(effect.isWaiting);
      case "forget-addresses":
        return poll.forgetAddresses();
      case "save":
        return saveMemory();
      case "mark-run":
        return saveMemory(true);
      case "heard":
        void runInOrder(options.onContact).catch(noteBug);
        return;
      case "stop":
        polling.abort();
        stopPollTimer();
        stopApplyTimer();
        void downloads.stop().catch(noteBug);
        return giveUpApplying();
    }
  }

  function noteBug(error: unknown): void {
    log.error("sync.internal-error", { error });
  }

  function toRemoteError(error: unknown): RemoteError {
    return toRemoteErrorOrBug(
      error,
      connectionSentences["the-service"],
      noteBug,
    );
  }

  function runInOrder(act: () => Promise<void>): Promise<void> {
    const done = lastTask.then(act);
    lastTask = done.catch(noteBug);
    return lastTask;
  }

  function giveUpApplying(): void {
    applying.abort();
    applying = new AbortController();
  }

  /** A memory that cannot be saved still applies: the disk may be the very problem. */
  function saveMemory(isMark = false): void {
    try {
      library.saveMemory(id, state.memory, isMark);
    } catch (error) {
      log.debug("sync.state-lost", { error });
    }
  }

  const pollOnce = (signal: AbortSignal) => async (): Promise<void> => {
    if (signal.aborted) return;
    let event: ConnectionEvent;
    try {
      // A file that vanished from the disk counts as missing again, whatever the service answers (V2-565).
      await library.findLost().catch(noteBug);
      const polled = await poll.pollDesiredState(signal);
      const desired = polled && {
        target: targetOf(polled.content),
        state: polled,
      };
      event = { kind: "polled", desired };
    } catch (error) {
      if (signal.aborted) return;
      const failure = toRemoteError(error);
      const retryAfterMs = failure.waitMs ?? 0;
      event = { kind: "poll-failed", failure, retryAfterMs };
    }
    if (signal.aborted) return;
    dispatch(event);
    if (event.kind !== "polled") return;
    const isChanged = await poll.updateUnused(
      event.desired?.state ?? null,
      signal,
    );
    if (isChanged && !signal.aborted) options.onProgress(progress());
  };

  /** A small plan is computed at once, a large one in slices that let other work run in between. */
  function planNow(): void {
    const steps = progressNow();
    planning = steps;
    const goOn = (): void => {
      // Stopped, or superseded: rows were written by something else and are read again.
      if (isStopped || planning !== steps) return;
      let event: ConnectionEvent;
      try {
        const planned = steps.next();
        if (!planned.done) {
          setImmediate(goOn);
          return;
        }
        event = { kind: "planned", progress: planned.value };
      } catch (error) {
        event = { kind: "plan-failed", failure: toRemoteError(error) };
      }
      dispatch(event);
      releaseFiles();
    };
    goOn();
  }

  /** The desired state for which files were last deleted that nothing needs. */
  let releasedFor = state.desired;

  /** Files of a desired state that was superseded are deleted even if nothing is applied in its place (V2-830). */
  function releaseFiles(): void {
    const { desired, isApplying } = state;
    if (desired === releasedFor || isApplying || isStopped) return;
    const isFirst = releasedFor === null;
    releasedFor = desired;
    if (!isFirst) void runInOrder(options.onReleased).catch(noteBug);
  }

  let planning: Sliced<Progress | null> | null = null;
  /** Inputs of the last plan: as long as they are unchanged, the plan is reused. */
  let cached: { of: readonly unknown[]; progress: Progress } | null = null;

  function* progressNow(): Sliced<Progress | null> {
    const { desired, failed } = state;
    if (!desired) return null;
    const { target, state: desiredState } = desired;
    const held = yield* library.heldSliced(id);
    const applied = {
      current: storedPlans.current(),
      before: storedPlans.before(target),
    };
    const of = [desiredState, failed, held, applied.current, applied.before];
    if (cached?.of.every((one, place) => one === of[place]))
      return cached.progress;
    const progress = yield* progressSliced(
      ...([target, desiredState, applied, held] as const),
      (md5) => failed.get(md5)?.isGivenUp === true,
    );
    cached = { of, progress };
    return progress;
  }

  /** `signal` cancels waiting for the end of a showing. */
  const apply = (signal: AbortSignal) => async (): Promise<void> => {
    let failure: SyncFailure | null = null;
    try {
      // An app that fails does not hold up anything else.
      const { desired, progress } = state;
      const appFailure =
        desired && progress?.hasApps
          ? await assembleApps(desired.state, options)
          : null;
      if (state.connection.letsItemsEnd && stateToApplyNow() !== null)
        await waitForShowingEnd(showingLeftMs, { library, clock, signal });
      signal.throwIfAborted();
      await applyNow();
      if (appFailure) throw appFailure;
    } catch (error) {
      if (!isAbort(error)) failure = toRemoteError(error);
    }
    dispatch({ kind: "apply-ended", failure });
  };

  function showingLeftMs(): number {
    const planned = stateToApplyNow();
    return planned ? library.showingLeftMs(id, planned.plan) : 0;
  }

  /** Uses the rows and files as they are now, not as they were when the plan was computed. */
  function stateToApplyNow(): ReturnType<typeof stateToApply> {
    state = { ...state, progress: inOneGo(progressNow()) };
    return stateToApply(state, moment());
  }

  async function applyNow(): Promise<void> {
    const planned = stateToApplyNow();
    const { progress, desired } = state;
    if (!planned || !progress || !desired) return;
    const memory = { ...state.memory, lastAppliedAt: clock.now() };
    const isLast = progress.isComplete && planned === progress.complete;
    const { target } = desired;
    // Its changes are those of the service, also when a person approved them.
    const unwritten = await actorScope.run(
      serviceActor(state.connection.name),
      () =>
        storedPlans.apply(
          planned.plan,
          { target, content: planned.content },
          memory,
          isLast,
        ),
    );
    if (unwritten.length > 0) log.warn("sync.rows-rejected", { unwritten });
    dispatch({ kind: "applied", unwritten });
    log.info("sync.applied", {
      assets: planned.plan.assets.length,
      playlists: planned.plan.playlists.length,
      removed: planned.plan.forgetAssets.length,
    });
    await options.onReleased();
  }

  /** Stores the complete part of the waiting plan so that it survives a restart; deletes it when the service has withdrawn it. */
  function keepWaiting(isWaiting: boolean): void {
    const { progress, memory, desired } = state;
    if (!progress || !desired || desired.isRemembered) return;
    const waiting = storedPlans.waiting();
    const { target, complete, isComplete } = progress;
    const isKnown = waiting?.target === target;
    const isOver = !isKnown || (isComplete && isNothingToApply(complete.plan));
    if (!isWaiting && waiting && isOver)
      return storedPlans.keepWaiting(null, 0, complete.content);
    if (!isWaiting) return;
    if (!isKnown || !isSame(waiting.content, complete.content))
      storedPlans.keepWaiting(target, memory.seenAt, complete.content);
    if (!isKnown) log.info("sync.held", { reason: holdOf(state, moment()) });
  }

  function waitingTarget(): string {
    const { desired, progress } = state;
    const isUnderWay =
      progress !== null && !isNothingToApply(progress.complete.plan);
    if (desired && (isUnderWay || holdOf(state, moment()) !== null))
      return desired.target;
    throw new Failure("conflict", connectionSentences["nothing-held"]);
  }

  /** If the service has not answered since the start, its last known desired state counts. */
  function restored({ target }: StoredPlan): ConnectionMemory {
    const left =
      state.desired?.target ??
      state.memory.wanted ??
      storedPlans.currentPlan()?.target ??
      null;
    return {
      ...{ ...state.memory, wanted: left, approved: null },
      postponed: left === target ? null : left,
      lastAppliedAt: clock.now(),
    };
  }

  async function back(): Promise<void> {
    // Plans written a moment ago may not be in memory yet.
    storedPlans.readAgain();
    const to = storedPlans.previous();
    if (!to)
      throw new Failure("conflict", connectionSentences["nothing-earlier"]);
    // Restoring waits for nothing, and downloads under way do not belong to the plan it leaves (V2-208).
    await downloads.stop();
    giveUpApplying();
    let refusal: unknown = null;
    await runInOrder(async () => {
      try {
        const memory = restored(to);
        const left = storedPlans.currentPlan();
        const held = library.held(id);
        const content = withoutOwn(to.content, held);
        const plan = planSync(content, held);
        const { target } = to;
        await storedPlans.apply(plan, { target, content }, memory, false);
        dispatch({
          ...{ kind: "restored-version", memory },
          left: left?.target === memory.wanted ? remembered(left) : null,
        });
        log.info("sync.rolled-back");
        await options.onReleased();
      } catch (error) {
        refusal = error;
      }
    });
    if (refusal !== null) throw refusal as Error;
  }

  function restart(connection: SyncConnection, memory: ConnectionMemory): void {
    storedPlans.readAgain();
    const plan = storedPlans.waiting();
    const waiting = plan && remembered(plan);
    dispatch({ kind: "restarted", connection, memory, waiting });
  }

  function progress(): SyncProgress {
    const tally = downloads.tally();
    const {
      bytesPerSecond = 0,
      totalBytes = 0,
      receivedBytes = 0,
    } = tally ?? {};
    const isKnown = totalBytes > 0 && bytesPerSecond > 0;
    return {
      ...{ connectionId: id, phase: phaseOf(state, moment()) },
      ...{ bytesPerSecond, totalBytes, receivedBytes },
      filesDone: tally?.filesDone ?? 0,
      filesTotal: tally?.filesTotal ?? 0,
      secondsLeft: isKnown
        ? Math.ceil(Math.max(0, totalBytes - receivedBytes) / bytesPerSecond)
        : null,
      files: tally?.files ?? [],
    };
  }

  function changed(connection: SyncConnection): void {
    const isScreenChanged = screenOf(connection) !== screenOf(state.connection);
    poll.startOver();
    dispatch({ kind: "settings-changed", connection, isScreenChanged });
    downloads.limit();
  }

  const needed = (): readonly string[] => [
    ...storedPlans.files(),
    ...(state.desired ? filesOf(state.desired.state.content) : []),
  ];

  let neededThen: ReadonlySet<string> = new Set();
  let desiredThen = state.desired;
  let neededUntil = -Infinity;

  return {
    status: () => {
      const { assets, playlists } = storedPlans.current();
      const { memory } = state;
      const now = moment();
      return {
        ...{ connectionId: id, name: state.connection.name },
        ...{ phase: phaseOf(state, now), problem: problemOf(state) },
        ...{ nextPollAt: nextPollAtOf(state, now), version: memory.version },
        hold: holdOf(state, now),
        lastContactAt: memory.lastContactAt,
        lastAppliedAt: memory.lastAppliedAt,
        isInSync: isInSync(state, now),
        items: state.progress?.items ?? { wanted: 0, here: 0, failed: 0 },
        assets: assets.length,
        playlists: playlists.length,
        itemFailures: itemFailuresIn(state),
        unused: state.connection.isEnabled ? poll.unused() : null,
        kept: storedPlans.views(),
        site: sharing?.counts(id) ?? null,
        progress: progress(),
      };
    },
    plan: () => {
      const { desired, memory } = state;
      const hold = holdOf(state, moment());
      if (!desired || hold === null) return null;
      const { target, state: desiredState } = desired;
      const planId = planIdOf(target);
      return planViewOf(
        { connectionId: id, hold, planId, seenAt: memory.seenAt },
        ...([desiredState, storedPlans.current(), library.held(id)] as const),
      );
    },
    start: () => {
      isStarted = true;
      restart(state.connection, state.memory);
      // Most starts poll anyway.
      if (isRequested && state.poll === "none")
        dispatch({ kind: "poll-requested" });
    },
    run: (isSuggested) => {
      isRequested ||= !isStarted;
      dispatch({ kind: isSuggested ? "poll-suggested" : "poll-requested" });
    },
    apply: (planId) => {
      const target = waitingTarget();
      // V2-375
      if (planId !== undefined && planId !== planIdOf(target))
        throw new Failure("conflict", connectionSentences["plan-replaced"]);
      dispatch({ kind: "approved" });
    },
    hold: () => {
      waitingTarget();
      dispatch({ kind: "postponed" });
    },
    back: async () => {
      await back();
      return storedPlans.views();
    },
    changed,
    readAgain: (connection, memory) => {
      poll.startOver();
      carryOut({ kind: "stop" });
      restart(connection, memory);
      downloads.limit();
    },
    needed,
    isNeeded: (md5) => {
      const now = clock.monotonic();
      // A file that a new plan needs may be here a moment later, and others of the site ask for it.
      if (now >= neededUntil || state.desired !== desiredThen) {
        desiredThen = state.desired;
        neededThen = new Set(needed());
        neededUntil = now + neededMs;
      }
      return neededThen.has(md5);
    },
    fetchAgain: (md5) => {
      if (needed().includes(md5)) dispatch({ kind: "file-lost" });
    },
    editedHere: () => dispatch({ kind: "edited-here" }),
    isAwaited: () =>
      state.connection.isEnabled &&
      (state.desired?.isRemembered ?? true) &&
      clock.now() - (state.memory.lastContactAt ?? -Infinity) < maxAwaitedMs,
    stop: async () => {
      isStopped = true;
      carryOut({ kind: "stop" });
      await Promise.all([downloads.stop(), polled, lastTask]);
      // Runs that were aborted have ended by now.
      const { memory, unendedBefore: unendedRuns } = state;
      if (memory.unendedRuns === unendedRuns) return;
      state = { ...state, memory: { ...memory, unendedRuns } };
      saveMemory(true);
    },
  };
}

/** A stored plan as a desired state, limited to the part that was complete. */
function remembered({ target, at, content }: StoredPlan) {
  const nothing = { sources: new Map(), secrets: new Map(), itemFailures: [] };
  const state = { ...nothing, content, unreadable: new Set<string>() };
  return { target, at, state };
}

/** Stays the same as long as the desired state does, however much of it has been downloaded. */
function planIdOf(target: string): string {
  return target.slice(0, 16);
}

function targetOf(content: DesiredContent): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("hex");
}

function isSame(one: DesiredContent, other: DesiredContent): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** Identifies the screen and the service it is registered with. */
function screenOf(connection: SyncConnection): string {
  const { baseUrl, version, labels, screenId, assetGroups, allAssets } =
    connection;
  return JSON.stringify([
    ...[baseUrl, version, labels, screenId, assetGroups, allAssets],
  ]);
}

function createStoredPlans(
  library: SyncLibrary,
  connectionId: string,
  now: () => number,
) {
  let plans: readonly StoredPlan[] = [];
  const readAgain = (): void => {
    plans = library.plans(connectionId);
  };
  const applied = (): readonly StoredPlan[] =>
    plans.filter(({ isWaiting }) => !isWaiting);
  const newId = (): string => randomBytes(8).toString("hex");
  return {
    readAgain,
    /** The applied content; empty before the first plan. */
    current: (): DesiredContent =>
      applied().find(({ isCurrent }) => isCurrent)?.content ?? emptyContent,
    /** The applied plan; null before the first one. */
    currentPlan: (): StoredPlan | null =>
      applied().find(({ isCurrent }) => isCurrent) ?? null,
    previous: (): StoredPlan | null =>
      applied().find(({ isCurrent }) => !isCurrent) ?? null,
    /** The content applied last for a desired state other than `target`. */
    before: (target: string): DesiredContent =>
      applied().find((one) => one.target !== target)?.content ?? emptyContent,
    waiting: (): StoredPlan | null =>
      plans.find(({ isWaiting }) => isWaiting) ?? null,
    /** Null: no plan waits any more. */
    keepWaiting: (
      target: string | null,
      at: number,
      content: DesiredContent,
    ): void => {
      library.keepWaiting(
        connectionId,
        target === null ? null : { id: newId(), target, at, content },
      );
      readAgain();
    },
    /** Returns what could not be written, by the identifiers of the service (V2-550). */
    apply: async (
      plan: SyncPlan,
      {
        target,
        content,
      }: { readonly target: string; readonly content: DesiredContent },
      memory: ConnectionMemory,
      isLast: boolean,
    ): Promise<readonly string[]> => {
      const record = { id: newId(), target, at: now(), content };
      const unwritten = await library.apply(
        ...([connectionId, plan, record, memory, isLast] as const),
      );
      readAgain();
      return unwritten;
    },
    views: (): readonly AppliedPlanView[] =>
      applied().map(({ id, at, content, isCurrent }) => ({
        planId: id,
        appliedAt: at,
        assets: content.assets.length,
        playlists: content.playlists.length,
        isCurrent,
      })),
    /** MD5 of each file that one of the plans needs. */
    files: (): readonly string[] =>
      plans.flatMap(({ content }) => filesOf(content)),
  };
}

function filesOf({ assets }: DesiredContent): readonly string[] {
  return assets.flatMap(filesOfAsset).map(({ md5 }) => md5);
}
