// The player's name and the address of its interface, ready to be copied.

import { Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useApiAddress } from "../api/api.ts";
import { CopyButton } from "../components/controls/CopyButton.tsx";
import { t } from "../../locales/messages.ts";

interface Props {
  readonly name: string;
}

export function PlayerIdentity({ name }: Props): ReactNode {
  const address = useApiAddress();
  return (
    <Group wrap="nowrap" gap={8} miw={0}>
      <Stack gap={0} align="end" miw={0}>
        <Text truncate maw="100%" lh="18px" fw={600} title={name} dir="auto">
          {name}
        </Text>
        <Text
          className="figures"
          c="dimmed"
          truncate
          maw="100%"
          lh="18px"
          fz={13}
          style={{ userSelect: "text" }}
          title={t("now.apiAddress")}
          dir="ltr"
        >
          {address}
        </Text>
      </Stack>
      <CopyButton
        text={address}
        label={t("now.copyAddress")}
        variant="subtle"
      />
    </Group>
  );
}
