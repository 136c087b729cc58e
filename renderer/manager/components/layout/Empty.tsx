// Empty state: what belongs here, and the next step.

import { Group, Stack, Text, Title, type StackProps } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";

interface Props extends Pick<StackProps, "mih" | "px" | "py" | "pb"> {
  readonly icon: Icon;
  readonly title: string;
  readonly sentence: ReactNode;
  readonly children?: ReactNode;
}

export function Empty(props: Props): ReactNode {
  const { icon: Sign, title, sentence, children, ...space } = props;
  return (
    <Stack
      className="empty"
      flex={1}
      mih="100%"
      align="center"
      justify="safe center"
      gap={8}
      py={32}
      px={24}
      ta="center"
      {...space}
    >
      <Sign color="var(--quiet)" size={40} stroke={1.25} aria-hidden />
      <Title order={2} fz={18} lh="24px" mt={8} textWrap="balance">
        {title}
      </Title>
      <Text c="dimmed" maw="52ch" textWrap="balance">
        {sentence}
      </Text>
      {children === undefined ? null : (
        <Group align="stretch" justify="center" gap={8} mt={8}>
          {children}
        </Group>
      )}
    </Stack>
  );
}
