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
import { operate } from "../operations.ts";
import { sayFailed } from "../parts/outcome.ts";
import { texts } from "../texts/texts.ts";

const roles: readonly { readonly id: MachineRole; readonly sign: Icon }[] = [
  { id: "both", sign: IconDevices },
  { id: "screen", sign: IconDeviceTv },
  { id: "desk", sign: IconDeviceDesktop },
];

export function RoleStep({ desk }: { readonly desk: DeskView }): ReactNode {
  const client = useQueryClient();
  const choose = async (role: MachineRole): Promise<void> => {
    try {
      client.setQueryData(
        deskKey,
        await window.manager.changeMachine({ role }),
      );
      // A screen nobody sits at comes up by itself after a power cut.
      await operate("changeSettings", {
        body: { start_with_machine: role === "screen" },
      });
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
