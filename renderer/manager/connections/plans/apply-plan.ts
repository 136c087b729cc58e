// Applies a sync plan that waits for approval, with undo: postponed while it is not applied yet, otherwise the previous state is
// restored.

import type {
  SyncPlanV2,
  SyncStatusV2,
} from "../../../../server/contract/v2/v2-sync.ts";
import { operate } from "../../api/operations.ts";
import { t } from "../../../locales/messages.ts";

export interface Approved {
  /** Otherwise it is applied later, when the current showing ends or the last file is downloaded. */
  readonly isApplied: boolean;
  /** Null where there is no previous state. */
  readonly takeBack: (() => Promise<void>) | null;
}

/** A plan that takes longer is not reported as applied. */
const timeoutMs = 3_000;
const pollIntervalMs = 200;

/** A disabled connection reports no other phase. */
const restPhases: readonly SyncStatusV2["phase"][] = ["idle", "off"];

export async function approve(plan: SyncPlanV2): Promise<Approved> {
  const { account_id: id, plan_id } = plan;
  const before = currentOf(await statusOf(id));
  await operate("applySync", { body: { account_id: id, plan_id } });
  const isApplied = await comesToRest(id);
  return {
    isApplied,
    takeBack: isApplied && before === null ? null : () => takeBack(id, before),
  };
}

/** Restores the previous state; returns a function that reapplies the one left, whatever the content service sends meanwhile. */
export async function goBack(id: string): Promise<() => Promise<void>> {
  const body = { account_id: id };
  await operate("rollBackSync", { body });
  // The restore has succeeded, even if the plans cannot be read just now.
  const plans = await operate("readSyncPlan", {}).catch(() => []);
  const left = plans.find(({ account_id }) => account_id === id);
  return async () => {
    await operate("applySync", {
      body: { ...body, ...(left && { plan_id: left.plan_id }) },
    });
  };
}

async function comesToRest(id: string): Promise<boolean> {
  for (const end = Date.now() + timeoutMs; Date.now() < end;) {
    const status = await statusOf(id);
    if (status?.hold === null && restPhases.includes(status.phase)) return true;
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
  }
  return false;
}

async function takeBack(id: string, before: string | null): Promise<void> {
  const body = { account_id: id };
  const status = await statusOf(id);
  if (currentOf(status) === before) {
    await operate("holdSync", { body });
    return;
  }
  // The state before the current one may no longer be the one before this plan.
  const previous = status?.applied_plans.find(({ is_current }) => !is_current);
  if (before === null || previous?.plan_id !== before)
    throw new Error(t("connections.history.noPrevious"));
  await operate("rollBackSync", { body });
}

async function statusOf(id: string): Promise<SyncStatusV2 | undefined> {
  const { accounts } = await operate("readSync", {});
  return accounts.find(({ account_id }) => account_id === id);
}

function currentOf(status: SyncStatusV2 | undefined): string | null {
  return (
    status?.applied_plans.find(({ is_current }) => is_current)?.plan_id ?? null
  );
}
