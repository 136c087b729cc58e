// The page of the cloud: the connected clouds with what they change, and the content service on this PC.

import { Button } from "@mantine/core";
import { IconCloud, IconPlus } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { reasonOf } from "../api.ts";
import { Empty } from "../parts/Empty.tsx";
import { PageFrame } from "../parts/PageFrame.tsx";
import { ErrorAlert } from "../parts/Trouble.tsx";
import { texts } from "../texts/texts.ts";
import { AccountCard } from "./AccountCard.tsx";
import { AirGapPanel } from "./AirGapPanel.tsx";
import { ConnectForm } from "./ConnectForm.tsx";
import { HostingPanel } from "./HostingPanel.tsx";
import { PairByPin, useNotifyClaimed } from "./PairByPin.tsx";
import { useAccounts } from "./use-sync.ts";
import "./cloud.css";

const words = texts.cloud;

export function CloudPage({ at }: { readonly at: string }): ReactNode {
  const { accounts, error, isFetching, refetch } = useAccounts();
  useNotifyClaimed();
  const [isConnecting, setIsConnecting] = useState(at === "connect");
  const hasNone = accounts?.length === 0;
  return (
    <PageFrame
      title={words.title}
      actions={
        accounts === null || hasNone || isConnecting ? undefined : (
          <Button
            leftSection={<IconPlus size={18} aria-hidden />}
            onClick={() => {
              setIsConnecting(true);
            }}
          >
            {words.connect}
          </Button>
        )
      }
    >
      <div className="cloud">
        <section aria-label={words.accounts} className="cloud-accounts">
          {accounts === null ? (
            error ? (
              <ErrorAlert
                sentence={`${words.failed} ${words.screenContinues}`}
                reason={reasonOf(error)}
                isTrying={isFetching}
                onTryAgain={refetch}
              />
            ) : (
              <p className="quiet after-a-moment">{texts.manager.loading}</p>
            )
          ) : (
            <>
              {hasNone ? (
                <div className="cloud-first">
                  <Empty
                    icon={IconCloud}
                    title={words.empty}
                    sentence={words.emptySentence}
                  />
                  <ConnectForm onClose={null} />
                  <PairByPin />
                </div>
              ) : isConnecting ? (
                <div className="cloud-card">
                  <h2>{words.connect}</h2>
                  <ConnectForm
                    onClose={() => {
                      setIsConnecting(false);
                    }}
                  />
                  <PairByPin />
                </div>
              ) : null}
              {accounts.map(({ account, status }) => (
                <AccountCard
                  key={account.account_id}
                  account={account}
                  status={status}
                />
              ))}
            </>
          )}
        </section>
        <HostingPanel
          canConnect={accounts !== null}
          connected={(accounts ?? []).map(({ account }) => account.base_url)}
        />
        {accounts === null ? null : <AirGapPanel accounts={accounts} />}
      </div>
    </PageFrame>
  );
}
