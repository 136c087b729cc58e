// The message about incidents as JSON: the body of webhooks, and what emails are written from (V3-96).

import type {
  AlertMessage,
  MessageIncident,
} from "../../contract/v3/v3-alerts.ts";
import type { Incident } from "./incidents.ts";
import type { AlertRule } from "./rules.ts";

/** A digest about ten thousand screens stays short enough for any receiver. */
const maxListed = 100;

export interface MessageParts {
  readonly id: string;
  readonly type: AlertMessage["type"];
  readonly rule: Pick<AlertRule, "id" | "name">;
  readonly createdAt: number;
  readonly opened: readonly Incident[];
  readonly ended: readonly Incident[];
}

export function messageBody(parts: MessageParts): AlertMessage {
  const { id, type, rule, createdAt, opened, ended } = parts;
  return {
    ...{ id, type, created_at: shown(createdAt) },
    rule: { id: rule.id, name: rule.name },
    ...{ opened: listed(opened), ended: listed(ended) },
  };
}

function listed(incidents: readonly Incident[]): AlertMessage["opened"] {
  return {
    count: incidents.length,
    incidents: incidents
      .slice(0, maxListed)
      .map((incident): MessageIncident => ({
        id: incident.id,
        screen: { id: incident.screenId, name: incident.screenName },
        ...{ state: incident.state, reason: incident.reason },
        since: shown(incident.since),
        opened_at: shown(incident.openedAt ?? incident.since),
        ended_at: incident.endedAt === null ? null : shown(incident.endedAt),
        end_cause: incident.endCause,
      })),
  };
}

function shown(moment: number): string {
  return new Date(moment).toISOString();
}
