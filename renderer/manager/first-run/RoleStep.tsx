// What this PC is: a screen, a desk, or both.

import {
  IconDeviceDesktop,
  IconDeviceTv,
  IconDevices,
  type Icon,
} from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { DeskView, MachineRole } from "../../../server/contract/ipc.ts";
import { deskKey } from "../api.ts";
import { sayFailed } from "../parts/outcome.ts";
import { texts } from "../texts/texts.ts";

const roles: readonly { readonly id: MachineRole; readonly sign: Icon }[] = [
  { id: "both", sign: IconDevices },
  { id: "screen", sign: IconDeviceTv },
  { id: "desk", sign: IconDeviceDesktop },
];

interface Props {
  readonly desk: DeskView;
  /** What follows from it. */
  readonly onRole: (role: MachineRole) => Promise<void>;
}

export function RoleStep({ desk, onRole }: Props): ReactNode {
  const client = useQueryClient();
  const choose = async (role: MachineRole): Promise<void> => {
    try {
      client.setQueryData(
        deskKey,
        await window.manager.changeMachine({ role }),
      );
      await onRole(role);
    } catch (error) {
      sayFailed(texts.firstRun.notKept, error);
    }
  };
  return (
    <div
      role="radiogroup"
      aria-labelledby="role-question"
      className="role-cards"
    >
      <p className="first-run-question" id="role-question">
        {texts.firstRun.roleAsk}
      </p>
      {roles.map(({ id, sign: Sign }) => (
        <label key={id} className="role-card">
          <input
            type="radio"
            name="role"
            checked={desk.role === id}
            onChange={() => void choose(id)}
          />
          <Sign size={32} stroke={1.5} aria-hidden />
          <span className="role-name">{texts.firstRun.roles[id].name}</span>
          <span className="quiet">{texts.firstRun.roles[id].says}</span>
        </label>
      ))}
    </div>
  );
}
