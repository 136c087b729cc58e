// Stored plans of one connection: the current one, the previous one and the waiting one.

import { randomBytes } from "node:crypto";
import {
  type SyncPlan,
  entriesOf,
  planSync,
  type Held,
} from "../../../core/sync-plan/sync-plan.ts";
import type {
  AppliedPlanView,
  PlanView,
} from "../../../core/sync-plan/sync-state.ts";
import {
  filesOfAsset,
  emptyContent,
  type DesiredContent,
  completeOf,
} from "../../../core/sync-plan/desired-content.ts";
import type { StoredConnectionMemory } from "./connection-store.ts";
import type { SyncLibrary } from "../store/library-store.ts";
import type { StoredPlan } from "../store/sync-rows.ts";
import type { DesiredState } from "../../../core/sync-connection/plan-progress.ts";

export function createStoredPlans(
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
      memory: StoredConnectionMemory,
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

export function filesOf({ assets }: DesiredContent): readonly string[] {
  return assets.flatMap(filesOfAsset).map(({ md5 }) => md5);
}

type Waiting = Pick<PlanView, "connectionId" | "planId" | "seenAt" | "hold">;

export function waitingView(
  waiting: Waiting,
  desired: DesiredState,
  current: DesiredContent,
  held: Held,
): PlanView {
  const content = completeOf(
    ...([desired.content, current] as const),
    () => "here",
    desired.unreadable,
  );
  const plan = planSync(content, held);
  const entries = entriesOf(plan, content, held);
  const count = (action: string): number =>
    entries.filter((entry) => entry.action === action).length;
  return {
    ...{ ...waiting, entries },
    adds: count("add"),
    changes: count("change"),
    removes: count("remove"),
    bytes: plan.fetch.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0),
  };
}
