// Applying what waits for a yes, and taking that back: put off as long as it is not applied, gone back from when it is.

import type {
  SyncPlanV2,
  SyncStatusV2,
} from "../../../../server/contract/v2/v2-sync.ts";
import { operate } from "../../operations.ts";
import { texts } from "../../texts/texts.ts";

export interface Approved {
  /** Else it comes when what is on the glass has had its turn, or the last file is here. */
  readonly isApplied: boolean;
  /** Null where nothing lies before it. */
  readonly takeBack: (() => Promise<void>) | null;
}

/** What takes longer is not called done. */
const timeoutMs = 3_000;
const pollIntervalMs = 200;

/** Of a cloud that is switched off, nothing else is ever told. */
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

/** To the plan before the current one; answers the way to where it was come from, whatever the cloud says meanwhile. */
export async function goBack(id: string): Promise<() => Promise<void>> {
  const body = { account_id: id };
  await operate("rollBackSync", { body });
  // It is done, also where this cannot be told just now.
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
  // The plan before the current one need not be the one before this one any more.
  const previous = status?.applied_plans.find(({ is_current }) => !is_current);
  if (before === null || previous?.plan_id !== before)
    throw new Error(texts.cloud.noPlanBefore);
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
