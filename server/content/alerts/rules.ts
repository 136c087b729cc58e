// Alert rules as the engine reads them, and the screens that each concerns (V3-90, V3-93).

import type { Kysely, Selectable } from "kysely";
import type { AlertState, QuietHours } from "../../contract/v3/v3-alerts.ts";
import type { DatabaseKind } from "../../platform/database/database.ts";
import { neverSeenReason } from "../link/screen-state.ts";
import type { ContentTables } from "../tables.ts";
import type { FailingScreen, Pace } from "./incidents.ts";
import type { AlertTables } from "./tables.ts";

export interface AlertRule {
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  readonly isEnabled: boolean;
  readonly states: readonly AlertState[];
  readonly afterMs: number;
  readonly labelIds: readonly string[];
  readonly webhookUrl: string | null;
  readonly emails: readonly string[];
  readonly quietHours: QuietHours | null;
  readonly pace: Pace;
}

export function ruleFrom(
  row: Selectable<AlertTables["alert_rules"]>,
): AlertRule {
  const { id, name, quiet_hours: quietHours } = row;
  return {
    ...{ id, name, teamId: row.team_id, isEnabled: Boolean(row.is_enabled) },
    states: JSON.parse(row.states) as AlertRule["states"],
    afterMs: Number(row.after_seconds) * 1000,
    labelIds: JSON.parse(row.label_ids) as string[],
    webhookUrl: row.webhook_url,
    emails: JSON.parse(row.emails) as string[],
    quietHours:
      quietHours === null ? null : (JSON.parse(quietHours) as QuietHours),
    pace: JSON.parse(row.pace) as Pace,
  };
}

/** Locks a rule while its incidents are changed, so that no notice is sent twice. Null if the rule was deleted. */
export async function lockRule(
  transaction: Kysely<ContentTables>,
  kind: DatabaseKind,
  id: string,
): Promise<AlertRule | null> {
  const row = await lockRuleRow(transaction, kind, id);
  return row ? ruleFrom(row) : null;
}

/** The same, as it is stored. */
export async function lockRuleRow(
  transaction: Kysely<ContentTables>,
  kind: DatabaseKind,
  id: string,
): Promise<Selectable<AlertTables["alert_rules"]> | null> {
  const row = await transaction
    .selectFrom("alert_rules")
    .selectAll()
    .where("id", "=", id)
    .$if(kind === "postgres", (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  return row ?? null;
}

/** All screens that are in one of the states of the rule; `newId` is empty. */
export async function failingScreens(
  kysely: Kysely<ContentTables>,
  rule: AlertRule,
  most?: number,
): Promise<readonly FailingScreen[]> {
  const limit = most ?? null;
  const seen = await concerned(kysely, rule)
    .innerJoin("screen_states", "screen_states.screen_id", "screens.id")
    .select(["state", "reason", "since"])
    .where("screen_states.team_id", "=", rule.teamId)
    .where("state", "in", rule.states)
    .orderBy("screens.id")
    .$if(limit !== null, (query) => query.limit(limit ?? 0))
    .execute();
  const unseen = rule.states.includes("never-seen")
    ? await concerned(kysely, rule)
        .leftJoin("screen_states", "screen_states.screen_id", "screens.id")
        .select("screens.created_at")
        .where("screen_states.screen_id", "is", null)
        .orderBy("screens.id")
        .$if(limit !== null, (query) => query.limit(limit ?? 0))
        .execute()
    : [];
  return [
    ...seen.map((row): FailingScreen => ({
      ...{ screenId: row.id, screenName: row.name, newId: "" },
      ...{ state: row.state as AlertState, reason: row.reason ?? "" },
      since: Number(row.since),
    })),
    ...unseen.map((row): FailingScreen => ({
      ...{ screenId: row.id, screenName: row.name, newId: "" },
      ...{ state: "never-seen", reason: neverSeenReason },
      since: Number(row.created_at),
    })),
  ];
}

/** A SQLite statement takes at most 32,766 values. */
const screensAtOnce = 500;

/** Those of these screens that are deleted, or without a label of the rule. */
export async function excludedScreens(
  kysely: Kysely<ContentTables>,
  rule: AlertRule,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const excluded = new Set(ids);
  for (let from = 0; from < ids.length; from += screensAtOnce) {
    const rows = await concerned(kysely, rule)
      .where("screens.id", "in", ids.slice(from, from + screensAtOnce))
      .execute();
    for (const { id } of rows) excluded.delete(id);
  }
  return excluded;
}

function concerned(kysely: Kysely<ContentTables>, rule: AlertRule) {
  const { teamId, labelIds } = rule;
  return kysely
    .selectFrom("screens")
    .select(["screens.id", "screens.name"])
    .where("screens.team_id", "=", teamId)
    .$if(labelIds.length > 0, (query) =>
      query.where((eb) =>
        eb.or([
          // A screen's own label has its identifier.
          eb("screens.id", "in", labelIds),
          eb.exists(
            eb
              .selectFrom("label_screen")
              .select("label_screen.row_id")
              .whereRef("label_screen.screen_id", "=", "screens.id")
              .where("label_screen.team_id", "=", teamId)
              .where("label_screen.label_id", "in", labelIds),
          ),
          eb.exists(
            eb
              .selectFrom("labels")
              .select("labels.id")
              .where("labels.team_id", "=", teamId)
              .where("labels.type", "=", "all-screens")
              .where("labels.id", "in", labelIds),
          ),
        ]),
      ),
    );
}
