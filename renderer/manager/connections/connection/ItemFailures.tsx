// Failed downloads of a connection, each with its reason, and one button to retry all of them.

import { Box, Button, Flex, Group, Text } from "@mantine/core";
import { IconAlertTriangle, IconRefresh } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { SyncStatusV2 } from "../../../../server/contract/v2/v2-sync.ts";
import { problemText } from "../../api/problem-text.ts";
import { useOperation } from "../../api/operations.ts";
import { notifyFailure } from "../../components/outcomes/outcome.ts";
import { t } from "../../../locales/messages.ts";

interface Props {
  readonly connectionId: string;
  readonly itemFailures: SyncStatusV2["failures"];
}

export function ItemFailures({ connectionId, itemFailures }: Props): ReactNode {
  const run = useOperation("runSync", ["readSync"]);
  return (
    <Box
      component="section"
      pt={16}
      style={{ borderBlockStart: "1px solid var(--line)" }}
      aria-label={t("connections.failures.title", {
        count: itemFailures.length,
      })}
    >
      <Group align="flex-start" justify="space-between" gap="8px 16px" mb={8}>
        <Flex component="h3" align="center" gap={8} fw={600}>
          <IconAlertTriangle color="var(--waiting)" size={18} aria-hidden />
          {t("connections.failures.title", { count: itemFailures.length })}
        </Flex>
        <Button
          variant="default"
          leftSection={<IconRefresh size={18} aria-hidden />}
          loading={run.isPending}
          onClick={() => {
            run.mutate(
              { body: { account_id: connectionId } },
              {
                onError: (error) => {
                  notifyFailure(t("connections.syncFailed"), error);
                },
              },
            );
          }}
        >
          {t("connections.failures.retryAll")}
        </Button>
      </Group>
      <Box component="ul" mah={420} mt={8} style={{ overflowY: "auto" }}>
        {itemFailures.map(({ remote_id, name, reason, is_quarantined }) => (
          <Flex
            key={remote_id}
            component="li"
            wrap="wrap"
            gap="0 12px"
            py={8}
            style={{ borderBlockStart: "1px solid var(--line)" }}
          >
            <Text component="bdi" fw={600}>
              {name}
            </Text>
            <span dir="auto">{problemText(reason)}</span>
            <span className="quiet">
              {is_quarantined
                ? t("connections.failures.willNotRetry")
                : t("connections.failures.retrying")}
            </span>
          </Flex>
        ))}
      </Box>
    </Box>
  );
}
