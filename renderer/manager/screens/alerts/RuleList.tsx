// The alert rules of a content service: switched on and off, tested, edited and deleted.

import { IconSend } from "@tabler/icons-react";
import { type ReactNode } from "react";
import type { AlertRuleV3 } from "../../../../server/contract/v3/v3-alerts.ts";
import { formats } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";
import { AttemptButton } from "../../components/controls/AttemptButton.tsx";
import { EditableList } from "../../components/editable-list/EditableList.tsx";
import { EditableRow } from "../../components/editable-list/EditableRow.tsx";
import {
  notifyFailure,
  notifyOnce,
  notifySuccess,
} from "../../components/outcomes/outcome.ts";
import { useRefetch } from "../../api/manager-queries.ts";
import { useMayRequest } from "../../place/permissions.ts";
import { RuleForm } from "./RuleForm.tsx";
import { bridge } from "../../transport/bridge.ts";

interface Props {
  readonly serviceId: string;
  readonly rules: readonly AlertRuleV3[];
}

export function RuleList({ serviceId, rules }: Props): ReactNode {
  const mayWrite = useMayRequest()("POST", "/alerts/rules");
  return (
    <EditableList
      label={t("alerts.rules")}
      addText={mayWrite ? t("alerts.add") : null}
      emptyText={t("alerts.noRules")}
      items={rules}
      form={(rule, onClose) => <RuleForm {...{ serviceId, rule, onClose }} />}
      row={(rule, onEdit) => <Rule {...{ serviceId, rule, onEdit }} />}
    />
  );
}

function Rule(props: {
  readonly serviceId: string;
  readonly rule: AlertRuleV3;
  readonly onEdit: () => void;
}): ReactNode {
  const { serviceId, rule, onEdit } = props;
  const { id, name } = rule;
  const mayRequest = useMayRequest();
  const refetch = useRefetch();

  const enable = async (isEnabled: boolean): Promise<void> => {
    try {
      await bridge().saveAlertRule({
        ...{ serviceId, ruleId: id, rule: { isEnabled } },
      });
    } catch (error) {
      notifyFailure(t("alerts.saveFailed", { name }), error);
    } finally {
      await refetch("listAlertRules", "listOpenIncidents");
    }
  };
  const test = async (): Promise<void> => {
    const { results } = await bridge().testAlertRule({ serviceId, ruleId: id });
    if (results.length === 0)
      notifyOnce(`alerts ${id}`, t("alerts.noTargets", { name }));
    for (const { address, is_sent: isSent, result } of results)
      if (isSent) notifySuccess(t("alerts.testSent", { address }));
      else
        notifyFailure(t("alerts.testNotSent", { address }), new Error(result));
  };
  const remove = async (): Promise<void> => {
    try {
      await bridge().removeAlertRule({ serviceId, ruleId: id });
      notifySuccess(t("alerts.removed", { name }));
      await refetch("listAlertRules", "listOpenIncidents");
    } catch (error) {
      notifyFailure(t("alerts.removeFailed", { name }), error);
    }
  };

  return (
    <EditableRow
      {...{ name, onEdit }}
      isReadOnly={!mayRequest("PATCH", "/alerts/rules/:id")}
      isEnabled={rule.is_enabled}
      labels={{
        enable: t("alerts.enableNamed", { name }),
        edit: t("alerts.editNamed", { name }),
        remove: t("alerts.removeNamed", { name }),
      }}
      question={t("alerts.removeQuestion", { name })}
      consequence={t("alerts.removeConsequence")}
      buttons={
        <AttemptButton
          leftSection={<IconSend size={18} aria-hidden />}
          aria-label={t("alerts.testNamed", { name })}
          failedText={t("alerts.testFailed", { name })}
          onAttempt={test}
        >
          {t("alerts.test")}
        </AttemptButton>
      }
      onEnable={enable}
      onRemove={remove}
    >
      <span>{summaryOf(rule)}</span>
      <span className="quiet">{placesOf(rule)}</span>
      {targetsOf(rule).map((target) => (
        <span className="quiet" dir="ltr" key={target}>
          {target}
        </span>
      ))}
    </EditableRow>
  );
}

function summaryOf({ states, after_seconds: seconds }: AlertRuleV3): string {
  const named = formats.alternatives(
    states.map((state) => t(`screens.states.${state}`)),
  );
  return seconds === 0
    ? t("alerts.atOnce", { states: named })
    : t("alerts.ruleSummary", {
        states: named,
        duration: formats.length(seconds),
      });
}

function placesOf({ groups }: AlertRuleV3): string {
  return groups.length === 0
    ? t("alerts.allScreens")
    : formats.list(
        groups.map((group) => group.name ?? t("alerts.unknownLabel")),
      );
}

function targetsOf({ webhook, emails }: AlertRuleV3): readonly string[] {
  return [...(webhook ? [webhook.url] : []), ...emails];
}
