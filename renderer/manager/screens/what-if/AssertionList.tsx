// The assertions of a content service, each with what its last check found.

import type { ReactNode } from "react";
import type { AssertionV3 } from "../../../../server/contract/v3/v3-what-if.ts";
import { formats } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";
import { EditableList } from "../../components/editable-list/EditableList.tsx";
import { EditableRow } from "../../components/editable-list/EditableRow.tsx";
import {
  notifyFailure,
  notifySuccess,
} from "../../components/outcomes/outcome.ts";
import { useRefetch } from "../../api/manager-queries.ts";
import { useMayRequest } from "../../place/permissions.ts";
import { AssertionForm } from "./AssertionForm.tsx";
import { checkText, subjectText } from "./assertion-text.ts";
import { bridge } from "../../transport/bridge.ts";

interface Props {
  readonly serviceId: string;
  readonly assertions: readonly AssertionV3[];
}

export function AssertionList({ serviceId, assertions }: Props): ReactNode {
  const mayWrite = useMayRequest()("POST", "/assertions");
  return (
    <EditableList
      label={t("assertions.title")}
      isLabelHidden
      addText={mayWrite ? t("assertions.add") : null}
      emptyText={t("assertions.none")}
      items={assertions}
      form={(assertion, onClose) => (
        <AssertionForm {...{ serviceId, assertion, onClose }} />
      )}
      row={(assertion, onEdit) => (
        <AssertionRow {...{ serviceId, assertion, onEdit }} />
      )}
    />
  );
}

function AssertionRow(props: {
  readonly serviceId: string;
  readonly assertion: AssertionV3;
  readonly onEdit: () => void;
}): ReactNode {
  const { serviceId, assertion, onEdit } = props;
  const { id, name, last_check: check } = assertion;
  const mayRequest = useMayRequest();
  const refetch = useRefetch();

  const enable = async (isEnabled: boolean): Promise<void> => {
    try {
      await bridge().saveAssertion({
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
      await bridge().removeAssertion({ serviceId, assertionId: id });
      notifySuccess(t("assertions.removed", { name }));
      await refetch("listAssertions");
    } catch (error) {
      notifyFailure(t("assertions.removeFailed", { name }), error);
    }
  };

  return (
    <EditableRow
      {...{ name, onEdit }}
      isReadOnly={!mayRequest("PATCH", "/assertions/:id")}
      isEnabled={assertion.is_enabled}
      labels={{
        enable: t("assertions.enableNamed", { name }),
        edit: t("assertions.editNamed", { name }),
        remove: t("assertions.removeNamed", { name }),
      }}
      question={t("assertions.removeQuestion", { name })}
      consequence={t("assertions.removeConsequence")}
      onEnable={enable}
      onRemove={remove}
    >
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
          className={
            toneOf(check) === "plain" ? undefined : "small screen-state"
          }
          data-tone={toneOf(check)}
        >
          {checkText(check)}
        </span>
      ) : null}
    </EditableRow>
  );
}

function toneOf(
  check: AssertionV3["last_check"],
): "fault" | "waiting" | "plain" {
  if (check?.problem !== undefined) return "waiting";
  return check?.is_broken ? "fault" : "plain";
}
