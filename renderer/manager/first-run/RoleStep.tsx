// First-run step: the role of this PC, as screen, manager, or both.

import { SimpleGrid, Text } from "@mantine/core";
import {
  IconDeviceDesktop,
  IconDeviceTv,
  IconDevices,
  type Icon,
} from "@tabler/icons-react";
import { ChoiceCard } from "../components/controls/ChoiceCard.tsx";
import { Question } from "./Question.tsx";
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
    <div role="radiogroup" aria-labelledby="role-question">
      <Question id="role-question">{t("firstRun.roleQuestion")}</Question>
      <SimpleGrid cols={3} spacing={12} mt={24}>
        {roles.map(({ id, sign: Sign }) => (
          <ChoiceCard
            key={id}
            className="choice-card role-card"
            direction="column"
            align="stretch"
            gap={8}
            py={20}
            px={16}
            name="role"
            isChosen={role === id}
            onChoose={() => {
              onRole(id);
            }}
          >
            <Sign size={32} stroke={1.5} color="var(--quiet)" aria-hidden />
            <Text component="span" fw={600}>
              {t(`firstRun.roles.${id}.name`)}
            </Text>
            <span className="quiet">
              {t(`firstRun.roles.${id}.description`)}
            </span>
          </ChoiceCard>
        ))}
      </SimpleGrid>
      <Text c="dimmed" mt={12} role="status">
        {role === machine.role ? null : t("firstRun.nextStart")}
      </Text>
    </div>
  );
}
