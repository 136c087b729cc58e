// Shows an asset of their content service on the selected screens, once; then the schedule continues.

import { Modal, Stack } from "@mantine/core";
import { useState, type ReactNode, type SubmitEvent } from "react";
import { t } from "../../../locales/messages.ts";
import { DialogButtons } from "../../components/controls/DialogButtons.tsx";
import { notifyInternalError } from "../../components/outcomes/outcome.ts";
import type { ScreenItem } from "../../fleet/find-screens.ts";
import { AssetField } from "./AssetField.tsx";
import { sendCommand, type SentAction } from "./send-command.ts";

interface Props {
  /** Of one service. */
  readonly items: readonly ScreenItem[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onSent: (action: SentAction) => void;
}

export function ShowDialog(props: Props): ReactNode {
  const { items, isOpen, onClose } = props;
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={
        items.length === 1
          ? t("screens.showOne", { name: items[0]?.screen.name ?? "" })
          : t("screens.showMany", { count: items.length })
      }
    >
      <ShowFields {...props} />
    </Modal>
  );
}

function ShowFields({ items, onClose, onSent }: Props): ReactNode {
  const [assetId, setAssetId] = useState("");
  const [isSending, setIsSending] = useState(false);
  const serviceId = items[0]?.serviceId;
  const send = async (): Promise<void> => {
    setIsSending(true);
    const action = await sendCommand(items, "show", { asset_id: assetId });
    setIsSending(false);
    if (!action) return;
    onSent(action);
    onClose();
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (assetId !== "" && !isSending) send().catch(notifyInternalError);
  };
  return (
    <Stack component="form" gap={16} onSubmit={submit}>
      <p className="quiet">{t("screens.showConsequence")}</p>
      {serviceId === undefined ? null : (
        <AssetField
          serviceId={serviceId}
          assetId={assetId}
          isDisabled={isSending}
          onChange={setAssetId}
        />
      )}
      <DialogButtons
        submitText={t("screens.showSubmit")}
        isReady={assetId !== ""}
        isUnderWay={isSending}
        onCancel={onClose}
      />
    </Stack>
  );
}
