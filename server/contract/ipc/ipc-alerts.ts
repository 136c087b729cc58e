// Requests of the manager about the alerts of content services: rules, incidents and tests (V3-90 to V3-99).

import * as z from "zod";
import {
  alertStates,
  type AlertIncidentV3,
  type AlertRuleV3,
  type AlertTestV3,
} from "../v3/v3-alerts.ts";

const serviceId = z.string().min(1).max(100);
const id = z.string().min(1).max(200);
const text = z.string().max(8192);

/** The service validates it; omitted fields stay unchanged. */
const rule = z
  .object({
    name: text,
    isEnabled: z.boolean(),
    states: z.array(z.enum(alertStates)).max(10),
    afterSeconds: z.number(),
    /** Identifiers; empty: all screens. */
    labels: z.array(id).max(1000),
    /** Without a secret the stored one stays. */
    webhook: z.object({ url: text, secret: text.optional() }).nullable(),
    emails: z.array(text).max(100),
    quietHours: z
      .object({ from: text, until: text, timezone: text })
      .nullable(),
  })
  .partial();
export type AlertRuleChange = Readonly<z.infer<typeof rule>>;

export const alertsQuestions = {
  /** Null from a service without alerts. */
  listAlertRules: z.object({ serviceId }),
  /** Without an identifier, a new one. */
  saveAlertRule: z.object({ serviceId, ruleId: id.nullable(), rule }),
  removeAlertRule: z.object({ serviceId, ruleId: id }),
  /** Sends a message to every target and waits for the results. */
  testAlertRule: z.object({ serviceId, ruleId: id }),
  /** Open ones; null from a service without alerts. */
  listOpenIncidents: z.object({ serviceId }),
  acknowledgeIncident: z.object({ serviceId, incidentId: id }),
} as const;

export interface AlertsAnswers {
  listAlertRules: readonly AlertRuleV3[] | null;
  saveAlertRule: AlertRuleV3;
  removeAlertRule: null;
  testAlertRule: AlertTestV3;
  listOpenIncidents: readonly AlertIncidentV3[] | null;
  acknowledgeIncident: null;
}
