// First-run step: the role of this PC, as screen, manager, or both.

import { PasswordInput, SimpleGrid, Text } from "@mantine/core";
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
import { passwordLength } from "../../../server/core/password.ts";
import { t } from "../../locales/messages.ts";
import { useAnswer } from "../api/operations.ts";

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
  readonly password: string;
  /** It was left as it can't be. */
  readonly isPasswordInvalid: boolean;
  readonly onPassword: (password: string) => void;
}

export function RoleStep(props: Props): ReactNode {
  return (
    <>
      <Roles {...props} />
      <BrowserPassword {...props} />
    </>
  );
}

/** A password that is already there is changed in the settings. */
function BrowserPassword(
  props: Pick<Props, "password" | "isPasswordInvalid" | "onPassword">,
): ReactNode {
  const { password, isPasswordInvalid, onPassword } = props;
  const { least, most } = passwordLength;
  const isSet = useAnswer("readPassword", {}).data?.is_set;
  if (isSet !== false) return null;
  return (
    <PasswordInput
      maw={420}
      mt={8}
      label={t("firstRun.password")}
      description={t("firstRun.passwordHelp")}
      autoComplete="new-password"
      dir="ltr"
      value={password}
      error={
        isPasswordInvalid
          ? t("settings.password.invalid", { least, most })
          : null
      }
      errorProps={{ role: "alert" }}
      onChange={(event) => {
        onPassword(event.currentTarget.value);
      }}
    />
  );
}

function Roles({
  machine,
  chosen,
  onRole,
}: Pick<Props, "machine" | "chosen" | "onRole">): ReactNode {
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
