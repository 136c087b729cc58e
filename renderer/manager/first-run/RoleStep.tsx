// First-run step: the role of this PC, as screen, manager, or both.

import {
  IconDeviceDesktop,
  IconDeviceTv,
  IconDevices,
  type Icon,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import type {
  MachineView,
  MachineRole,
} from "../../../server/contract/ipc/ipc.ts";
import { t } from "../../locales/messages.ts";

const roles: readonly { readonly id: MachineRole; readonly sign: Icon }[] = [
  { id: "both", sign: IconDevices },
  { id: "screen", sign: IconDeviceTv },
  { id: "desk", sign: IconDeviceDesktop },
];

interface Props {
  readonly machine: MachineView;
  /** Undefined: the role stays unchanged. */
  readonly chosen: MachineRole | undefined;
  readonly onRole: (role: MachineRole) => void;
}

export function RoleStep({ machine, chosen, onRole }: Props): ReactNode {
  const role = chosen ?? machine.role;
  return (
    <div
      role="radiogroup"
      aria-labelledby="role-question"
      className="role-cards"
    >
      <p className="first-run-question" id="role-question">
        {t("firstRun.roleQuestion")}
      </p>
      {roles.map(({ id, sign: Sign }) => (
        <label key={id} className="role-card">
          <input
            type="radio"
            name="role"
            checked={role === id}
            onChange={() => {
              onRole(id);
            }}
          />
          <Sign size={32} stroke={1.5} aria-hidden />
          <span className="role-name">{t(`firstRun.roles.${id}.name`)}</span>
          <span className="quiet">{t(`firstRun.roles.${id}.description`)}</span>
        </label>
      ))}
      <p className="role-note quiet" role="status">
        {role === machine.role ? null : t("firstRun.nextStart")}
      </p>
    </div>
  );
}
