// Asks for confirmation before undoing an action from another page, where nobody would see it change back.

import { Button, Group, Modal } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { t } from "../../locales/messages.ts";
import { useUndoQuestion } from "../undo/undo.ts";

export function UndoDialog(): ReactNode {
  const question = useUndoQuestion();
  // The last question stays visible while the dialog closes.
  const [shown, setShown] = useState(question);
  if (question && question !== shown) setShown(question);
  if (!shown) return null;
  const { sentence, page, answer } = shown;
  return (
    <Modal
      opened={question !== null}
      onClose={() => {
        answer(false);
      }}
      centered
      title={t("manager.undoElsewhere", { page: t(`manager.pages.${page}`) })}
      closeButtonProps={{ "aria-label": t("manager.close"), size: 36 }}
      transitionProps={{ duration: 100 }}
    >
      <p dir="auto">{sentence}</p>
      <Group wrap="nowrap" align="stretch" justify="flex-end" gap={12} mt={20}>
        {/* The safe choice has the focus: pressing Enter twice changes nothing. */}
        <Button
          variant="default"
          data-autofocus
          onClick={() => {
            answer(false);
          }}
        >
          {t("manager.cancel")}
        </Button>
        <Button
          onClick={() => {
            answer(true);
          }}
        >
          {t("manager.undo")}
        </Button>
      </Group>
    </Modal>
  );
}
