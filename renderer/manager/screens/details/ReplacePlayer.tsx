// Puts another player in the place of a screen's own: its name, labels and history stay.

import {
  Button,
  Checkbox,
  Group,
  Modal,
  Stack,
  TextInput,
} from "@mantine/core";
import { IconReplace } from "@tabler/icons-react";
import { useState, type ReactNode, type SubmitEvent } from "react";
import { t } from "../../../locales/messages.ts";
import { reasonOf } from "../../api/reason.ts";
import {
  notifyInternalError,
  notifySuccess,
} from "../../components/outcomes/outcome.ts";
import { useRefetch } from "../../api/manager-queries.ts";
import type { ScreenItem } from "../../fleet/find-screens.ts";
import { bridge } from "../../transport/bridge.ts";

export function ReplacePlayer({
  item,
}: {
  readonly item: ScreenItem;
}): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => {
    setIsOpen(false);
  };
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconReplace size={18} aria-hidden />}
        onClick={() => {
          setIsOpen(true);
        }}
      >
        {t("screens.replace.open")}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t("screens.replace.title", { name: item.screen.name })}
      >
        <ReplaceFields item={item} onClose={close} />
      </Modal>
    </>
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
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isReplacing, setIsReplacing] = useState(false);
  const [isAccepted, setIsAccepted] = useState(false);
  /** The service knows better than the list, which is a little older. */
  const [isFoundOnline, setIsFoundOnline] = useState(false);
  const refetch = useRefetch();
  const isOnline =
    isFoundOnline || (state !== "offline" && state !== "never-seen");
  const isReady = pin.trim() !== "" && (!isOnline || isAccepted);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (!isReady || isReplacing) return;
    setIsReplacing(true);
    try {
      const { isReplaced } = await bridge().replaceScreenPlayer({
        ...{ serviceId, screenId: screen.id, pin: pin.trim() },
        isOnlineAccepted: isOnline && isAccepted,
      });
      setIsFoundOnline(!isReplaced);
      if (!isReplaced) return;
      notifySuccess(t("screens.replace.replaced", { name }));
      onClose();
      await refetch("readScreens");
    } catch (error) {
      setRefusal(`${t("screens.replace.failed")} ${reasonOf(error)}`);
    } finally {
      setIsReplacing(false);
    }
  };
  return (
    <Stack
      component="form"
      gap={16}
      onSubmit={(event) => {
        submit(event).catch(notifyInternalError);
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
        error={refusal}
        errorProps={{ role: "alert", dir: "auto" }}
        onChange={(event) => {
          setPin(event.currentTarget.value);
          setRefusal(null);
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
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t("manager.cancel")}
        </Button>
        <Button
          type="submit"
          color="red"
          disabled={!isReady}
          loading={isReplacing}
        >
          {t("screens.replace.open")}
        </Button>
      </Group>
    </Stack>
  );
}
