// A plan that waits, as people read it: what there will be when everything of it has come.

import { entriesOf, planSync, type Held } from "../../../core/sync-plan.ts";
import type { PlanView } from "../../../core/sync-state.ts";
import { completeOf, type Wanted } from "../../../core/sync-wanted.ts";
import type { Look } from "../remote/remote.ts";

type Waiting = Pick<PlanView, "accountId" | "planId" | "seenAt" | "hold">;

export function waitingView(
  waiting: Waiting,
  look: Look,
  current: Wanted,
  held: Held,
): PlanView {
  const wanted = completeOf(
    ...([look.wanted, current] as const),
    () => "here",
    look.unreadable,
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
