// A section of the details beside a list: its title, and what stands beneath it.

import { Flex, Title } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  readonly title: string;
  /** At the end of the title's line. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

export function DetailsSection(props: Props): ReactNode {
  const { title, action, children } = props;
  return (
    <Flex
      component="section"
      className="details-section"
      direction="column"
      gap={8}
      aria-label={title}
    >
      <Flex align="center" justify="space-between" gap={8}>
        <Title order={3} fz={14} lh="20px">
          {title}
        </Title>
        {action}
      </Flex>
      {children}
    </Flex>
  );
}
