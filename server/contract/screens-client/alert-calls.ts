// Calls of the manager about the alerts of a content service.

import type { AlertsAnswers } from "../ipc/ipc-alerts.ts";
import { alertIncidentV3, alertRuleV3, alertTestV3 } from "../v3/v3-alerts.ts";
import type { Calls } from "./calls.ts";
import type { ScreenService } from "./screen-service.ts";
import { expected, rowsIn, unlessMissing } from "./response-rows.ts";

export function alertCalls(
  serviceOf: (id: string) => ScreenService,
): Calls<keyof AlertsAnswers> {
  return {
    listAlertRules: async ({ serviceId }) => {
      const rows = await unlessMissing(
        serviceOf(serviceId).request("GET", "/alerts/rules/"),
      );
      return rows === null ? null : rowsIn(alertRuleV3, rows);
    },
    saveAlertRule: async ({ serviceId, ruleId, rule }) => {
      const { name, states, webhook, emails, labels } = rule;
      const body = {
        ...{ name, states, webhook, emails, is_enabled: rule.isEnabled },
        ...{ after_seconds: rule.afterSeconds, quiet_hours: rule.quietHours },
        groups: labels?.map((id) => ({ id })),
      };
      const service = serviceOf(serviceId);
      return expected(
        alertRuleV3,
        ruleId === null
          ? await service.request("POST", "/alerts/rules/", body)
          : await service.request("PATCH", pathOf(ruleId), body),
      );
    },
    removeAlertRule: async ({ serviceId, ruleId }) => {
      await serviceOf(serviceId).request("DELETE", pathOf(ruleId));
      return null;
    },
    testAlertRule: async ({ serviceId, ruleId }) =>
      expected(
        alertTestV3,
        await serviceOf(serviceId).request("POST", `${pathOf(ruleId)}test/`),
      ),
    listOpenIncidents: async ({ serviceId }) => {
      const rows = await unlessMissing(
        serviceOf(serviceId).request("GET", "/alerts/incidents/?is_open=true"),
      );
      return rows === null ? null : rowsIn(alertIncidentV3, rows);
    },
    acknowledgeIncident: async ({ serviceId, incidentId }) => {
      const id = encodeURIComponent(incidentId);
      await serviceOf(serviceId).request(
        "POST",
        `/alerts/incidents/${id}/acknowledge/`,
      );
      return null;
    },
  };
}

function pathOf(ruleId: string): string {
  return `/alerts/rules/${encodeURIComponent(ruleId)}/`;
}
