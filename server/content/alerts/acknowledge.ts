// What people do about incidents: acknowledge one, or disable the rule (V3-95).

import type { Kysely } from "kysely";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import { noteActivity } from "../activity/activity.ts";
import type { ContentTables } from "../tables.ts";
import type { RuleCheckOptions } from "./check-rules.ts";
import { lockRule, type AlertRule } from "./rules.ts";
import { readIncidents, takeStep } from "./stored-incidents.ts";

/** Acknowledging twice changes nothing. */
export function acknowledgeIncident(
  { database, makeId, now }: RuleCheckOptions,
  teamId: string,
  id: string,
  by: string,
): Promise<"acknowledged" | "ended" | "unknown"> {
  return database.transaction(async (transaction) => {
    const found = await transaction
      .selectFrom("alert_incidents")
      .select("rule_id")
      .where("team_id", "=", teamId)
      .where("id", "=", id)
      .where("opened_at", "is not", null)
      .executeTakeFirst();
    const rule =
      found && (await lockRule(transaction, database.kind, found.rule_id));
    if (!rule) return "unknown";
    const before = await readIncidents(transaction, rule);
    const incident = before.incidents.get(id);
    if (!incident || incident.endedAt !== null) return "ended";
    const at = now();
    await takeStep({ transaction, makeId, now: at, rule }, before, {
      ...{ kind: "acknowledged", at, id, by },
    });
    await cancelAnnouncement(transaction, id);
    if (incident.acknowledgedAt === null)
      await noteActivity(
        ...([transaction, database.kind] as const),
        { team: teamId, now: at, makeId },
        {
          ...{ kind: "alert", what: "changed", id, name: rule.name },
          changes: [{ field: "acknowledged", before: false, after: true }],
        },
      );
    return "acknowledged";
  });
}

/** Ends its incidents without a message; in the transaction that disables the rule and has locked it. */
export async function endIncidents(
  { makeId, now }: Pick<RuleCheckOptions, "makeId" | "now">,
  transaction: Kysely<ContentTables>,
  rule: AlertRule,
): Promise<void> {
  const at = now();
  const before = await readIncidents(transaction, rule);
  await takeStep({ transaction, makeId, now: at, rule }, before, {
    ...{ kind: "disabled", at },
  });
  await transaction
    .updateTable("alert_deliveries")
    .set({ state: "canceled", result: serviceSentences["rule-disabled"] })
    .where("rule_id", "=", rule.id)
    .where("state", "=", "waiting")
    .execute();
}

/** A message that is still being retried is not news any more; a digest is also about others. */
async function cancelAnnouncement(
  transaction: Kysely<ContentTables>,
  id: string,
): Promise<void> {
  await transaction
    .updateTable("alert_deliveries")
    .set({
      state: "canceled",
      result: serviceSentences["incident-acknowledged"],
    })
    .where("state", "=", "waiting")
    .where("message_id", "in", (query) =>
      query
        .selectFrom("alert_messages")
        .innerJoin(
          "alert_incidents",
          "alert_incidents.opened_message_id",
          "alert_messages.id",
        )
        .select("alert_messages.id")
        .where("alert_incidents.id", "=", id)
        .where("alert_messages.is_digest", "=", false),
    )
    .execute();
}
