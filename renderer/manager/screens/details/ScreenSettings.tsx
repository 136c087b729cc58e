// Settings of a screen: its name, its labels, and whether it shows content.

import { Switch, TagsInput, TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";
import type { ManagerInput } from "../../../../server/contract/ipc/ipc.ts";
import { t } from "../../../locales/messages.ts";
import {
  notifyFailure,
  notifyInternalError,
} from "../../components/outcomes/outcome.ts";
import { DetailsSection } from "../../components/layout/DetailsSection.tsx";
import { useQuestion, useRefetch } from "../../api/manager-queries.ts";
import type { ScreenItem } from "../../fleet/find-screens.ts";
import { ChangeQuestion } from "../../fleet/ChangeQuestion.tsx";
import { consequenceOf, type Consequence } from "../../fleet/what-if-text.ts";
import { bridge } from "../../transport/bridge.ts";

type Change = ManagerInput<"changeScreen">["change"];

export function ScreenSettings({
  item,
}: {
  readonly item: ScreenItem;
}): ReactNode {
  const { serviceId, screen } = item;
  const { id, name } = screen;
  const refetch = useRefetch();
  const labels = useQuestion("listScreenLabels", { serviceId });
  const [typedName, setTypedName] = useState<string | null>(null);
  /** Shown until the service lists them. */
  const [pending, setPending] = useState<{
    readonly labels?: readonly string[];
    readonly isEnabled?: boolean;
  }>({});

  /** Waits for an answer; null: nothing to ask about. */
  const [unconfirmed, setUnconfirmed] = useState<{
    readonly labels: readonly string[];
    readonly consequence: Consequence;
  } | null>(null);

  const save = async (
    change: () => Change | Promise<Change>,
    isAppliedAnyway = false,
  ) => {
    try {
      await bridge().changeScreen({
        ...{ serviceId, screenId: id, change: await change() },
        isAppliedAnyway,
      });
    } catch (error) {
      notifyFailure(t("screens.changeFailed", { name }), error);
    } finally {
      await refetch("readScreens");
      setUnconfirmed(null);
      setPending({});
      setTypedName(null);
    }
  };

  const saveName = (): void => {
    const next = typedName?.trim() ?? name;
    if (next === "" || next === name) setTypedName(null);
    else save(() => ({ name: next })).catch(notifyInternalError);
  };

  /** A label that the service does not have is created. */
  const labelIds = async (names: readonly string[]): Promise<Change> => {
    const known = new Map(
      [...(labels.data ?? []), ...screen.groups].map((label) => [
        label.name,
        label.id,
      ]),
    );
    const ids: string[] = [];
    for (const label of names) {
      const made =
        known.get(label) ??
        (await bridge().makeScreenLabel({ serviceId, name: label })).id;
      ids.push(made);
    }
    if (names.some((label) => !known.has(label)))
      await refetch("listScreenLabels");
    return { labels: ids };
  };

  /** Asks first if the screen then shows something else. */
  const saveLabels = async (names: readonly string[]): Promise<void> => {
    setUnconfirmed(null);
    setPending({ ...pending, labels: names });
    try {
      const { labels: ids = [] } = await labelIds(names);
      const preview = await bridge().previewScreenLabels({
        ...{ serviceId, screenId: id, labels: [...ids] },
      });
      const consequence = preview && consequenceOf(preview);
      if (consequence) setUnconfirmed({ labels: ids, consequence });
      else await save(() => ({ labels: [...ids] }));
    } catch (error) {
      notifyFailure(t("screens.changeFailed", { name }), error);
      setPending({});
    }
  };

  return (
    <DetailsSection title={t("screens.settings.title")}>
      <TextInput
        label={t("screens.settings.name")}
        dir="auto"
        maxLength={200}
        value={typedName ?? name}
        onChange={(event) => {
          setTypedName(event.currentTarget.value);
        }}
        onBlur={saveName}
        onKeyDown={(event) => {
          if (event.key === "Enter") saveName();
          if (event.key !== "Escape" || typedName === null) return;
          event.preventDefault();
          setTypedName(null);
        }}
      />
      <TagsInput
        label={t("screens.settings.labels")}
        description={t("screens.settings.labelsHelp")}
        data={(labels.data ?? []).map((label) => label.name)}
        acceptValueOnBlur
        clearButtonProps={{ "aria-label": t("screens.settings.clearLabels") }}
        value={[...(pending.labels ?? screen.groups.map((one) => one.name))]}
        onChange={(names) => {
          saveLabels(names).catch(notifyInternalError);
        }}
      />
      {unconfirmed === null ? null : (
        <ChangeQuestion
          question={t("whatIf.labelsQuestion", { name })}
          consequence={unconfirmed.consequence}
          apply={t("whatIf.apply")}
          onCancel={() => {
            setUnconfirmed(null);
            setPending({});
          }}
          onApply={() =>
            save(
              () => ({ labels: [...unconfirmed.labels] }),
              unconfirmed.consequence.isHeldBack,
            )
          }
        />
      )}
      <Switch
        label={t("screens.settings.isEnabled")}
        description={
          screen.adopted === undefined
            ? t("screens.settings.isEnabledHelp")
            : t("screens.adopted.isEnabledHelp")
        }
        checked={pending.isEnabled ?? screen.is_enabled}
        onChange={(event) => {
          const isEnabled = event.currentTarget.checked;
          setPending({ ...pending, isEnabled });
          save(() => ({ isEnabled })).catch(notifyInternalError);
        }}
      />
    </DetailsSection>
  );
}
