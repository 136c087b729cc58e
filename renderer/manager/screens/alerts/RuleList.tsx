// The alert rules of a content service: switched on and off, tested, edited and deleted.

import { Button, Group, Switch, Text } from "@mantine/core";
import { IconPencil, IconPlus, IconSend, IconTrash } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import type { AlertRuleV3 } from "../../../../server/contract/v3/v3-alerts.ts";
import { formats } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";
import { NamedQuestion } from "../../components/controls/Confirmation.tsx";
import {
  notifyFailure,
  notifyInternalError,
  notifyOnce,
  notifySuccess,
} from "../../components/outcomes/outcome.ts";
import { useRefetch } from "../../manager-queries.ts";
import { RuleForm } from "./RuleForm.tsx";

interface Props {
  readonly serviceId: string;
  readonly rules: readonly AlertRuleV3[];
}

export function RuleList({ serviceId, rules }: Props): ReactNode {
  /** The rule that is edited; empty: a new one. */
  const [editedId, setEditedId] = useState<string | null>(null);
  const close = (): void => {
    setEditedId(null);
  };
  return (
    <section aria-label={t("alerts.rules")}>
      <Group justify="space-between" mb={8}>
        <h3 className="alerts-heading">{t("alerts.rules")}</h3>
        <Button
          variant="default"
          leftSection={<IconPlus size={18} aria-hidden />}
          disabled={editedId === ""}
          onClick={() => {
            setEditedId("");
          }}
        >
          {t("alerts.add")}
        </Button>
      </Group>
      {editedId === "" ? (
        <RuleForm serviceId={serviceId} rule={null} onClose={close} />
      ) : rules.length === 0 ? (
        <Text c="dimmed">{t("alerts.noRules")}</Text>
      ) : null}
      <ul className="alerts-list">
        {rules.map((rule) =>
          rule.id === editedId ? (
            <li key={rule.id}>
              <RuleForm serviceId={serviceId} rule={rule} onClose={close} />
            </li>
          ) : (
            <Rule
              key={rule.id}
              {...{ serviceId, rule }}
              onEdit={() => {
                setEditedId(rule.id);
              }}
            />
          ),
        )}
      </ul>
    </section>
  );
}

function Rule(props: {
  readonly serviceId: string;
  readonly rule: AlertRuleV3;
  readonly onEdit: () => void;
}): ReactNode {
  const { serviceId, rule, onEdit } = props;
  const { id, name } = rule;
  const [isAsked, setIsAsked] = useState(false);
  const [isTesting, setIsTesting] = useState(false);
  const refetch = useRefetch();

  const enable = async (isEnabled: boolean): Promise<void> => {
    try {
      await window.manager.saveAlertRule({
        ...{ serviceId, ruleId: id, rule: { isEnabled } },
      });
    } catch (error) {
      notifyFailure(t("alerts.saveFailed", { name }), error);
    } finally {
      await refetch("listAlertRules", "listOpenIncidents");
    }
  };
  const test = async (): Promise<void> => {
    setIsTesting(true);
    try {
      const call = { serviceId, ruleId: id };
      const { results } = await window.manager.testAlertRule(call);
      if (results.length === 0)
        notifyOnce(`alerts ${id}`, t("alerts.noTargets", { name }));
      for (const { address, is_sent: isSent, result } of results)
        if (isSent) notifySuccess(t("alerts.testSent", { address }));
        else
          notifyFailure(
            t("alerts.testNotSent", { address }),
            new Error(result),
          );
    } catch (error) {
      notifyFailure(t("alerts.testFailed", { name }), error);
    } finally {
      setIsTesting(false);
    }
  };
  const remove = async (): Promise<void> => {
    try {
      await window.manager.removeAlertRule({ serviceId, ruleId: id });
      notifySuccess(t("alerts.removed", { name }));
      await refetch("listAlertRules", "listOpenIncidents");
    } catch (error) {
      notifyFailure(t("alerts.removeFailed", { name }), error);
    }
  };

  return (
    <li className="alerts-row">
      <Switch
        aria-label={t("alerts.enableNamed", { name })}
        checked={rule.is_enabled}
        onChange={(event) => {
          enable(event.currentTarget.checked).catch(notifyInternalError);
        }}
      />
      <div className="alerts-text">
        <bdi className="alerts-name">{name}</bdi>
        <span>{summaryOf(rule)}</span>
        <span className="quiet">{placesOf(rule)}</span>
        {targetsOf(rule).map((target) => (
          <span className="quiet" dir="ltr" key={target}>
            {target}
          </span>
        ))}
      </div>
      <Group gap={8}>
        <Button
          variant="default"
          leftSection={<IconSend size={18} aria-hidden />}
          aria-label={t("alerts.testNamed", { name })}
          loading={isTesting}
          onClick={() => {
            test().catch(notifyInternalError);
          }}
        >
          {t("alerts.test")}
        </Button>
        <Button
          variant="default"
          leftSection={<IconPencil size={18} aria-hidden />}
          aria-label={t("alerts.editNamed", { name })}
          onClick={onEdit}
        >
          {t("alerts.edit")}
        </Button>
        <Button
          variant="default"
          leftSection={<IconTrash size={18} aria-hidden />}
          aria-label={t("alerts.removeNamed", { name })}
          onClick={() => {
            setIsAsked(true);
          }}
        >
          {t("alerts.remove")}
        </Button>
      </Group>
      {isAsked ? (
        <div className="alerts-question">
          <NamedQuestion
            question={t("alerts.removeQuestion", { name })}
            consequence={t("alerts.removeConsequence")}
            no={t("manager.cancel")}
            yes={t("alerts.remove")}
            onNo={() => {
              setIsAsked(false);
            }}
            onYes={remove}
          />
        </div>
      ) : null}
    </li>
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
