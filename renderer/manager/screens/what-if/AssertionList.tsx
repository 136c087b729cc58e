// The assertions of a content service, each with what its last check found.

import { Button, Group, Switch, Text } from "@mantine/core";
import { IconPencil, IconPlus, IconTrash } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import type { AssertionV3 } from "../../../../server/contract/v3/v3-what-if.ts";
import { formats } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";
import { NamedQuestion } from "../../components/controls/Confirmation.tsx";
import {
  notifyFailure,
  notifyInternalError,
  notifySuccess,
} from "../../components/outcomes/outcome.ts";
import { useRefetch } from "../../manager-queries.ts";
import { AssertionForm } from "./AssertionForm.tsx";
import { checkText, subjectText } from "./assertion-text.ts";

interface Props {
  readonly serviceId: string;
  readonly assertions: readonly AssertionV3[];
}

export function AssertionList({ serviceId, assertions }: Props): ReactNode {
  /** The assertion that is edited; empty: a new one. */
  const [editedId, setEditedId] = useState<string | null>(null);
  const close = (): void => {
    setEditedId(null);
  };
  return (
    <section aria-label={t("assertions.title")}>
      <Group justify="flex-end" mb={8}>
        <Button
          variant="default"
          leftSection={<IconPlus size={18} aria-hidden />}
          disabled={editedId === ""}
          onClick={() => {
            setEditedId("");
          }}
        >
          {t("assertions.add")}
        </Button>
      </Group>
      {editedId === "" ? (
        <AssertionForm serviceId={serviceId} assertion={null} onClose={close} />
      ) : assertions.length === 0 ? (
        <Text c="dimmed">{t("assertions.none")}</Text>
      ) : null}
      <ul className="alerts-list">
        {assertions.map((assertion) =>
          assertion.id === editedId ? (
            <li key={assertion.id}>
              <AssertionForm {...{ serviceId, assertion }} onClose={close} />
            </li>
          ) : (
            <AssertionRow
              key={assertion.id}
              {...{ serviceId, assertion }}
              onEdit={() => {
                setEditedId(assertion.id);
              }}
            />
          ),
        )}
      </ul>
    </section>
  );
}

function AssertionRow(props: {
  readonly serviceId: string;
  readonly assertion: AssertionV3;
  readonly onEdit: () => void;
}): ReactNode {
  const { serviceId, assertion, onEdit } = props;
  const { id, name, last_check: check } = assertion;
  const [isAsked, setIsAsked] = useState(false);
  const refetch = useRefetch();

  const enable = async (isEnabled: boolean): Promise<void> => {
    try {
      await window.manager.saveAssertion({
        ...{ serviceId, assertionId: id, assertion: { isEnabled } },
      });
    } catch (error) {
      notifyFailure(t("assertions.saveFailed", { name }), error);
    } finally {
      await refetch("listAssertions");
    }
  };
  const remove = async (): Promise<void> => {
    try {
      await window.manager.removeAssertion({ serviceId, assertionId: id });
      notifySuccess(t("assertions.removed", { name }));
      await refetch("listAssertions");
    } catch (error) {
      notifyFailure(t("assertions.removeFailed", { name }), error);
    }
  };

  return (
    <li className="alerts-row">
      <Switch
        aria-label={t("assertions.enableNamed", { name })}
        checked={assertion.is_enabled}
        onChange={(event) => {
          enable(event.currentTarget.checked).catch(notifyInternalError);
        }}
      />
      <div className="alerts-text">
        <bdi className="alerts-name">{name}</bdi>
        <span>{subjectText(assertion)}</span>
        <span className="quiet">
          {assertion.groups.length === 0
            ? t("alerts.allScreens")
            : formats.list(
                assertion.groups.map(
                  (group) => group.name ?? t("alerts.unknownLabel"),
                ),
              )}
        </span>
        {assertion.is_enabled ? (
          <span
            className={check?.is_broken ? "screen-state" : "quiet"}
            data-state={check?.is_broken ? "wrong" : undefined}
          >
            {checkText(check)}
          </span>
        ) : null}
      </div>
      <Group gap={8}>
        <Button
          variant="default"
          leftSection={<IconPencil size={18} aria-hidden />}
          aria-label={t("assertions.editNamed", { name })}
          onClick={onEdit}
        >
          {t("alerts.edit")}
        </Button>
        <Button
          variant="default"
          leftSection={<IconTrash size={18} aria-hidden />}
          aria-label={t("assertions.removeNamed", { name })}
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
            question={t("assertions.removeQuestion", { name })}
            consequence={t("assertions.removeConsequence")}
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
