// A plan that waits, as people read it: what there will be when everything of it has come.

import type { DesiredState } from "../../../core/sync-connection/progress.ts";
import { entriesOf, planSync, type Held } from "../../../core/sync-plan.ts";
import type { PlanView } from "../../../core/sync-state.ts";
import { completeOf, type Wanted } from "../../../core/sync-wanted.ts";

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
