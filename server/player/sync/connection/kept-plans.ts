// The plans of one account that are kept: the current one, the one before it, and one that waits, as people read it.

import { randomBytes } from "node:crypto";
import {
  type SyncPlan,
  entriesOf,
  planSync,
  type Held,
} from "../../../core/sync-plan.ts";
import type { KeptPlanView, PlanView } from "../../../core/sync-state.ts";
import {
  filesOfAsset,
  nothingWanted,
  type Wanted,
  completeOf,
} from "../../../core/sync-wanted.ts";
import type { AccountMemory } from "../accounts/accounts.ts";
import type { SyncLibrary } from "../store/library-store.ts";
import type { StoredPlan } from "../store/sync-rows.ts";
import type { DesiredState } from "../../../core/sync-connection/progress.ts";

export interface KeptPlans {
  readAgain(): void;
  /** What is applied now; nothing before the first time. */
  current(): Wanted;
  /** With it; null before the first time. */
  currentPlan(): StoredPlan | null;
  previous(): StoredPlan | null;
  /** What was applied last of anything else the cloud had said. */
  before(target: string): Wanted;
  waiting(): StoredPlan | null;
  /** Null: nothing waits any more. */
  keepWaiting(target: string | null, at: number, wanted: Wanted): void;
  /** Answers what could not be written, by the cloud's identifiers (V2-550). */
  apply(
    plan: SyncPlan,
    applied: { readonly target: string; readonly wanted: Wanted },
    memory: AccountMemory,
    isLast: boolean,
  ): Promise<readonly string[]>;
  views(): readonly KeptPlanView[];
  /** MD5 of each file that one of them needs. */
  files(): readonly string[];
}

export function createKeptPlans(
  library: SyncLibrary,
  accountId: string,
  now: () => number,
): KeptPlans {
  let plans: readonly StoredPlan[] = [];
  const readAgain = (): void => {
    plans = library.plans(accountId);
  };
  const applied = (): readonly StoredPlan[] =>
    plans.filter(({ isWaiting }) => !isWaiting);
  const newId = (): string => randomBytes(8).toString("hex");
  return {
    readAgain,
    current: () =>
      applied().find(({ isCurrent }) => isCurrent)?.wanted ?? nothingWanted,
    currentPlan: () => applied().find(({ isCurrent }) => isCurrent) ?? null,
    previous: () => applied().find(({ isCurrent }) => !isCurrent) ?? null,
    before: (target) =>
      applied().find((one) => one.target !== target)?.wanted ?? nothingWanted,
    waiting: () => plans.find(({ isWaiting }) => isWaiting) ?? null,
    keepWaiting: (target, at, wanted) => {
      library.keepWaiting(
        accountId,
        target === null ? null : { id: newId(), target, at, wanted },
      );
      readAgain();
    },
    apply: async (plan, { target, wanted }, memory, isLast) => {
      const record = { id: newId(), target, at: now(), wanted };
      const unwritten = await library.apply(
        ...([accountId, plan, record, memory, isLast] as const),
      );
      readAgain();
      return unwritten;
    },
    views: () =>
      applied().map(({ id, at, wanted, isCurrent }) => ({
        planId: id,
        appliedAt: at,
        assets: wanted.assets.length,
        playlists: wanted.playlists.length,
        isCurrent,
      })),
    files: () => plans.flatMap(({ wanted }) => filesOf(wanted)),
  };
}

export function filesOf({ assets }: Wanted): readonly string[] {
  return assets.flatMap(filesOfAsset).map(({ md5 }) => md5);
}

type Waiting = Pick<PlanView, "accountId" | "planId" | "seenAt" | "hold">;

export function waitingView(
  waiting: Waiting,
  desired: DesiredState,
  current: Wanted,
  held: Held,
): PlanView {
  const wanted = completeOf(
    ...([desired.wanted, current] as const),
    () => "here",
    desired.unreadable,
  );
  const plan = planSync(wanted, held);
  const entries = entriesOf(plan, wanted, held);
  const count = (deed: string): number =>
    entries.filter((entry) => entry.deed === deed).length;
  return {
    ...{ ...waiting, entries },
    adds: count("add"),
    changes: count("change"),
    removes: count("remove"),
    bytes: plan.fetch.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0),
  };
}
