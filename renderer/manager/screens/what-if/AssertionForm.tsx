// The form of an assertion: what must never be there, or at least so often, on which screens and when.

import {
  MultiSelect,
  NumberInput,
  Select,
  SimpleGrid,
  Switch,
  TagsInput,
  Text,
} from "@mantine/core";
import { useState, type ReactNode } from "react";
import type { AssertionChange } from "../../../../server/contract/ipc/ipc-what-if.ts";
import type { AssertionV3 } from "../../../../server/contract/v3/v3-what-if.ts";
import { assertionKinds } from "../../../../server/core/what-if/assertion.ts";
import { t } from "../../../locales/messages.ts";
import { EditableForm } from "../../components/editable-list/EditableForm.tsx";
import {
  HoursFields,
  NameField,
} from "../../components/editable-list/EntryFields.tsx";
import { notifySuccess } from "../../components/outcomes/outcome.ts";
import { useQuestion, useRefetch } from "../../api/manager-queries.ts";
import { LabelsField } from "../../fleet/LabelsField.tsx";
import { hoursOf, predicateOfHours, whenInWords } from "./assertion-times.ts";
import { bridge } from "../../transport/bridge.ts";

interface Props {
  readonly serviceId: string;
  /** Null: a new one. */
  readonly assertion: AssertionV3 | null;
  readonly onClose: () => void;
}

interface Draft {
  readonly name: string;
  readonly kind: AssertionV3["kind"];
  readonly minutes: number | string;
  readonly assets: readonly string[];
  readonly folders: readonly string[];
  readonly labels: readonly string[];
  readonly from: string;
  readonly until: string;
  readonly holdsBack: boolean;
}

const defaultMinutes = 60;

function draftOf(assertion: AssertionV3 | null): Draft {
  const hours = hoursOf(assertion?.predicate ?? "TRUE");
  return {
    name: assertion?.name ?? "",
    kind: assertion?.kind ?? "at-least",
    minutes: assertion?.every_minutes ?? defaultMinutes,
    assets: assertion?.assets.map(({ id }) => id) ?? [],
    folders: assertion?.folders ?? [],
    labels: assertion?.groups.map(({ id }) => id) ?? [],
    from: hours?.from ?? "",
    until: hours?.until ?? "",
    holdsBack: assertion?.holds_back ?? true,
  };
}

export function AssertionForm(props: Props): ReactNode {
  const { serviceId, assertion, onClose } = props;
  const [draft, setDraft] = useState(() => draftOf(assertion));
  const offered = useQuestion("listServiceAssets", { serviceId }).data ?? [];
  /** What was deleted since stays chosen. */
  const others = (assertion?.assets ?? []).filter(
    ({ id }) => !offered.some((asset) => asset.id === id),
  );
  const refetch = useRefetch();
  const change = (part: Partial<Draft>): void => {
    setDraft({ ...draft, ...part });
  };
  const name = draft.name.trim();
  const isReady =
    name !== "" && (draft.assets.length > 0 || draft.folders.length > 0);
  /** A predicate that has more than hours is edited elsewhere, and stays. */
  const otherTimes =
    assertion && hoursOf(assertion.predicate) === null
      ? whenInWords(assertion.predicate)
      : null;

  const changes = (): AssertionChange => ({
    ...{ name, kind: draft.kind, holdsBack: draft.holdsBack },
    ...{ assets: [...draft.assets], folders: [...draft.folders] },
    labels: [...draft.labels],
    everyMinutes: draft.kind === "at-least" ? Number(draft.minutes) : null,
    ...(otherTimes === null && { predicate: predicateOfHours(draft) }),
  });

  const save = async (): Promise<void> => {
    await bridge().saveAssertion({
      ...{ serviceId, assertionId: assertion?.id ?? null },
      assertion: changes(),
    });
    notifySuccess(t("assertions.saved", { name }));
    await refetch("listAssertions");
  };

  return (
    <EditableForm
      label={assertion ? t("assertions.editTitle") : t("assertions.add")}
      submitText={
        assertion ? t("assertions.form.save") : t("assertions.form.create")
      }
      failedText={t("assertions.saveFailed", { name })}
      draft={draft}
      isReady={isReady}
      onSave={save}
      onClose={onClose}
    >
      <NameField
        label={t("assertions.form.name")}
        value={draft.name}
        onChange={(next) => {
          change({ name: next });
        }}
      />
      <SimpleGrid minColWidth={260} style={{ alignItems: "end" }}>
        <Select
          label={t("assertions.form.kind")}
          allowDeselect={false}
          data={assertionKinds.map((kind) => ({
            value: kind,
            label: t(`assertions.kinds.${kind}`),
          }))}
          value={draft.kind}
          onChange={(kind) => {
            if (kind !== null) change({ kind });
          }}
        />
        {draft.kind === "at-least" ? (
          <NumberInput
            label={t("assertions.form.every")}
            min={1}
            max={10_080}
            allowDecimal={false}
            value={draft.minutes}
            onChange={(minutes) => {
              change({ minutes });
            }}
          />
        ) : null}
        <MultiSelect
          label={t("assertions.form.assets")}
          searchable
          clearable
          limit={100}
          clearButtonProps={{ "aria-label": t("assertions.form.clear") }}
          data={[...offered, ...others].map(({ id, title }) => ({
            ...{ value: id, label: title ?? t("assertions.unknownAsset") },
          }))}
          value={[...draft.assets]}
          onChange={(ids) => {
            change({ assets: ids });
          }}
        />
        <TagsInput
          label={t("assertions.form.folders")}
          acceptValueOnBlur
          clearButtonProps={{ "aria-label": t("assertions.form.clear") }}
          value={[...draft.folders]}
          onChange={(folders) => {
            change({ folders });
          }}
        />
        <LabelsField
          label={t("assertions.form.labels")}
          serviceId={serviceId}
          chosen={draft.labels}
          before={assertion?.groups ?? []}
          onChange={(ids) => {
            change({ labels: ids });
          }}
        />
      </SimpleGrid>
      {otherTimes === null ? (
        <SimpleGrid minColWidth={160}>
          <HoursFields
            labels={{
              from: t("assertions.form.from"),
              until: t("assertions.form.until"),
            }}
            from={draft.from}
            until={draft.until}
            onChange={change}
          />
        </SimpleGrid>
      ) : (
        <Text c="dimmed">{otherTimes}</Text>
      )}
      <Switch
        label={t("assertions.form.holdsBack")}
        description={t("assertions.form.holdsBackHelp")}
        checked={draft.holdsBack}
        onChange={(event) => {
          change({ holdsBack: event.currentTarget.checked });
        }}
      />
    </EditableForm>
  );
}
