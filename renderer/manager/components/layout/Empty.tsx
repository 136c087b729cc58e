// Empty state: what belongs here, and the next step.

import { Group, Text, Title } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import "./empty.css";

interface Props {
  readonly icon: Icon;
  readonly title: string;
  readonly sentence: ReactNode;
  readonly children?: ReactNode;
}

export function Empty(props: Props): ReactNode {
  const { icon: Sign, title, sentence, children } = props;
  return (
    <div className="empty">
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
    </div>
  );
}
