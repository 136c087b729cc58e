// The connections page: connected content services with their changes, and the content service on this PC.

import { Box, Button, Flex, Paper, Space, Stack, Title } from "@mantine/core";
import { IconCloud, IconPlus } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { reasonOf } from "../api/reason.ts";
import { Empty } from "../components/layout/Empty.tsx";
import { PageFrame } from "../components/layout/PageFrame.tsx";
import { ErrorAlert } from "../components/outcomes/ErrorAlert.tsx";
import { can } from "../place/abilities.ts";
import { t } from "../../locales/messages.ts";
import { ConnectionCard } from "./connection/ConnectionCard.tsx";
import { OfflineBundlePanel } from "./plans/OfflineBundlePanel.tsx";
import { ConnectForm } from "./connect/ConnectForm.tsx";
import { HostingPanel } from "./hosting/HostingPanel.tsx";
import { PairByPin, useNotifyClaimed } from "./connect/PairByPin.tsx";
import { useConnections } from "./state/use-sync.ts";
import "./connections.css";

export function ConnectionsPage({ at }: { readonly at: string }): ReactNode {
  const { connections, error, isFetching, refetch } = useConnections();
  useNotifyClaimed();
  const [isConnecting, setIsConnecting] = useState(at === "connect");
  const hasNone = connections?.length === 0;
  return (
    <PageFrame
      title={t("connections.title")}
      actions={
        connections === null || hasNone || isConnecting ? undefined : (
          <Button
            leftSection={<IconPlus size={18} aria-hidden />}
            onClick={() => {
              setIsConnecting(true);
            }}
          >
            {t("connections.connect")}
          </Button>
        )
      }
    >
      <Stack className="connections" gap={24} maw={1120} mx="auto">
        <Flex
          aria-label={t("connections.list")}
          direction="column"
          gap={16}
          component="section"
        >
          {connections === null ? (
            error ? (
              <ErrorAlert
                sentence={`${t("connections.loadFailed")} ${t("connections.screenContinues")}`}
                reason={reasonOf(error)}
                isTrying={isFetching}
                onTryAgain={refetch}
              />
            ) : (
              <p className="quiet after-a-moment">{t("manager.loading")}</p>
            )
          ) : (
            <>
              {hasNone ? (
                <Paper withBorder radius={10}>
                  <Empty
                    icon={IconCloud}
                    title={t("connections.emptyTitle")}
                    sentence={t("connections.emptyDescription")}
                    {...{ mih: 0, pb: 8 }}
                  />
                  <Box maw={520} mx="auto" pt={16} px={24} pb={24}>
                    <ConnectForm onClose={null} />
                    <Space h={32} />
                    <PairByPin />
                  </Box>
                </Paper>
              ) : isConnecting ? (
                <Flex
                  direction="column"
                  gap={16}
                  p={16}
                  bd="1px solid var(--line)"
                  bdrs={10}
                  bg="var(--panel)"
                >
                  <Title order={2} fz={16} lh="24px">
                    {t("connections.connect")}
                  </Title>
                  <ConnectForm
                    onClose={() => {
                      setIsConnecting(false);
                    }}
                  />
                  <PairByPin />
                </Flex>
              ) : null}
              {connections.map(({ connection, status }) => (
                <ConnectionCard
                  key={connection.account_id}
                  connection={connection}
                  status={status}
                />
              ))}
            </>
          )}
        </Flex>
        {can("hosting") ? (
          <HostingPanel
            canConnect={connections !== null}
            connected={(connections ?? []).map(
              ({ connection }) => connection.base_url,
            )}
          />
        ) : null}
        {connections === null || !can("offlineBundles") ? null : (
          <OfflineBundlePanel connections={connections} />
        )}
      </Stack>
    </PageFrame>
  );
}
