// Removes a connection: named in the dialog, with the choice to keep its content.

import { Checkbox, Stack } from "@mantine/core";
import { useState, type ReactNode } from "react";
import type { SyncAccountV2 } from "../../../../server/contract/v2/v2-sync.ts";
import { operate } from "../../api/operations.ts";
import { NamedQuestion } from "../../components/controls/Confirmation.tsx";
import {
  notifySuccess,
  notifyFailure,
} from "../../components/outcomes/outcome.ts";
import { t } from "../../../locales/messages.ts";
import { useRefetchSync } from "../state/use-sync.ts";

interface Props {
  readonly connection: SyncAccountV2;
  readonly assets: number;
  readonly onClose: () => void;
}

export function RemoveConnection({
  connection,
  assets,
  onClose,
}: Props): ReactNode {
  const { account_id: id, name } = connection;
  const [keeps, setKeeps] = useState(false);
  const isPlan = connection.kind === "plan";
  const gone = keeps ? 0 : assets;
  const refetch = useRefetchSync();
  return (
    <Stack gap={12}>
      <NamedQuestion
        question={
          isPlan
            ? t("connections.removal.bundleQuestion", { name })
            : t("connections.removal.disconnectQuestion", { name })
        }
        consequence={
          isPlan
            ? t("connections.removal.bundleConsequence", { assets: gone })
            : t("connections.removal.disconnectConsequence", { assets: gone })
        }
        no={t("connections.cancel")}
        yes={
          isPlan
            ? t("connections.removal.bundle")
            : t("connections.removal.disconnect")
        }
        onNo={onClose}
        onYes={async () => {
          try {
            await operate("deleteSyncAccount", {
              parameters: { id, ...(keeps ? { keep: "1" } : {}) },
            });
            notifySuccess(
              isPlan
                ? t("connections.removal.bundleRemoved", { name })
                : t("connections.removal.disconnected", { name }),
            );
          } catch (error) {
            notifyFailure(t("connections.removal.failed", { name }), error);
            onClose();
          } finally {
            // Otherwise the dialog closes together with its card, and the focus would return to an element that is about to
            // disappear.
            await refetch();
          }
        }}
      />
      <Checkbox
        label={t("connections.removal.keepContent")}
        checked={keeps}
        onChange={(event) => {
          setKeeps(event.currentTarget.checked);
        }}
      />
    </Stack>
  );
}
