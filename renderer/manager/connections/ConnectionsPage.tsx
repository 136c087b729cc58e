// The connections page: connected content services with their changes, and the content service on this PC.

import { Button } from "@mantine/core";
import { IconCloud, IconPlus } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { reasonOf } from "../api.ts";
import { Empty } from "../components/layout/Empty.tsx";
import { PageFrame } from "../components/layout/PageFrame.tsx";
import { ErrorAlert } from "../components/outcomes/ErrorAlert.tsx";
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
      <div className="connections">
        <section aria-label={t("connections.list")} className="connection-list">
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
                <div className="first-connection">
                  <Empty
                    icon={IconCloud}
                    title={t("connections.emptyTitle")}
                    sentence={t("connections.emptyDescription")}
                  />
                  <ConnectForm onClose={null} />
                  <PairByPin />
                </div>
              ) : isConnecting ? (
                <div className="connection-card">
                  <h2>{t("connections.connect")}</h2>
                  <ConnectForm
                    onClose={() => {
                      setIsConnecting(false);
                    }}
                  />
                  <PairByPin />
                </div>
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
        </section>
        <HostingPanel
          canConnect={connections !== null}
          connected={(connections ?? []).map(
            ({ connection }) => connection.base_url,
          )}
        />
        {connections === null ? null : (
          <OfflineBundlePanel connections={connections} />
        )}
      </div>
    </PageFrame>
  );
}
