// One account's sync: it looks, settles what it heard, and looks again; one thing after the other.

import type {
  KeptPlanView,
  PlanView,
  SyncAccount,
  SyncPhase,
  SyncProblem,
  SyncProgress,
  SyncStatus,
} from "../../../core/sync-state.ts";
import type { Log } from "../../../platform/log.ts";
import type { AccountMemory } from "../accounts/accounts.ts";
import type { AppSecrets } from "../edge-apps/app-secrets.ts";
import { createBringing } from "./download-queue.ts";
import type { SyncClock } from "../sync-clock.ts";
import { createFileTroubles } from "./failed-files.ts";
import { createKeptPlans } from "./kept-plans.ts";
import type { SyncLibrary } from "../library.ts";
import { createLooking } from "./poll.ts";
import type { Parts } from "../download/partial-files.ts";
import { pauseMsOf } from "./poll-interval.ts";
import { createSettling } from "./reconcile.ts";
import { CloudTrouble, troubleOf } from "../remote/remote-error.ts";

export interface AccountSync {
  status(): SyncStatus;
  /** What waits to be applied; null: nothing does. */
  plan(): PlanView | null;
  start(): void;
  run(): void;
  apply(planId?: string): void;
  hold(): void;
  back(): Promise<readonly KeptPlanView[]>;
  /** Somebody changed what is asked; what comes of it is what they want. */
  changed(account: SyncAccount): void;
  /** Its rows were written by other means. */
  readAgain(account: SyncAccount, memory: AccountMemory): void;
  /** MD5 of each file that a plan of it needs, or will. */
  needed(): readonly string[];
  /** The bytes of this file are lost: where a plan needs them, they are fetched again. */
  fetchAgain(md5: string): void;
  /** A person changed something of it here. */
  editedHere(): void;
  /** It may need more, but has not been heard since the start (V2-345). */
  isAwaited(): boolean;
  stop(): Promise<void>;
}

export interface AccountSyncOptions {
  readonly account: SyncAccount;
  readonly memory: AccountMemory;
  readonly library: SyncLibrary;
  readonly parts: Parts;
  readonly appSecrets: AppSecrets;
  readonly token: () => Promise<string | null>;
  readonly clock: SyncClock;
  readonly chance: () => number;
  readonly zone: () => string;
  readonly reserveBytes: () => number;
  readonly silenceMs: number;
  readonly mostBytesPerSecond: number;
  readonly log: Log;
  readonly onProgress: (progress: SyncProgress) => void;
  /** Something was applied: files may have become unneeded. */
  readonly onApplied: () => Promise<void>;
  /** Its cloud was heard, and what came of that is settled. */
  readonly onHeard: () => Promise<void>;
}

/** After a transfer that broke off, its rest is worth a try at once. */
const soonMs = 5000;
/** Whatever is due, nobody looks without a pause. */
const leastPauseMs = 1000;
/** A cloud that was silent for longer is not waited for: what was begun for it is begun anew. */
const mostAwaitedMs = 30 * 24 * 3_600_000;

export function createAccountSync(options: AccountSyncOptions): AccountSync {
  const { library, clock, log } = options;
  const { id } = options.account;
  let { account, memory } = options;
  /** Calls off what is under way and what waits for its turn; what comes after that has another. */
  let abort = new AbortController();
  let phase: SyncPhase = account.isEnabled ? "idle" : "off";
  let problem: SyncProblem | null = null;
  let nextLookAt: number | null = null;
  let failuresInRow = 0;
  let askedMs = 0;
  let turn: Promise<void> = Promise.resolve();
  let isLooking = false;
  let isAsked = false;
  let isStarted = false;
  let isStopped = false;
  let stopTimer = (): void => undefined;

  const remember = (change: Partial<AccountMemory>): AccountMemory =>
    (memory = { ...memory, ...change });
  const shared = {
    ...options,
    account: () => account,
    memory: () => memory,
    now: clock.now,
  };
  const looking = createLooking({
    ...shared,
    noteVersion: (found) => {
      remember(found);
      library.saveMemory(id, memory);
    },
  });
  const files = createFileTroubles(clock.now);
  const kept = createKeptPlans(library, id, clock.now);
  const bringing = createBringing({
    ...shared,
    onCame: files.forget,
    onMissed: (md5, missed) => {
      files.note(md5, missed);
      if (missed.isAddressOld) looking.forgetAddresses();
      log.warn("sync.file-missed", { md5, reason: missed.reason });
    },
    onSecond: async (hasArrived, called) => {
      tell();
      // What is complete need not wait for the rest.
      if (hasArrived) await settling.applyPart(called).catch(noteBug);
    },
  });
  const settling = createSettling({
    ...{ ...shared, accountId: id, remember, kept, files, bringing },
    onPhase: (next) => {
      // What was under way when it was switched off comes to its end all the same.
      phase = account.isEnabled ? next : "off";
      tell();
    },
  });

  function tell(): void {
    options.onProgress(progress());
  }

  function noteBug(error: unknown): void {
    log.error("sync.bug-met", { error });
  }

  function inTurn(act: (called: AbortSignal) => Promise<void>): Promise<void> {
    const called = abort.signal;
    const done = turn.then(() => act(called));
    turn = done.catch(() => undefined);
    return done;
  }

  function callOff(): void {
    abort.abort();
    abort = new AbortController();
  }

  function run(): void {
    if (!isStarted || isStopped || !account.isEnabled) return;
    if (isLooking) {
      isAsked = true;
      return;
    }
    isLooking = true;
    nextLookAt = null;
    stopTimer();
    inTurn(lookAndSettle)
      .catch(noteBug)
      .then(() => {
        isLooking = false;
        if (isStopped || !account.isEnabled) return;
        if (!isAsked) return plan();
        isAsked = false;
        run();
      })
      .catch(noteBug);
  }

  async function lookAndSettle(called: AbortSignal): Promise<void> {
    if (called.aborted) return;
    try {
      phase = "looking";
      tell();
      const look = await looking.look(called);
      remember({ lastContactAt: clock.now() });
      if (look) {
        settling.hear(look);
        // Whether it is waited for after the next start is known from this.
        writeMemory();
      }
      await settling.settle(called);
      await options.onHeard();
      if (problem) log.info("sync.recovered");
      problem = null;
      failuresInRow = 0;
    } catch (error) {
      noteProblem(error, called);
    }
  }

  /** What was heard already is worth a try without the cloud too. */
  function settleSoon(): void {
    inTurn(async (called) => {
      if (called.aborted) return;
      await settling
        .settle(called)
        .catch((error: unknown) => noteProblem(error, called));
    })
      .catch(noteBug)
      .then(tell)
      .catch(noteBug);
  }

  function noteProblem(error: unknown, called: AbortSignal): void {
    if (called.aborted) return;
    const told = troubleOf(error, "The cloud");
    if (!(told instanceof CloudTrouble)) noteBug(error);
    const { code, message, waitMs } =
      told instanceof CloudTrouble ? told : unforeseen;
    const isNew = problem?.code !== code;
    problem = {
      code,
      message,
      since: problem && !isNew ? problem.since : clock.now(),
    };
    const isUnderWay = bringing.hasReceived();
    failuresInRow = isUnderWay ? 1 : failuresInRow + 1;
    askedMs = waitMs ?? (isUnderWay && code === "unavailable" ? soonMs : 0);
    // The edge leaves a line and a moment; the state does not.
    if (isNew) {
      log.warn("sync.failed", { code, reason: message });
      writeMemory();
    }
    phase = "failing";
    tell();
  }

  /** When the cloud was heard last is written down with what it said, and once it is not heard any more. */
  function writeMemory(): void {
    try {
      library.saveMemory(id, memory);
    } catch (error) {
      // The disk may be the very problem.
      log.debug("sync.memory-lost", { error });
    }
  }

  /** When to look again. */
  function plan(): void {
    const pauseMs = pauseMsOf({
      pollSeconds: account.pollSeconds,
      problem: problem?.code ?? null,
      ...{ failuresInRow, askedMs, chance: options.chance() },
    });
    const dueMs = (settling.dueAt() ?? Infinity) - clock.now();
    // What is due by now was tried, or its moment has just come.
    const isTried = dueMs <= 0 && problem !== null;
    const ms = isTried
      ? pauseMs
      : Math.min(pauseMs, dueMs > 0 ? dueMs : leastPauseMs);
    askedMs = 0;
    nextLookAt = clock.now() + ms;
    stopTimer();
    stopTimer = clock.after(ms, () => {
      const dueAt = settling.dueAt();
      // A plan of the night needs no cloud.
      if (dueAt !== null && clock.now() >= dueAt) settleSoon();
      run();
    });
    tell();
  }

  function progress(): SyncProgress {
    const tally = bringing.tally();
    const {
      bytesPerSecond = 0,
      totalBytes = 0,
      receivedBytes = 0,
    } = tally ?? {};
    const isKnown = totalBytes > 0 && bytesPerSecond > 0;
    return {
      ...{ accountId: id, phase, bytesPerSecond, totalBytes, receivedBytes },
      filesDone: tally?.filesDone ?? 0,
      filesTotal: tally?.filesTotal ?? 0,
      secondsLeft: isKnown
        ? Math.ceil(Math.max(0, totalBytes - receivedBytes) / bytesPerSecond)
        : null,
      files: tally?.files ?? [],
    };
  }

  function changed(after: SyncAccount): void {
    const isOther = askedFor(after) !== askedFor(account);
    const wasEnabled = account.isEnabled;
    account = after;
    looking.startOver();
    bringing.limit();
    if (isOther) {
      settling.trust();
      remember({ version: null, prefix: null });
    }
    failuresInRow = 0;
    if (account.isEnabled)
      return isOther || !wasEnabled ? run() : settleOrRun();
    callOff();
    stopTimer();
    problem = null;
    nextLookAt = null;
    phase = "off";
    tell();
  }

  /** Another mode or hour may set free what waits; another token is worth a look. */
  function settleOrRun(): void {
    settleSoon();
    run();
  }

  return {
    status: () => {
      const { assets, playlists } = kept.current();
      return {
        ...{ accountId: id, name: account.name, phase, problem, nextLookAt },
        version: memory.version,
        hold: settling.hold(),
        lastContactAt: memory.lastContactAt,
        lastAppliedAt: memory.lastAppliedAt,
        isInSync: settling.isInSync(),
        assets: assets.length,
        playlists: playlists.length,
        troubles: settling.troubles(),
        kept: kept.views(),
        progress: progress(),
      };
    },
    plan: settling.plan,
    start: () => {
      isStarted = true;
      settling.readAgain();
      if (!account.isEnabled) return;
      settleSoon();
      run();
    },
    run: () => {
      // Somebody may have put right what was wrong.
      failuresInRow = 0;
      if (problem) looking.startOver();
      run();
    },
    apply: (planId) => {
      settling.approve(planId);
      settleSoon();
    },
    hold: settling.putOff,
    back: async () => {
      const to = settling.wayBack();
      // It waits for nothing, and what is under way is no part of what it leads away from (V2-208).
      callOff();
      isAsked ||= isLooking;
      await inTurn(() => settling.goBack(to));
      return kept.views();
    },
    changed,
    readAgain: (after, read) => {
      memory = read;
      settling.readAgain();
      changed(after);
      run();
    },
    needed: settling.needed,
    fetchAgain: (md5) => {
      if (!account.isEnabled || !settling.needed().includes(md5)) return;
      settling.unsettle();
      settleOrRun();
    },
    editedHere: () => {
      settling.unsettle();
      settleSoon();
    },
    isAwaited: () =>
      account.isEnabled &&
      !settling.hasHeard() &&
      clock.now() - (memory.lastContactAt ?? -Infinity) < mostAwaitedMs,
    stop: async () => {
      isStopped = true;
      stopTimer();
      abort.abort();
      await turn;
    },
  };
}

const unforeseen = new CloudTrouble(
  "bug",
  "Something unforeseen went wrong; the log has the details.",
);

function askedFor(account: SyncAccount): string {
  const { baseUrl, version, labels, screenId, assetGroups } = account;
  return JSON.stringify({ baseUrl, version, labels, screenId, assetGroups });
}
