// One line of the settings: what it is, and its control.

import { Box, Flex, Stack } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  readonly wireName?: string;
  readonly words: ReactNode;
  /** The control, and what is wrong with it. */
  readonly children: ReactNode;
}

export function SettingLine({ wireName, words, children }: Props): ReactNode {
  return (
    <Flex
      className="setting"
      data-setting={wireName}
      direction={{ base: "column", xs: "row" }}
      align={{ base: "stretch", xs: "flex-start" }}
      gap="8px 24px"
      py={14}
      px={16}
    >
      <Box flex={1} miw={0}>
        {words}
      </Box>
      <Stack
        className="setting-control"
        justify="center"
        gap={6}
        flex="none"
        miw={0}
        mih={44}
        w={{ base: "auto", xs: 320 }}
      >
        {children}
      </Stack>
    </Flex>
  );
}
