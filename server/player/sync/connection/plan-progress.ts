// How far a look can be gone along with by now: what of it is complete, and what is still to be fetched.

import {
  arrivalHere,
  planSync,
  type Fetch,
  type Held,
  type SyncPlan,
} from "../../../core/sync-plan.ts";
import { completeOf, type Wanted } from "../../../core/sync-wanted.ts";
import type { Look } from "../remote/remote.ts";
import type { FileTroubles } from "./failed-files.ts";

export interface Step {
  readonly held: Held;
  readonly complete: Wanted;
  readonly plan: SyncPlan;
  /** Nothing of it is still to come. */
  readonly isWhole: boolean;
}

export function stepOf(
  { wanted, unreadable }: Look,
  current: Wanted,
  held: Held,
  files: Pick<FileTroubles, "arrivalOf">,
): Step {
  const arrivalOf = arrivalHere(held, files.arrivalOf(held.files));
  const complete = completeOf(wanted, current, arrivalOf, unreadable);
  const isWhole = wanted.assets.every((asset) => arrivalOf(asset) !== "coming");
  return { held, complete, isWhole, plan: planSync(complete, held) };
}

export function missingOf(
  { wanted, sources }: Look,
  held: Held,
  files: Pick<FileTroubles, "isDue">,
): readonly Fetch[] {
  return planSync(wanted, held).fetch.filter(
    ({ md5 }) => files.isDue(md5) && sources.has(md5),
  );
}
