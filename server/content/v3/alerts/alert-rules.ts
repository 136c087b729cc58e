// Alert rules of version 3: list, create, change, delete, test (V3-90 to V3-92).

import { isIP } from "node:net";
import type { Selectable } from "kysely";
import { serviceSentences } from "../../../contract/sentences/service-sentences.ts";
import {
  alertRuleCreateV3,
  alertRuleUpdateV3,
  type AlertRuleUpdateV3,
  type AlertRuleV3,
} from "../../../contract/v3/v3-alerts.ts";
import { fieldFailure } from "../../../core/failure.ts";
import { teamOf } from "../../access/access.ts";
import { endIncidents } from "../../alerts/acknowledge.ts";
import { noAlerts } from "../../alerts/incidents.ts";
import { lockRuleRow, ruleFrom } from "../../alerts/rules.ts";
import type { AlertTables } from "../../alerts/tables.ts";
import { judged } from "../../http/json-body.ts";
import { sendJson, type Handler, type Methods } from "../../http/routes.ts";
import { changedFieldsOf, fieldsOf } from "../operation/fields.ts";
import { noteOfAdded, notesOfChange } from "../operation/noted-bodies.ts";
import { labelsOfGroups, shownGroups } from "../operation/references.ts";
import { notFound, sendText } from "../operation/responses.ts";
import {
  refuseMoreRows,
  rowReaders,
  rowRemover,
} from "../operation/team-rows.ts";
import { noteIn, type V3 } from "../operation/v3.ts";

export interface AlertRules {
  readonly collection: Methods;
  readonly item: Methods;
  readonly test: Methods;
}

type RuleRow = Selectable<AlertTables["alert_rules"]>;

/** Each rule is compared with all screens every few seconds. */
const maxRules = 100;

export function createAlertRules(v3: V3): AlertRules {
  const { database, alerts } = v3;
  const { kysely } = database;

  const rowsOf = (team: string, id?: string): Promise<readonly RuleRow[]> =>
    kysely
      .selectFrom("alert_rules")
      .selectAll()
      .where("team_id", "=", team)
      .$if(id !== undefined, (query) => query.where("id", "=", id ?? ""))
      .orderBy("id")
      .execute();

  async function shown(team: string, id?: string): Promise<AlertRuleV3[]> {
    const rows = await rowsOf(team, id);
    const names = await groupNames(team, rows);
    return rows.map((row) => ruleView(row, names));
  }

  function groupNames(
    team: string,
    rows: readonly Pick<RuleRow, "label_ids">[],
  ): ReturnType<typeof shownGroups> {
    const labels = rows.flatMap(
      ({ label_ids }) => JSON.parse(label_ids) as string[],
    );
    return shownGroups(v3, team, labels);
  }

  const { shownOne, list, read } = rowReaders(shown);

  const create: Handler = async (request, response) => {
    const team = teamOf(response);
    const body = judged(alertRuleCreateV3, fieldsOf(request));
    const id = v3.makeId();
    refuseWithoutSecret(body, null);
    const columns = await columnsOf(team, id, body);
    await database.transaction(async (transaction) => {
      await refuseMoreRows(
        ...([transaction, "alert_rules", team] as const),
        ...([maxRules, "alert rules"] as const),
      );
      await transaction
        .insertInto("alert_rules")
        .values({
          ...{ id, team_id: team, name: body.name, created_at: v3.now() },
          ...{ is_enabled: true, label_ids: "[]", emails: "[]" },
          states: JSON.stringify(body.states),
          ...{ after_seconds: body.after_seconds, quiet_hours: null },
          ...{ webhook_url: null, webhook_secret: null },
          pace: JSON.stringify(noAlerts.pace),
          ...columns,
        })
        .execute();
      await noteIn(
        ...([v3, transaction, team] as const),
        noteOfAdded("alert-rule", id, body.name),
      );
    });
    sendJson(response, 201, await shownOne(team, id));
  };

  const change: Handler = async (request, response) => {
    const id = request.params["id"] ?? "";
    const team = teamOf(response);
    const before = JSON.stringify(await shownOne(team, id));
    const body = judged(alertRuleUpdateV3, changedFieldsOf(request, before));
    const columns = await columnsOf(team, id, body);
    // Before the transaction, which has a connection of its own.
    const names = await groupNames(team, [
      ...(await rowsOf(team, id)),
      { label_ids: columns.label_ids ?? "[]" },
    ]);
    await database.transaction(async (transaction) => {
      const row = await lockRuleRow(transaction, database.kind, id);
      if (!row) throw notFound();
      refuseWithoutSecret(body, row.webhook_secret);
      if (body.is_enabled === false && Boolean(row.is_enabled))
        await endIncidents(v3, transaction, ruleFrom(row));
      if (Object.keys(columns).length > 0)
        await transaction
          .updateTable("alert_rules")
          .set(columns)
          .where("id", "=", id)
          .execute();
      const [was, is] = [row, { ...row, ...columns }].map((each) =>
        JSON.stringify(notedRule(each, names)),
      );
      await noteIn(
        ...([v3, transaction, team] as const),
        ...notesOfChange("alert-rule", id, was ?? null, is ?? null, body),
      );
    });
    sendJson(response, 200, await shownOne(team, id));
  };

  const test: Handler = async (request, response) => {
    const id = request.params["id"] ?? "";
    const results = await alerts.test(teamOf(response), id);
    if (results === null) throw notFound();
    sendText(response, 200, JSON.stringify(results));
  };

  /** The columns for the fields that were sent, after everything that only the service can check. */
  async function columnsOf(
    team: string,
    id: string,
    body: AlertRuleUpdateV3,
  ): Promise<Partial<Omit<RuleRow, "is_enabled">> & { is_enabled?: boolean }> {
    const { name, is_enabled, states, after_seconds, groups } = body;
    const { emails, quiet_hours, webhook } = body;
    if (emails && emails.length > 0 && !alerts.hasMailServer)
      throw fieldFailure("emails", serviceSentences["emails-impossible"]);
    return {
      ...(name !== undefined && { name }),
      ...(is_enabled !== undefined && { is_enabled }),
      ...(states && { states: JSON.stringify(states) }),
      ...(after_seconds !== undefined && { after_seconds }),
      ...(groups && {
        label_ids: JSON.stringify(
          (await labelsOfGroups(v3, team, groups)).map(({ id }) => id),
        ),
      }),
      ...(emails && { emails: JSON.stringify(emails) }),
      ...(quiet_hours !== undefined && {
        quiet_hours: quiet_hours && JSON.stringify(quiet_hours),
      }),
      ...(webhook === null && { webhook_url: null, webhook_secret: null }),
      ...(webhook && { webhook_url: checkedUrl(v3, webhook.url) }),
      ...(webhook?.secret !== undefined && {
        webhook_secret: v3.sealSecret(id, webhook.secret),
      }),
    };
  }

  return {
    collection: { GET: list, POST: create },
    item: {
      GET: read,
      PUT: change,
      PATCH: change,
      DELETE: rowRemover(v3, "alert_rules", "alert-rule"),
    },
    test: { POST: test },
  };
}

/** Without one, a webhook keeps that which it has. */
function refuseWithoutSecret(
  { webhook }: AlertRuleUpdateV3,
  stored: string | null,
): void {
  if (webhook && webhook.secret === undefined && stored === null)
    throw fieldFailure("webhook", serviceSentences["webhook-secret"]);
}

/** A host name is checked when it is connected to, as it may resolve to another address then. */
function checkedUrl({ mayConnect }: V3, url: string): string {
  if (!URL.canParse(url))
    throw fieldFailure("webhook", serviceSentences["webhook-scheme"]);
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !mayConnect(host))
    throw fieldFailure("webhook", serviceSentences["webhook-private"]);
  return url;
}

/** As it is shown, but with everything of the webhook, of which the activity log says only that it is another one (V4-382). */
function notedRule(
  row: Pick<RuleRow, "webhook_url" | "webhook_secret"> &
    Parameters<typeof ruleView>[0],
  names: Parameters<typeof ruleView>[1],
) {
  const { webhook_url: url, webhook_secret: secret } = row;
  return { ...ruleView(row, names), webhook: url && [url, secret] };
}

function ruleView(
  row: RuleRow,
  names: ReadonlyMap<string, AlertRuleV3["groups"][number]>,
): AlertRuleV3 {
  const { id, name, isEnabled, states, labelIds, ...rule } = ruleFrom(row);
  return {
    ...{ id, name, is_enabled: isEnabled, states: [...states] },
    after_seconds: rule.afterMs / 1000,
    groups: labelIds.map(
      (label) => names.get(label) ?? { id: label, name: null },
    ),
    webhook:
      rule.webhookUrl === null
        ? null
        : { url: rule.webhookUrl, has_secret: true },
    emails: [...rule.emails],
    quiet_hours: rule.quietHours,
    created_at: new Date(Number(row.created_at)).toISOString(),
  };
}
