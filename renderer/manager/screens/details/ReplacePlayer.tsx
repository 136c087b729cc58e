// Puts another player in the place of a screen's own: its name, labels and history stay.

import { Checkbox, Stack, TextInput } from "@mantine/core";
import { IconReplace } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { t } from "../../../locales/messages.ts";
import { reasonOf } from "../../api/reason.ts";
import { DialogButtons } from "../../components/controls/DialogButtons.tsx";
import { ModalButton } from "../../components/controls/ModalButton.tsx";
import { notifySuccess } from "../../components/outcomes/outcome.ts";
import { useRefusal } from "../../components/outcomes/use-attempt.ts";
import { useRefetch } from "../../api/manager-queries.ts";
import type { ScreenItem } from "../../fleet/find-screens.ts";
import { bridge } from "../../transport/bridge.ts";

export function ReplacePlayer({
  item,
}: {
  readonly item: ScreenItem;
}): ReactNode {
  return (
    <ModalButton
      icon={IconReplace}
      text={t("screens.replace.open")}
      title={t("screens.replace.title", { name: item.screen.name })}
    >
      {(close) => <ReplaceFields item={item} onClose={close} />}
    </ModalButton>
  );
}

function ReplaceFields({
  item,
  onClose,
}: {
  readonly item: ScreenItem;
  readonly onClose: () => void;
}): ReactNode {
  const { serviceId, screen } = item;
  const { name, state } = screen;
  const [pin, setPin] = useState("");
  const { isUnderWay, attempt, atField, forget } = useRefusal(
    (error) => `${t("screens.replace.failed")} ${reasonOf(error)}`,
  );
  const [isAccepted, setIsAccepted] = useState(false);
  /** The service knows better than the list, which is a little older. */
  const [isFoundOnline, setIsFoundOnline] = useState(false);
  const refetch = useRefetch();
  const isOnline =
    isFoundOnline || (state !== "offline" && state !== "never-seen");
  const isReady = pin.trim() !== "" && (!isOnline || isAccepted);
  const replace = (): void => {
    attempt(async () => {
      const { isReplaced } = await bridge().replaceScreenPlayer({
        ...{ serviceId, screenId: screen.id, pin: pin.trim() },
        isOnlineAccepted: isOnline && isAccepted,
      });
      setIsFoundOnline(!isReplaced);
      if (!isReplaced) return;
      notifySuccess(t("screens.replace.replaced", { name }));
      onClose();
      await refetch("readScreens");
    });
  };
  return (
    <Stack
      component="form"
      gap={16}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) replace();
      }}
    >
      <p>{t("screens.replace.description")}</p>
      <TextInput
        label={t("screens.replace.pin")}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={pin}
        {...atField}
        onChange={(event) => {
          setPin(event.currentTarget.value);
          forget();
        }}
      />
      {isOnline ? (
        <Checkbox
          label={t("screens.replace.online")}
          description={t("screens.replace.onlineHelp")}
          checked={isAccepted}
          onChange={(event) => {
            setIsAccepted(event.currentTarget.checked);
          }}
        />
      ) : null}
      <DialogButtons
        submitText={t("screens.replace.open")}
        isReady={isReady}
        isUnderWay={isUnderWay}
        isGrave
        onCancel={onClose}
      />
    </Stack>
  );
}
