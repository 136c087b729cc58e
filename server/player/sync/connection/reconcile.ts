// What the cloud said, carried out: missing files brought in, what is complete applied, or held and waited with.

import { createHash } from "node:crypto";
import { Failure } from "../../../core/failure.ts";
import {
  isMostGone,
  isNothingToApply,
  planSync,
  type Fetch,
  type Held,
  type SyncPlan,
} from "../../../core/sync-plan.ts";
import type {
  HoldReason,
  PlanView,
  SyncAccount,
  SyncPhase,
  SyncTrouble,
} from "../../../core/sync-state.ts";
import type { Wanted } from "../../../core/sync-wanted.ts";
import type { Log } from "../../../platform/log.ts";
import type { AccountMemory } from "../accounts/accounts.ts";
import type { AppSecrets } from "../edge-apps/app-secrets.ts";
import { assembleApps } from "../edge-apps/assemble-apps.ts";
import type { Bringing } from "./download-queue.ts";
import type { Look } from "../remote/remote.ts";
import type { FileTroubles } from "./failed-files.ts";
import { mayFetchAt, nightAfter } from "./hours.ts";
import { letTurnEnd } from "./wait-for-showing-end.ts";
import { filesOf, type KeptPlans } from "./kept-plans.ts";
import type { StoredPlan, SyncLibrary } from "../library.ts";
import type { SyncClock } from "../sync-clock.ts";
import { missingOf, stepOf, type Step } from "./plan-progress.ts";
import { waitingView } from "./pending-plan-view.ts";

export interface Settling {
  /** The cloud said this; what it said before counts no more. */
  hear(look: Look): void;
  /** Does what can be done about it. Throws a CloudTrouble; called off, it applies nothing more. */
  settle(called: AbortSignal): Promise<void>;
  /** Of what is under way, applies what is complete by now. */
  applyPart(called: AbortSignal): Promise<void>;
  /** Throws `conflict` where nothing waits, or not the plan that is meant. */
  approve(planId?: string): void;
  putOff(): void;
  /** The plan before the one that is applied at this moment. Throws `conflict` where there is none. */
  wayBack(): StoredPlan;
  goBack(to: StoredPlan): Promise<void>;
  hold(): HoldReason | null;
  /** The cloud has said since the start what it wants. */
  hasHeard(): boolean;
  /** When a plan of the night is due; null while none waits for it. */
  dueAt(): number | null;
  isInSync(): boolean | null;
  plan(): PlanView | null;
  troubles(): readonly SyncTrouble[];
  /** What comes next is what the operator wants. */
  trust(): void;
  /** Something that was here is not any more: what was settled is looked at again. */
  unsettle(): void;
  /** Its rows were written by other means, or this is the start. */
  readAgain(): void;
  needed(): readonly string[];
}

export interface SettlingOptions {
  readonly accountId: string;
  readonly account: () => SyncAccount;
  readonly memory: () => AccountMemory;
  /** Kept with whatever is written next. */
  readonly remember: (change: Partial<AccountMemory>) => AccountMemory;
  readonly library: SyncLibrary;
  readonly kept: KeptPlans;
  readonly files: FileTroubles;
  readonly bringing: Bringing;
  readonly appSecrets: Pick<AppSecrets, "keep">;
  readonly clock: SyncClock;
  readonly now: () => number;
  readonly zone: () => string;
  readonly log: Log;
  readonly onPhase: (phase: SyncPhase) => void;
  /** Something was applied: files may have become unneeded. */
  readonly onApplied: () => Promise<void>;
}

interface Latest {
  readonly target: string;
  readonly look: Look;
  readonly seenAt: number;
  /** It was kept from before a restart: what was complete of it then, and without a word of the cloud since. */
  readonly isRemembered: boolean;
}

export function createSettling(options: SettlingOptions): Settling {
  const { accountId, account, memory, remember, library, kept } = options;
  const { files, bringing, now, zone, log, onPhase } = options;
  let latest: Latest | null = null;
  /** Everything of this saying is here and applied, or given up. */
  let settled: string | null = null;
  let approved: string | null = null;
  /** `next`: what the cloud says from its next word on is what the operator wants; `now`: that has been said. */
  let trust: "none" | "next" | "now" = "none";
  let hold: HoldReason | null = null;
  let isWaitingWhole = false;
  /** Rows of the plan applied last that the database did not take (V2-550). */
  let unwritten: readonly string[] = [];

  async function settle(called: AbortSignal): Promise<void> {
    if (!latest) return onPhase("idle");
    forgetWithdrawn(latest);
    if (latest.target === settled && !files.isAnyDue()) return rest();
    if (isPutOff(latest.target)) {
      holdFor("put-off");
      return rest();
    }
    const said = latest;
    const fetches = missing(said);
    const trouble =
      fetches.length > 0 && mayFetch()
        ? await bring(said, fetches, called)
        : null;
    const appTrouble = await assembleApps(said.look, options);
    await applyComplete(said, called);
    if (trouble !== null) throw trouble;
    if (appTrouble !== null) throw appTrouble;
    if (hold === null && !mayFetch() && missing(said).length > 0)
      onPhase("waiting-for-hours");
  }

  /** Of an account that is off, what waits may still be applied. */
  function mayFetch(): boolean {
    return account().isEnabled && mayFetchAt(account(), now(), zone());
  }

  /** What goes wrong with some files holds up nothing that is complete without them. */
  async function bring(
    { look }: Latest,
    fetches: readonly Fetch[],
    called: AbortSignal,
  ): Promise<Error | null> {
    onPhase("fetching");
    try {
      await bringing.bring(look, fetches, called);
      return null;
    } catch (error) {
      if (called.aborted || !(error instanceof Error)) throw error;
      return error;
    }
  }

  /** What the cloud took back waits no more, whatever comes of what it says instead. */
  function forgetWithdrawn({ target, look }: Latest): void {
    const waiting = kept.waiting();
    if (waiting && waiting.target !== target)
      kept.keepWaiting(null, 0, look.wanted);
  }

  /** What is held is not settled: whatever the cloud says next is looked at anew. */
  function holdFor(reason: HoldReason): void {
    hold = reason;
    settled = null;
  }

  function rest(): void {
    onPhase(hold === null ? "idle" : "held");
  }

  function isPutOff(target: string): boolean {
    return (
      memory().putOff === target &&
      approved !== target &&
      kept.currentTarget() !== target
    );
  }

  /** What is put off once this is wanted here: something else stays so, however often the cloud goes to and fro (V2-207). */
  function putOffBeside(target: string): string | null {
    const { putOff } = memory();
    return putOff === target ? null : putOff;
  }

  const missing = ({ look }: Latest): readonly Fetch[] =>
    missingOf(look, library.held(accountId), files);
  const step = ({ look }: Latest): Step =>
    stepOf(look, kept.current(), library.held(accountId), files);

  /** Fault 39: at once, or at the edge of the item, as the operator wants it (V2-329). */
  async function waitForTurn(said: Latest, signal: AbortSignal): Promise<void> {
    if (!account().letsItemsEnd) return;
    const { held, plan } = step(said);
    if (isNothingToApply(plan) || holdOf(said, plan, held) !== null) return;
    onPhase("applying");
    await letTurnEnd(() => library.turnLeftMs(accountId, step(said).plan), {
      ...{ library, clock: options.clock, signal },
    });
  }

  async function applyComplete(
    said: Latest,
    called: AbortSignal,
  ): Promise<void> {
    const { target } = said;
    await waitForTurn(said, called);
    called.throwIfAborted();
    const { held, complete, plan, isWhole } = step(said);
    if (isNothingToApply(plan)) {
      hold = null;
      if (isWhole) cameToRest(target);
      if (isWhole && kept.waiting()) kept.keepWaiting(null, 0, complete);
      return onPhase("idle");
    }
    const reason = holdOf(said, plan, held);
    if (reason !== null) {
      holdFor(reason);
      const isNew = kept.waiting()?.target !== target;
      if (isNew || isWhole !== isWaitingWhole)
        kept.keepWaiting(target, seenAtOf(said), complete);
      isWaitingWhole = isWhole;
      if (isNew) log.info("sync.held", { reason });
      return onPhase("held");
    }
    hold = null;
    onPhase("applying");
    await apply(plan, target, complete, isWhole);
    if (isWhole) cameToRest(target);
    onPhase("idle");
  }

  /** What was said of this plan is said of no other. */
  function cameToRest(target: string): void {
    settled = target;
    approved = null;
    if (trust === "now") trust = "none";
  }

  async function applyPart(called: AbortSignal): Promise<void> {
    if (!latest) return;
    const said = latest;
    await assembleApps(said.look, options);
    if (called.aborted) return;
    const { held, complete, plan } = step(said);
    if (isNothingToApply(plan) || holdOf(said, plan, held) !== null) return;
    const mustWait = account().letsItemsEnd;
    if (mustWait && library.turnLeftMs(accountId, plan) > 0) return;
    await apply(plan, said.target, complete, false);
  }

  async function apply(
    plan: SyncPlan,
    target: string,
    wanted: Wanted,
    isLast: boolean,
  ): Promise<void> {
    const putOff = putOffBeside(target);
    const after = remember({ lastAppliedAt: now(), putOff });
    unwritten = await kept.apply(plan, { target, wanted }, after, isLast);
    if (unwritten.length > 0) log.warn("sync.rows-refused", { unwritten });
    log.info("sync.applied", {
      assets: plan.assets.length,
      playlists: plan.playlists.length,
      removed: plan.forgetAssets.length,
    });
    await options.onApplied();
  }

  function holdOf(said: Latest, plan: SyncPlan, held: Held): HoldReason | null {
    if (approved === said.target) return null;
    // Also where that was said while its turn was waited for.
    if (isPutOff(said.target)) return "put-off";
    if (isMostGone(plan, held) && trust !== "now") return "more-than-half";
    const { mode } = account();
    if (mode === "ask") return "ask";
    return mode === "tonight" && now() < nightOf(said) ? "tonight" : null;
  }

  /** Seen again and again, a plan is as old as when it was seen first. */
  function seenAtOf({ target, seenAt }: Latest): number {
    const waiting = kept.waiting();
    return waiting?.target === target ? waiting.at : seenAt;
  }

  function nightOf(said: Latest): number {
    return nightAfter(account(), seenAtOf(said), zone());
  }

  function assertWaiting(): Latest {
    if (latest && hold !== null) return latest;
    throw new Failure("conflict", "Nothing waits to be applied.");
  }

  function planView(): PlanView | null {
    if (!latest || hold === null) return null;
    const { target, look } = latest;
    const seenAt = seenAtOf(latest);
    return waitingView(
      { accountId, hold, planId: planIdOf(target), seenAt },
      look,
      kept.current(),
      library.held(accountId),
    );
  }

  return {
    hear: (look) => {
      const target = targetOf(look.wanted);
      if (target !== latest?.target) files.keepOnly(look.wanted);
      // Of what waited over a restart only the complete part was kept: the rest is still to be brought.
      if (latest?.isRemembered) settled = null;
      // What is kept for now is no part of the target, and goes once the cloud no longer has it (V2-545).
      if (latest && !isSame(latest.look.unreadable, look.unreadable))
        settled = null;
      latest = { target, look, seenAt: now(), isRemembered: false };
      if (trust === "next") trust = "now";
    },
    settle,
    applyPart,
    approve: (planId) => {
      const { target } = assertWaiting();
      // V2-375
      if (planId !== undefined && planId !== planIdOf(target))
        throw new Failure("conflict", "Another plan waits by now.");
      approved = target;
      remember({ putOff: putOffBeside(target) });
      settled = null;
    },
    putOff: () => {
      const { target } = assertWaiting();
      approved = null;
      hold = "put-off";
      library.saveMemory(accountId, remember({ putOff: target }));
      rest();
    },
    wayBack: () => {
      // What was written just now may not be known here yet.
      kept.readAgain();
      const previous = kept.previous();
      if (previous) return previous;
      throw new Failure("conflict", "There is no plan to go back to.");
    },
    goBack: async ({ target, wanted }) => {
      // Before its first word since the start, the cloud wants what it said last.
      const left = latest?.target ?? kept.currentTarget();
      approved = null;
      settled = null;
      remember({ putOff: left });
      const plan = planSync(wanted, library.held(accountId));
      await apply(plan, target, wanted, false);
      hold = left !== null && isPutOff(left) ? "put-off" : null;
      log.info("sync.went-back");
      rest();
    },
    hold: () => hold,
    hasHeard: () => latest !== null && !latest.isRemembered,
    dueAt: () => (latest && hold === "tonight" ? nightOf(latest) : null),
    isInSync: () => {
      if (!latest) return null;
      if (hold !== null) return false;
      if (latest.isRemembered) return null;
      // V2-546
      const isAllHere = latest.look.behind.size + unwritten.length === 0;
      return settled === latest.target && isAllHere;
    },
    plan: planView,
    troubles: () =>
      latest
        ? [
            ...latest.look.troubles,
            ...files.list(latest.look.wanted),
            ...unwrittenIn(latest.look.wanted, unwritten),
          ]
        : [],
    trust: () => {
      trust = "next";
      settled = null;
    },
    unsettle: () => {
      settled = null;
    },
    readAgain: () => {
      kept.readAgain();
      latest = null;
      settled = null;
      hold = null;
      // A plan of the night may be due before the cloud is back.
      const waiting = kept.waiting();
      if (!waiting) return;
      const { target, wanted, at } = waiting;
      const nothing = { sources: new Map(), secrets: new Map(), troubles: [] };
      const none = new Set<string>();
      const look = { ...nothing, wanted, unreadable: none, behind: none };
      latest = { target, seenAt: at, look, isRemembered: true };
    },
    needed: () => [
      ...kept.files(),
      ...(latest ? filesOf(latest.look.wanted) : []),
    ],
  };
}

function unwrittenIn(
  { assets, playlists }: Wanted,
  ids: readonly string[],
): readonly SyncTrouble[] {
  return [...assets, ...playlists]
    .filter(({ remoteId }) => ids.includes(remoteId))
    .map(({ remoteId, facts: { name } }) => ({
      ...{ remoteId, name, isGivenUp: true },
      reason: "The player's database does not take it as it is.",
    }));
}

/** The same as long as the cloud says the same, whatever has been fetched of it. */
function planIdOf(target: string): string {
  return target.slice(0, 16);
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((id) => other.has(id));
}

function targetOf(wanted: Wanted): string {
  return createHash("sha256").update(JSON.stringify(wanted)).digest("hex");
}
