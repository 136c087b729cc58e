// Incidents of version 3: open ones first, then newest first, with their messages; acknowledging one (V3-93, V3-95).

import { serviceSentences } from "../../../contract/sentences/service-sentences.ts";
import {
  alertIncidentsQueryV3,
  type AlertDeliveryV3,
  type AlertIncidentV3,
} from "../../../contract/v3/v3-alerts.ts";
import { Failure } from "../../../core/failure.ts";
import type { Row } from "../../../platform/database/database.ts";
import { actorOf, teamOf } from "../../access/access.ts";
import { acknowledgeIncident } from "../../alerts/acknowledge.ts";
import { judged } from "../../http/json-body.ts";
import { sendJson, type Handler, type Methods } from "../../http/routes.ts";
import { joined, named, sql, statementOf, type Sql } from "../../sql.ts";
import { refuseScreensOutside } from "../../v4/write/label-limits.ts";
import { notFound } from "../operation/responses.ts";
import { limitsOf } from "../operation/limits.ts";
import { reading, type V3 } from "../operation/v3.ts";
import { inTime } from "../operation/views.ts";

export interface AlertIncidents {
  readonly collection: Methods;
  readonly item: Methods;
  readonly acknowledgement: Methods;
}

const maxListed = 500;

export function createAlertIncidents(v3: V3): AlertIncidents {
  const { database, dialect } = v3;
  const rowsOf = (of: Sql): Promise<readonly Row[]> =>
    database.readHeavy(statementOf(of, dialect.kind));

  async function shown(
    team: string,
    conditions: Sql,
  ): Promise<readonly AlertIncidentV3[]> {
    const rows = await rowsOf(
      sql`SELECT i.*, r.name AS rule_name FROM alert_incidents i JOIN alert_rules r ON r.id = i.rule_id
        WHERE ${inTime(dialect, "i")} i.team_id = ${team} AND i.opened_at IS NOT NULL ${conditions}
        ORDER BY CASE WHEN i.ended_at IS NULL THEN 0 ELSE 1 END, i.opened_at DESC, i.id DESC
        LIMIT ${maxListed}`,
    );
    const messageIds = rows.flatMap((row) =>
      [row["opened_message_id"], row["ended_message_id"]].filter(
        (id) => typeof id === "string",
      ),
    );
    const deliveries = await rowsOf(
      sql`SELECT d.*, m.is_digest FROM alert_deliveries d JOIN alert_messages m ON m.id = d.message_id
        WHERE ${inTime(dialect, "d")} ${dialect.keysOneOf(named("message_id"), [...new Set(messageIds)])}
        ORDER BY d.message_id, d.id`,
    );
    const byMessage = new Map<string, Row[]>();
    for (const row of deliveries) {
      const id = text(row, "message_id");
      const others = byMessage.get(id);
      if (others) others.push(row);
      else byMessage.set(id, [row]);
    }
    return rows.map((row) => incidentFrom(row, byMessage));
  }

  async function shownOne(team: string, id: string): Promise<AlertIncidentV3> {
    const [incident] = await shown(team, sql`AND i.id = ${id}`);
    if (!incident) throw notFound();
    return incident;
  }

  const list: Handler = async (request, response) => {
    const query = judged(alertIncidentsQueryV3, { ...request.query });
    const { rule, screen, is_open: isOpen, since, until } = query;
    const conditions: Sql[] = [];
    if (rule)
      conditions.push(sql`AND ${dialect.keysOneOf(named("rule_id"), rule)}`);
    if (screen)
      conditions.push(
        sql`AND ${dialect.keysOneOf(named("screen_id"), screen)}`,
      );
    if (isOpen === true) conditions.push(sql`AND i.ended_at IS NULL`);
    if (isOpen === false) conditions.push(sql`AND i.ended_at IS NOT NULL`);
    if (since !== undefined)
      conditions.push(sql`AND (i.ended_at IS NULL OR i.ended_at >= ${since})`);
    if (until !== undefined) conditions.push(sql`AND i.opened_at < ${until}`);
    const incidents = await shown(teamOf(response), joined(conditions, " "));
    sendJson(response, 200, incidents);
  };

  const read: Handler = async (request, response) => {
    const id = request.params["id"] ?? "";
    sendJson(response, 200, await shownOne(teamOf(response), id));
  };

  const acknowledge: Handler = async (request, response) => {
    const id = request.params["id"] ?? "";
    const team = teamOf(response);
    await refuseScreensOutside(
      limitsOf(v3, reading(v3), response),
      (await shown(team, sql`AND i.id = ${id}`)).map((one) => one.screen_id),
    );
    const by = actorOf(response)?.name ?? "";
    const result = await acknowledgeIncident(v3, team, id, by);
    if (result === "unknown") throw notFound();
    if (result === "ended")
      throw new Failure("conflict", serviceSentences["incident-ended"]);
    sendJson(response, 200, await shownOne(team, id));
  };

  return {
    collection: { GET: list },
    item: { GET: read },
    acknowledgement: { POST: acknowledge },
  };
}

function incidentFrom(
  row: Row,
  deliveries: ReadonlyMap<string, readonly Row[]>,
): AlertIncidentV3 {
  const of = (
    event: AlertDeliveryV3["event"],
    id: unknown,
  ): readonly AlertDeliveryV3[] =>
    typeof id === "string"
      ? (deliveries.get(id) ?? []).map((each) => deliveryFrom(event, each))
      : [];
  return {
    ...{ id: text(row, "id"), rule_id: text(row, "rule_id") },
    ...{ rule_name: text(row, "rule_name") },
    ...{ screen_id: text(row, "screen_id") },
    ...{ screen_name: text(row, "screen_name") },
    state: text(row, "state") as AlertIncidentV3["state"],
    reason: text(row, "reason"),
    since: moment(row, "since") ?? "",
    opened_at: moment(row, "opened_at") ?? "",
    ended_at: moment(row, "ended_at"),
    end_cause: row["end_cause"] as AlertIncidentV3["end_cause"],
    acknowledged_at: moment(row, "acknowledged_at"),
    acknowledged_by: row["acknowledged_by"] as string | null,
    messages: [
      ...of("opened", row["opened_message_id"]),
      ...of("ended", row["ended_message_id"]),
    ],
  };
}

function deliveryFrom(
  event: AlertDeliveryV3["event"],
  row: Row,
): AlertDeliveryV3 {
  return {
    ...{ message_id: text(row, "message_id"), event },
    is_digest: Boolean(row["is_digest"]),
    target: text(row, "target") as AlertDeliveryV3["target"],
    address: text(row, "address"),
    state: text(row, "state") as AlertDeliveryV3["state"],
    tries: Number(row["tries"]),
    created_at: moment(row, "created_at") ?? "",
    tried_at: moment(row, "tried_at"),
    result: row["result"] as string | null,
  };
}

function text(row: Row, name: string): string {
  return String(row[name]);
}

function moment(row: Row, name: string): string | null {
  return row[name] === null ? null : new Date(Number(row[name])).toISOString();
}
