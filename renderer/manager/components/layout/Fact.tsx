// One line of a list of facts: label and value.

import { Box, Flex, Text } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  readonly name: string;
  readonly children: ReactNode;
}

export function Fact({ name, children }: Props): ReactNode {
  return (
    <Flex
      gap={16}
      py={8}
      px={16}
      style={{ borderBlockStart: "1px solid var(--line)" }}
    >
      <Text component="dt" flex="0 1 200px" miw={120} c="dimmed">
        {name}
      </Text>
      <Box component="dd" flex={1} miw={0}>
        {children}
      </Box>
    </Flex>
  );
}
