// The frame of a note that a takeover covers a screen.

import { Flex } from "@mantine/core";
import { IconUrgent } from "@tabler/icons-react";
import type { ReactNode } from "react";
import "./takeover.css";

export function TakeoverBanner(props: {
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Flex
      align="center"
      gap={8}
      component="p"
      flex="1 0 100%"
      py={8}
      px={12}
      bd="1px solid var(--fault)"
      bdrs={8}
      fw={600}
      role="status"
    >
      <IconUrgent
        color="var(--fault)"
        size={18}
        stroke={1.75}
        aria-hidden
        style={{ flexShrink: 0 }}
      />
      <span>{props.children}</span>
    </Flex>
  );
}
