// Removes a connection: named in the dialog, with the choice to keep its content.

import { Checkbox } from "@mantine/core";
import { useState, type ReactNode } from "react";
import type { SyncAccountV2 } from "../../../../server/contract/v2/v2-sync.ts";
import { operate } from "../../operations.ts";
import { NamedQuestion } from "../../parts/controls/Confirmation.tsx";
import { notifySuccess, notifyFailure } from "../../parts/outcomes/outcome.ts";
import { texts } from "../../texts/texts.ts";
import { useRefetchSync } from "../state/use-sync.ts";

const words = texts.cloud;

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
    <div className="remove-account">
      <NamedQuestion
        question={
          isPlan ? words.removePlanQuestion(name) : words.removeQuestion(name)
        }
        consequence={
          isPlan ? words.removePlanWhat(gone) : words.removeWhat(gone)
        }
        no={words.keep}
        yes={isPlan ? words.removePlan : words.remove}
        onNo={onClose}
        onYes={async () => {
          try {
            await operate("deleteSyncAccount", {
              parameters: { id, ...(keeps ? { keep: "1" } : {}) },
            });
            notifySuccess(
              isPlan ? words.planRemoved(name) : words.removed(name),
            );
          } catch (error) {
            notifyFailure(words.removeFailed(name), error);
            onClose();
          } finally {
            // Otherwise the dialog closes together with its card, and the focus would return to an element that is about to
            // disappear.
            await refetch();
          }
        }}
      />
      <Checkbox
        label={words.removeKeep}
        checked={keeps}
        onChange={(event) => {
          setKeeps(event.currentTarget.checked);
        }}
      />
    </div>
  );
}
