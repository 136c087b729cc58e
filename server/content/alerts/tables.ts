// Row types of alerts for Kysely: rules, incidents, messages, and their deliveries, which are the outbox.

import type { ColumnType } from "kysely";
import type { AlertState, DeliveryState } from "../../contract/v3/v3-alerts.ts";
import type { EndCause, Notice } from "./incidents.ts";

/** Milliseconds since 1970, UTC. */
type Moment = number;
/** SQLite returns 0 or 1; both databases accept a boolean. */
type Flag = ColumnType<boolean | 0 | 1, boolean, boolean>;

export interface AlertTables {
  readonly alert_rules: {
    readonly id: string;
    readonly team_id: string;
    readonly name: string;
    readonly is_enabled: Flag;
    /** JSON. */
    readonly states: string;
    readonly after_seconds: number;
    /** JSON; empty: all screens. Identifiers of deleted labels stay, so that a rule never comes to concern more screens. */
    readonly label_ids: string;
    readonly webhook_url: string | null;
    /** Sealed like the secrets of edge apps (V4-306). */
    readonly webhook_secret: string | null;
    /** JSON. */
    readonly emails: string;
    /** JSON. */
    readonly quiet_hours: string | null;
    /** JSON: what was sent lately. */
    readonly pace: string;
    readonly created_at: Moment;
  };
  /** At most one of each rule and screen has not ended; `opened_at` is null before it lasted long enough. */
  readonly alert_incidents: {
    readonly id: string;
    readonly team_id: string;
    readonly rule_id: string;
    /** The screen may be deleted. */
    readonly screen_id: string;
    readonly screen_name: string;
    readonly state: AlertState;
    readonly reason: string;
    readonly since: Moment;
    readonly opened_at: Moment | null;
    readonly ended_at: Moment | null;
    readonly end_cause: EndCause | null;
    readonly acknowledged_at: Moment | null;
    readonly acknowledged_by: string | null;
    readonly opening: Notice;
    readonly ending: Notice;
    /** The message about its beginning, and the one about its end. */
    readonly opened_message_id: string | null;
    readonly ended_message_id: string | null;
  };
  readonly alert_messages: {
    readonly id: string;
    readonly team_id: string;
    readonly rule_id: string;
    readonly is_digest: Flag;
    /** JSON, as sent. */
    readonly body: string;
    readonly created_at: Moment;
  };
  /** The outbox: one row for each target of a message. */
  readonly alert_deliveries: {
    readonly id: string;
    readonly message_id: string;
    readonly rule_id: string;
    readonly target: "webhook" | "email";
    readonly address: string;
    readonly state: DeliveryState;
    readonly tries: number;
    readonly created_at: Moment;
    readonly due_at: Moment;
    readonly lease_owner: string | null;
    readonly lease_until: Moment;
    readonly tried_at: Moment | null;
    readonly result: string | null;
  };
}
