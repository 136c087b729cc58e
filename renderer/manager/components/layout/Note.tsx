// A note within a page or panel, with a line in the colour of its tone at its beginning: a question, a secret, a problem.

import { Group, type GroupProps } from "@mantine/core";
import type { ReactNode, Ref } from "react";

interface Props extends GroupProps {
  readonly tone: "waiting" | "fault";
  readonly ref?: Ref<HTMLDivElement>;
}

export function Note({ tone, ...others }: Props): ReactNode {
  return (
    <Group
      gap="8px 16px"
      py={12}
      px={16}
      bdrs={8}
      bg="var(--raised)"
      {...others}
      style={{
        border: "1px solid var(--line)",
        borderInlineStart: `3px solid var(--${tone})`,
      }}
    />
  );
}
