// Layout of every page: its title, its actions next to it, and the area that scrolls.

import { Box, Flex, Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  readonly title: string;
  /** A dimmed line next to the title: how many, or of what. */
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  /** A line across the page, above all its content. */
  readonly note?: ReactNode;
  /** A page whose parts scroll by themselves. */
  readonly isFilled?: boolean;
  readonly children: ReactNode;
}

export function PageFrame(props: Props): ReactNode {
  const { title, about, actions, note, isFilled = false, children } = props;
  return (
    <Stack h="100%" miw={0} gap={0}>
      <Flex
        component="header"
        className="page-head"
        wrap="wrap"
        align="center"
        gap="8px 16px"
        mih={60}
        py={8}
        px="var(--side)"
      >
        <Title
          order={1}
          className="no-ring"
          fz={22}
          lh="32px"
          fw={650}
          lts="-0.012em"
          id="page-title"
          tabIndex={-1}
        >
          {title}
        </Title>
        {about === undefined ? null : <Text c="dimmed">{about}</Text>}
        {actions === undefined ? null : (
          <Group gap={8} ms="auto">
            {actions}
          </Group>
        )}
        {note}
      </Flex>
      {/* Can be scrolled by keyboard, too, where nothing in it takes the focus. */}
      {isFilled ? (
        <Box className="page-body" flex={1} mih={0}>
          {children}
        </Box>
      ) : (
        <Box className="page-body page-scroll" pt={8} pb={24} tabIndex={-1}>
          {children}
        </Box>
      )}
    </Stack>
  );
}
