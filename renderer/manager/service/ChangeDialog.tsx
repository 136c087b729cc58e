// Asks before a change is made that changes what screens show, or that the service holds back because it breaks an assertion
// (V3-107, V3-197).

import { Button, Group, Modal, Stack } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { t } from "../../locales/messages.ts";
import { fleetSentences } from "../fleet/what-if-text.ts";
import { useChangeQuestion } from "../service-requests/change-question.ts";

export function ChangeDialog(): ReactNode {
  const question = useChangeQuestion();
  // The last question stays visible while the dialog closes.
  const [shown, setShown] = useState(question);
  if (question && question !== shown) setShown(question);
  if (!shown) return null;
  const { asked, whatIf, answer } = shown;
  const sentences =
    whatIf === null ? [t("whatIf.notChecked")] : fleetSentences(whatIf);
  return (
    <Modal
      opened={question !== null}
      onClose={() => {
        answer(false);
      }}
      centered
      title={asked?.question ?? t("whatIf.anywayQuestion")}
      closeButtonProps={{ "aria-label": t("manager.close"), size: 36 }}
      transitionProps={{ duration: 100 }}
    >
      <Stack gap={8}>
        {sentences.map((sentence) => (
          <p key={sentence} dir="auto">
            {sentence}
          </p>
        ))}
      </Stack>
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
          {...(asked === null && { color: "red" })}
          onClick={() => {
            answer(true);
          }}
        >
          {asked?.apply ?? t("whatIf.applyAnyway")}
        </Button>
      </Group>
    </Modal>
  );
}
