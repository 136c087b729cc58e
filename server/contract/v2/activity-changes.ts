// The changed fields of an entry in the activity log as one text, for tables.

import type { ActivityV2 } from "./v2-logs.ts";

/** One line for each field. */
export function changesText(changes: ActivityV2["changes"]): string {
  return changes
    .map(
      ({ field, before, after }) =>
        `${field}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`,
    )
    .join("\n");
}
