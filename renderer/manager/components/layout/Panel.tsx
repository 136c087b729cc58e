// A section of a page with a heading and actions of its own.

import { Box, Group, Paper, Text, Title } from "@mantine/core";
import { useId, type ReactNode } from "react";
import "./panel.css";

interface Props {
  readonly title: string;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

export function Panel({ title, about, actions, children }: Props): ReactNode {
  const id = useId();
  return (
    <Paper
      className="panel"
      withBorder
      radius={10}
      component="section"
      miw={0}
      aria-labelledby={id}
    >
      <Group align="flex-start" gap="8px 16px" p={16}>
        <Box flex="1 1 280px" miw={0} maw="72ch">
          <Title order={3} fz={15} lh="20px" id={id}>
            {title}
          </Title>
          {about === undefined ? null : (
            <Text c="dimmed" mt={2}>
              {about}
            </Text>
          )}
        </Box>
        {actions === undefined ? null : (
          <Group gap={8} ms="auto">
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </Paper>
  );
}
