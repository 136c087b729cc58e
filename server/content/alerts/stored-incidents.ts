// Takes the incidents of a rule one step further: reads them, and writes what changed together with the messages to be sent.

import { sql, type Kysely, type Selectable } from "kysely";
import type { ContentTables } from "../tables.ts";
import {
  nextAlerts,
  type AlertEvent,
  type AlertsState,
  type Incident,
  type Message,
} from "./incidents.ts";
import { messageBody } from "./message-body.ts";
import type { AlertRule } from "./rules.ts";
import type { AlertTables } from "./tables.ts";

type IncidentRow = Selectable<AlertTables["alert_incidents"]>;

export interface StepOptions {
  readonly transaction: Kysely<ContentTables>;
  readonly makeId: () => string;
  readonly now: number;
  /** Locked by this transaction. */
  readonly rule: AlertRule;
}

/** A SQLite statement takes at most 32,766 values. */
const rowsAtOnce = 500;

/**
 * Those that have not ended, and those whose end has not been announced: each by a partial index, whose condition has to stand
 * in the statement as it is.
 */
function goingIncidents(kysely: Kysely<ContentTables>, ruleId: string) {
  return kysely.selectFrom(
    kysely
      .selectFrom("alert_incidents")
      .selectAll()
      .where("rule_id", "=", ruleId)
      .where("ended_at", "is", null)
      .unionAll(
        kysely
          .selectFrom("alert_incidents")
          .selectAll()
          .where("rule_id", "=", ruleId)
          .where("ended_at", "is not", null)
          .where(sql<boolean>`ending IN ('waiting', 'held')`),
      )
      .as("going"),
  );
}

/** Whether the rule has incidents that the next check may change. */
export async function hasIncidents(
  kysely: Kysely<ContentTables>,
  ruleId: string,
): Promise<boolean> {
  const first = await goingIncidents(kysely, ruleId)
    .select("id")
    .limit(1)
    .executeTakeFirst();
  return first !== undefined;
}

export async function readIncidents(
  transaction: Kysely<ContentTables>,
  { id, pace }: AlertRule,
): Promise<AlertsState> {
  const rows = await goingIncidents(transaction, id)
    .selectAll()
    .orderBy("id")
    .execute();
  return {
    pace,
    incidents: new Map(rows.map((row) => [row.id, incidentFrom(row)])),
  };
}

function incidentFrom(row: IncidentRow): Incident {
  const moment = (value: unknown): number | null =>
    value === null ? null : Number(value);
  return {
    ...{ id: row.id, screenId: row.screen_id, screenName: row.screen_name },
    ...{ state: row.state, reason: row.reason, since: Number(row.since) },
    ...{ openedAt: moment(row.opened_at), endedAt: moment(row.ended_at) },
    ...{ endCause: row.end_cause, acknowledgedBy: row.acknowledged_by },
    acknowledgedAt: moment(row.acknowledged_at),
    ...{ opening: row.opening, ending: row.ending },
  };
}

/** Returns the messages that are in the outbox now. */
export async function takeStep(
  options: StepOptions,
  before: AlertsState,
  event: AlertEvent,
): Promise<readonly Message[]> {
  const { transaction, rule } = options;
  const { state, messages } = nextAlerts(before, event);
  const openedBy = new Map<string, string>();
  const endedBy = new Map<string, string>();
  if (rule.webhookUrl !== null || rule.emails.length > 0)
    for (const message of messages) {
      const id = await enqueue(options, message, state.incidents);
      for (const one of message.opened) openedBy.set(one, id);
      for (const one of message.ended) endedBy.set(one, id);
    }
  const changed = [...state.incidents.values()].filter(
    (incident) => before.incidents.get(incident.id) !== incident,
  );
  await inChunks(changed, (some) =>
    writeIncidents(options, some, openedBy, endedBy),
  );
  const forgotten = [...before.incidents.values()]
    .filter(({ id, openedAt }) => openedAt === null && !state.incidents.has(id))
    .map(({ id }) => id);
  await inChunks(forgotten, (ids) =>
    transaction.deleteFrom("alert_incidents").where("id", "in", ids).execute(),
  );
  const pace = JSON.stringify(state.pace);
  if (pace !== JSON.stringify(before.pace))
    await transaction
      .updateTable("alert_rules")
      .set({ pace })
      .where("id", "=", rule.id)
      .execute();
  return messages;
}

async function inChunks<T>(
  all: readonly T[],
  act: (some: readonly T[]) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < all.length; from += rowsAtOnce)
    await act(all.slice(from, from + rowsAtOnce));
}

async function writeIncidents(
  { transaction, rule }: StepOptions,
  incidents: readonly Incident[],
  openedBy: ReadonlyMap<string, string>,
  endedBy: ReadonlyMap<string, string>,
): Promise<void> {
  await transaction
    .insertInto("alert_incidents")
    .values(
      incidents.map((incident) => ({
        ...{ id: incident.id, team_id: rule.teamId, rule_id: rule.id },
        ...{ screen_id: incident.screenId, screen_name: incident.screenName },
        ...{ state: incident.state, reason: incident.reason },
        ...{ since: incident.since, opened_at: incident.openedAt },
        ...{ ended_at: incident.endedAt, end_cause: incident.endCause },
        acknowledged_at: incident.acknowledgedAt,
        acknowledged_by: incident.acknowledgedBy,
        ...{ opening: incident.opening, ending: incident.ending },
        opened_message_id: openedBy.get(incident.id) ?? null,
        ended_message_id: endedBy.get(incident.id) ?? null,
      })),
    )
    .onConflict((on) =>
      on.column("id").doUpdateSet((eb) => ({
        screen_name: eb.ref("excluded.screen_name"),
        state: eb.ref("excluded.state"),
        reason: eb.ref("excluded.reason"),
        since: eb.ref("excluded.since"),
        opened_at: eb.ref("excluded.opened_at"),
        ended_at: eb.ref("excluded.ended_at"),
        end_cause: eb.ref("excluded.end_cause"),
        acknowledged_at: eb.ref("excluded.acknowledged_at"),
        acknowledged_by: eb.ref("excluded.acknowledged_by"),
        opening: eb.ref("excluded.opening"),
        ending: eb.ref("excluded.ending"),
        opened_message_id: eb.fn.coalesce(
          eb.ref("excluded.opened_message_id"),
          eb.ref("alert_incidents.opened_message_id"),
        ),
        ended_message_id: eb.fn.coalesce(
          eb.ref("excluded.ended_message_id"),
          eb.ref("alert_incidents.ended_message_id"),
        ),
      })),
    )
    .execute();
}

async function enqueue(
  { transaction, makeId, now, rule }: StepOptions,
  message: Message,
  incidents: ReadonlyMap<string, Incident>,
): Promise<string> {
  const id = makeId();
  const among = (ids: readonly string[]): readonly Incident[] =>
    ids.flatMap((one) => incidents.get(one) ?? []);
  const body = messageBody({
    ...{ id, rule, createdAt: now },
    type: message.isDigest
      ? "digest"
      : message.opened.length > 0
        ? "incident.opened"
        : "incident.ended",
    opened: among(message.opened),
    ended: among(message.ended),
  });
  await transaction
    .insertInto("alert_messages")
    .values({
      ...{ id, team_id: rule.teamId, rule_id: rule.id, created_at: now },
      ...{ is_digest: message.isDigest, body: JSON.stringify(body) },
    })
    .execute();
  await transaction
    .insertInto("alert_deliveries")
    .values(
      targetsOf(rule).map((target) => ({
        ...{ ...target, id: makeId(), message_id: id, rule_id: rule.id },
        ...{ state: "waiting" as const, tries: 0, created_at: now },
        ...{ due_at: now, lease_owner: null, lease_until: 0 },
        ...{ tried_at: null, result: null },
      })),
    )
    .execute();
  return id;
}

export interface Target {
  readonly target: "webhook" | "email";
  readonly address: string;
}

export function targetsOf({
  webhookUrl,
  emails,
}: Pick<AlertRule, "webhookUrl" | "emails">): readonly Target[] {
  return [
    ...(webhookUrl === null
      ? []
      : [{ target: "webhook" as const, address: webhookUrl }]),
    ...emails.map((address) => ({ target: "email" as const, address })),
  ];
}
