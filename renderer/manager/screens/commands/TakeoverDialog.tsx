// Takes over the selected screens: with a text, a web page, or an asset of their content service; for a time, or until stopped.

import {
  Modal,
  SegmentedControl,
  Stack,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useState, type ReactNode, type SubmitEvent } from "react";
import { t } from "../../../locales/messages.ts";
import { DialogButtons } from "../../components/controls/DialogButtons.tsx";
import { NamedQuestion } from "../../components/controls/Confirmation.tsx";
import { notifyInternalError } from "../../components/outcomes/outcome.ts";
import { DurationField } from "../../takeover/DurationField.tsx";
import { AssetField } from "./AssetField.tsx";
import type { ScreenItem } from "../../fleet/find-screens.ts";
import { sendCommand, type SentAction } from "./send-command.ts";

interface Props {
  readonly items: readonly ScreenItem[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onSent: (action: SentAction) => void;
}

export function TakeoverDialog(props: Props): ReactNode {
  const { items, isOpen, onClose } = props;
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={
        items.length === 1
          ? t("screens.takeoverOne", { name: items[0]?.screen.name ?? "" })
          : t("screens.takeoverMany", { count: items.length })
      }
    >
      <TakeoverFields {...props} />
    </Modal>
  );
}

type Content = "text" | "url" | "asset_id";
const contents: readonly Content[] = ["text", "url", "asset_id"];
/** The longest text that is still readable from across a room (L-41). */
const maxTextLength = 500;
const firstSeconds = 600;

function TakeoverFields({ items, onClose, onSent }: Props): ReactNode {
  const [content, setContent] = useState<Content>("text");
  const [values, setValues] = useState({ text: "", url: "", asset_id: "" });
  const [seconds, setSeconds] = useState<number | null>(firstSeconds);
  const [isConfirming, setIsConfirming] = useState(false);
  const [isSending, setIsSending] = useState(false);
  const serviceIds = new Set(items.map(({ serviceId }) => serviceId));
  const [serviceId] = serviceIds;
  // Assets have another identifier in each service.
  const offered = serviceIds.size === 1 ? contents : contents.slice(0, 2);
  const value = values[content].trim();
  const isReady =
    content === "url" ? /^https?:\/\/[^\s/?#]/i.test(value) : value !== "";
  const change = (next: string): void => {
    setValues({ ...values, [content]: next });
  };

  const send = async (): Promise<void> => {
    setIsSending(true);
    const until = seconds === null ? null : Date.now() + seconds * 1000;
    const action = await sendCommand(items, "takeover", {
      [content]: value,
      ...(until !== null && { until: new Date(until).toISOString() }),
    });
    setIsSending(false);
    if (!action) return;
    onSent(action);
    onClose();
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!isReady || isSending) return;
    if (items.length > 1) setIsConfirming(true);
    else send().catch(notifyInternalError);
  };

  return (
    <Stack component="form" gap={16} onSubmit={submit}>
      <SegmentedControl
        aria-label={t("takeover.content")}
        data={offered.map((one) => ({
          value: one,
          label: t(`takeover.contentKinds.${one}`),
        }))}
        value={content}
        disabled={isConfirming}
        onChange={setContent}
      />
      {content === "text" ? (
        <Textarea
          label={t("takeover.customText")}
          autosize
          minRows={2}
          data-autofocus
          maxLength={maxTextLength}
          dir="auto"
          disabled={isConfirming}
          value={values.text}
          onChange={(event) => {
            change(event.currentTarget.value);
          }}
        />
      ) : content === "url" ? (
        <TextInput
          label={t("takeover.contentKinds.url")}
          placeholder="https://"
          inputMode="url"
          dir="ltr"
          spellCheck={false}
          disabled={isConfirming}
          value={values.url}
          onChange={(event) => {
            change(event.currentTarget.value);
          }}
        />
      ) : serviceId === undefined ? null : (
        <AssetField
          serviceId={serviceId}
          assetId={values.asset_id}
          isDisabled={isConfirming}
          onChange={change}
        />
      )}
      <DurationField
        label={t("takeover.duration")}
        seconds={seconds}
        isDisabled={isConfirming}
        onChange={setSeconds}
      />
      {isConfirming ? (
        <NamedQuestion
          question={t("screens.takeoverQuestion", { count: items.length })}
          consequence={t("screens.takeoverConsequence")}
          no={t("manager.cancel")}
          yes={t("screens.takeoverSubmit")}
          onNo={() => {
            setIsConfirming(false);
          }}
          onYes={send}
        />
      ) : (
        <DialogButtons
          submitText={t("screens.takeoverSubmit")}
          isReady={isReady}
          isUnderWay={isSending}
          isGrave
          onCancel={onClose}
        />
      )}
    </Stack>
  );
}
