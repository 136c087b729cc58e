// Failed downloads of a connection, each with its reason, and one button to retry all of them.

import { Button } from "@mantine/core";
import { IconAlertTriangle, IconRefresh } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { SyncStatusV2 } from "../../../../server/contract/v2/v2-sync.ts";
import { useOperation } from "../../operations.ts";
import { notifyFailure } from "../../components/outcomes/outcome.ts";
import { t } from "../../../locales/messages.ts";

interface Props {
  readonly connectionId: string;
  readonly itemFailures: SyncStatusV2["failures"];
}

export function ItemFailures({ connectionId, itemFailures }: Props): ReactNode {
  const run = useOperation("runSync", ["readSync"]);
  return (
    <section
      className="troubles"
      aria-label={t("connections.failures.title", {
        count: itemFailures.length,
      })}
    >
      <div className="plan-head">
        <h3>
          <IconAlertTriangle size={18} aria-hidden />
          {t("connections.failures.title", { count: itemFailures.length })}
        </h3>
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
      </div>
      <ul className="trouble-list">
        {itemFailures.map(({ remote_id, name, reason, is_quarantined }) => (
          <li key={remote_id}>
            <bdi>{name}</bdi>
            <span dir="auto">{reason}</span>
            <span className="quiet">
              {is_quarantined
                ? t("connections.failures.willNotRetry")
                : t("connections.failures.retrying")}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
