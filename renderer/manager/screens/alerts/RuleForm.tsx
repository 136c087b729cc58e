// The form of an alert rule: what it is about, who is notified, and when it is quiet.

import {
  Checkbox,
  Group,
  NumberInput,
  PasswordInput,
  Select,
  SimpleGrid,
  Switch,
  TagsInput,
  TextInput,
} from "@mantine/core";
import { useState, type ReactNode } from "react";
import type { AlertRuleChange } from "../../../../server/contract/ipc/ipc-alerts.ts";
import {
  alertStates,
  type AlertRuleV3,
  type AlertState,
} from "../../../../server/contract/v3/v3-alerts.ts";
import { t } from "../../../locales/messages.ts";
import { EditableForm } from "../../components/editable-list/EditableForm.tsx";
import {
  HoursFields,
  NameField,
} from "../../components/editable-list/EntryFields.tsx";
import { notifySuccess } from "../../components/outcomes/outcome.ts";
import { useRefetch } from "../../api/manager-queries.ts";
import { LabelsField } from "../../fleet/LabelsField.tsx";
import { bridge } from "../../transport/bridge.ts";

interface Props {
  readonly serviceId: string;
  /** Null: a new one. */
  readonly rule: AlertRuleV3 | null;
  readonly onClose: () => void;
}

interface Draft {
  readonly name: string;
  readonly states: readonly AlertState[];
  readonly minutes: number | string;
  readonly labels: readonly string[];
  readonly url: string;
  readonly secret: string;
  readonly emails: readonly string[];
  readonly isQuiet: boolean;
  readonly from: string;
  readonly until: string;
  readonly timezone: string;
}

const zones = Intl.supportedValuesOf("timeZone");
const defaultMinutes = 5;

function draftOf(rule: AlertRuleV3 | null): Draft {
  const quiet = rule?.quiet_hours ?? null;
  return {
    name: rule?.name ?? "",
    states: rule?.states ?? ["wrong", "offline"],
    minutes: rule ? rule.after_seconds / 60 : defaultMinutes,
    labels: rule?.groups.map(({ id }) => id) ?? [],
    url: rule?.webhook?.url ?? "",
    secret: "",
    emails: rule?.emails ?? [],
    isQuiet: quiet !== null,
    from: quiet?.from ?? "22:00",
    until: quiet?.until ?? "06:00",
    timezone:
      quiet?.timezone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

function changeFrom(draft: Draft): AlertRuleChange {
  const { name, states, labels, secret, emails } = draft;
  const { from, until, timezone } = draft;
  const url = draft.url.trim();
  return {
    ...{ name, states: [...states], labels: [...labels] },
    emails: [...emails],
    afterSeconds: Math.round(Number(draft.minutes) * 60),
    webhook: url === "" ? null : { url, ...(secret !== "" && { secret }) },
    quietHours: draft.isQuiet ? { from, until, timezone } : null,
  };
}

export function RuleForm({ serviceId, rule, onClose }: Props): ReactNode {
  const [draft, setDraft] = useState(() => draftOf(rule));
  const refetch = useRefetch();
  const change = (part: Partial<Draft>): void => {
    setDraft({ ...draft, ...part });
  };
  const name = draft.name.trim();
  const isReady = name !== "" && draft.states.length > 0;

  const save = async (): Promise<void> => {
    await bridge().saveAlertRule({
      ...{ serviceId, ruleId: rule?.id ?? null },
      rule: changeFrom({ ...draft, name }),
    });
    notifySuccess(t("alerts.saved", { name }));
    await refetch("listAlertRules", "listOpenIncidents");
  };

  return (
    <EditableForm
      label={rule ? t("alerts.editTitle") : t("alerts.add")}
      submitText={rule ? t("alerts.form.save") : t("alerts.form.create")}
      failedText={t("alerts.saveFailed", { name })}
      draft={draft}
      isReady={isReady}
      onSave={save}
      onClose={onClose}
    >
      <NameField
        label={t("alerts.form.name")}
        value={draft.name}
        onChange={(next) => {
          change({ name: next });
        }}
      />
      <Checkbox.Group
        label={t("alerts.form.states")}
        value={[...draft.states]}
        onChange={(states) => {
          change({
            states: alertStates.filter((state) => states.includes(state)),
          });
        }}
      >
        <Group gap="8px 20px" mt={8}>
          {alertStates.map((state) => (
            <Checkbox
              key={state}
              value={state}
              label={t(`screens.states.${state}`)}
            />
          ))}
        </Group>
      </Checkbox.Group>
      <SimpleGrid minColWidth={260} style={{ alignItems: "end" }}>
        <NumberInput
          label={t("alerts.form.after")}
          description={t("alerts.form.afterHelp")}
          min={0}
          max={10_080}
          decimalScale={2}
          value={draft.minutes}
          onChange={(minutes) => {
            change({ minutes });
          }}
        />
        <LabelsField
          label={t("alerts.form.labels")}
          serviceId={serviceId}
          chosen={draft.labels}
          before={rule?.groups ?? []}
          onChange={(ids) => {
            change({ labels: ids });
          }}
        />
        <TextInput
          label={t("alerts.form.webhook")}
          placeholder="https://"
          inputMode="url"
          dir="ltr"
          spellCheck={false}
          value={draft.url}
          onChange={(event) => {
            change({ url: event.currentTarget.value });
          }}
        />
        <PasswordInput
          label={t("alerts.form.secret")}
          description={
            rule?.webhook
              ? t("alerts.form.secretKept")
              : t("alerts.form.secretHelp")
          }
          autoComplete="off"
          dir="ltr"
          maxLength={200}
          value={draft.secret}
          onChange={(event) => {
            change({ secret: event.currentTarget.value });
          }}
        />
      </SimpleGrid>
      <TagsInput
        label={t("alerts.form.emails")}
        description={t("alerts.form.emailsHelp")}
        acceptValueOnBlur
        dir="ltr"
        clearButtonProps={{ "aria-label": t("alerts.form.clearEmails") }}
        value={[...draft.emails]}
        onChange={(emails) => {
          change({ emails });
        }}
      />
      <Switch
        label={t("alerts.form.quiet")}
        description={t("alerts.form.quietHelp")}
        checked={draft.isQuiet}
        onChange={(event) => {
          change({ isQuiet: event.currentTarget.checked });
        }}
      />
      {draft.isQuiet ? (
        <SimpleGrid minColWidth={160}>
          <HoursFields
            labels={{
              from: t("alerts.form.from"),
              until: t("alerts.form.until"),
            }}
            from={draft.from}
            until={draft.until}
            onChange={change}
          />
          <Select
            label={t("alerts.form.timezone")}
            searchable
            allowDeselect={false}
            limit={60}
            data={[...new Set([draft.timezone, "UTC", ...zones])]}
            value={draft.timezone}
            onChange={(timezone) => {
              if (timezone !== null) change({ timezone });
            }}
          />
        </SimpleGrid>
      ) : null}
    </EditableForm>
  );
}
