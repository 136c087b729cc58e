// Activity export: all entries that match the filter, however many, as one file at a place the operator chooses.

import { activityRow } from "../../../server/contract/v2/activity-changes.ts";
import { csvOf } from "../../../server/contract/csv.ts";
import type { ActivityV2 } from "../../../server/contract/v2/v2-logs.ts";
import { operate } from "../api/operations.ts";
import {
  notifySuccess,
  notifyFailure,
} from "../components/outcomes/outcome.ts";
import { saveText } from "../saved-files/saved-text.ts";
import { plainMessage, t } from "../../locales/messages.ts";
import { parametersOf, type Parameters } from "./use-activity.ts";
import type { ActivityQuery } from "./use-activity-filter.ts";

/** Columns of the table; everything else is for programs. */
export const columns = [
  ...(["time", "kind", "action", "name", "asset_id", "details"] as const),
  ...(["actor_kind", "actor_name", "actor_address", "changes"] as const),
] as const;
/** The most entries that the player returns per request. */
const atOnce = 10_000;

export async function exportActivity(
  query: ActivityQuery,
  format: "csv" | "json",
): Promise<void> {
  try {
    const parameters = parametersOf(query, Date.now());
    const events = await allOf(parameters);
    const text =
      format === "json"
        ? `${JSON.stringify(events, null, 1)}\n`
        : csvOf(events.map(activityRow), columns);
    const saved = await saveText(
      `${plainMessage("activity.fileName")}.${format}`,
      text,
    );
    if (saved !== null) notifySuccess(t("activity.exported"), saved.path);
  } catch (error) {
    notifyFailure(t("activity.exportFailed"), error);
  }
}

async function allOf(parameters: Parameters): Promise<readonly ActivityV2[]> {
  const events: ActivityV2[] = [];
  for (;;) {
    const last = events.at(-1)?.activity_id;
    const page = await operate("listActivity", {
      parameters: {
        ...{ ...parameters, limit: String(atOnce) },
        ...(last === undefined ? {} : { before: String(last) }),
      },
    });
    events.push(...page);
    if (page.length < atOnce) return events;
  }
}
