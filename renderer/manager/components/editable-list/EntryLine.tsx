// The line of an entry: its name with what is said about it, and its controls.

import { Flex, Text } from "@mantine/core";
import type { ReactNode } from "react";

export function EntryLine(props: { readonly children: ReactNode }): ReactNode {
  return (
    <Flex
      component="li"
      className="editable-row line-above"
      wrap="wrap"
      align="center"
      gap="12px 16px"
      py={12}
    >
      {props.children}
    </Flex>
  );
}

export function EntryText(props: {
  readonly name: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Flex direction="column" flex="1 1 280px" miw={0}>
      <Text component="bdi" fw={600}>
        {props.name}
      </Text>
      {props.children}
    </Flex>
  );
}
