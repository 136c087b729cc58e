// The fields for what a person or an API key may do: the role, and the labels that it is limited to.

import { Select } from "@mantine/core";
import type { ReactNode } from "react";
import { canHaveLimits, roles, type Role } from "../../../server/core/role.ts";
import { t } from "../../locales/messages.ts";
import { LabelsField } from "../fleet/LabelsField.tsx";
import { ownServiceId } from "../service-requests/own-service.ts";

export interface AccessDraft {
  readonly role: Role;
  /** Empty: no limit. */
  readonly labels: readonly string[];
}

interface Props {
  readonly access: AccessDraft;
  /** As it was, with the names known then. */
  readonly labelsBefore?: readonly {
    readonly id: string;
    readonly name: string | null;
  }[];
  readonly onChange: (access: AccessDraft) => void;
}

export function AccessFields(props: Props): ReactNode {
  const { access, labelsBefore = [], onChange } = props;
  const { role, labels } = access;
  return (
    <>
      <Select
        label={t("team.role")}
        description={t(`team.rolesAbout.${role}`)}
        allowDeselect={false}
        data={roles.map((value) => ({
          ...{ value, label: t(`team.roles.${value}`) },
        }))}
        value={role}
        onChange={(value) => {
          const next = roles.find((one) => one === value);
          if (next) onChange({ ...access, role: next });
        }}
      />
      {canHaveLimits(role) ? (
        <LabelsField
          label={t("team.labels")}
          description={t("team.labelsAbout")}
          serviceId={ownServiceId}
          chosen={labels}
          before={labelsBefore}
          onChange={(ids) => {
            onChange({ ...access, labels: ids });
          }}
        />
      ) : null}
    </>
  );
}

/** As version 3 takes it (V4-362). */
export function bodyOfAccess({ role, labels }: AccessDraft) {
  const isLimited = canHaveLimits(role) && labels.length > 0;
  return { role, labels: isLimited ? labels.map((id) => ({ id })) : null };
}
