// An entry of the activity log as a row of a table: a cell holds no object, so its fields become columns of their own.

import type { ActivityV2 } from "./v2-logs.ts";

/** With the columns of who made the change, and of what changed, in place of these objects. */
export function activityRow({ actor, changes, ...others }: ActivityV2) {
  return {
    ...others,
    ...{ actor_kind: actor?.kind ?? null, actor_name: actor?.name ?? null },
    actor_address: actor?.address ?? null,
    changes: changesText(changes),
  };
}

/** One line for each field. */
function changesText(changes: ActivityV2["changes"]): string {
  return changes
    .map(
      ({ field, before, after }) =>
        `${field}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`,
    )
    .join("\n");
}
