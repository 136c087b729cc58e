// A failed query, shown where its result would have been, with the next step.

import { Box, Button, Group, Paper, Text } from "@mantine/core";
import { IconAlertTriangle, IconRefresh } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { t } from "../../../locales/messages.ts";

interface Props {
  readonly sentence: string;
  /** The response, verbatim; it may help support. */
  readonly reason?: string | undefined;
  readonly isTrying: boolean;
  readonly onTryAgain: () => void;
  readonly label?: string;
}

export function ErrorAlert(props: Props): ReactNode {
  return (
    <Paper withBorder p={16} role="alert">
      <Group gap="8px 16px">
        <IconAlertTriangle color="var(--fault)" size={24} aria-hidden />
        <Box flex="1 1 200px" miw={0}>
          <p>{props.sentence}</p>
          {props.reason === undefined ? null : (
            <Text c="dimmed" dir="auto">
              {props.reason}
            </Text>
          )}
        </Box>
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          loading={props.isTrying}
          onClick={props.onTryAgain}
        >
          {props.label ?? t("manager.tryAgain")}
        </Button>
      </Group>
    </Paper>
  );
}
