// A question about a change that was begun elsewhere on the page: yes, or cancel, which has the focus.

import { Button, Group, Modal } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { t } from "../../../locales/messages.ts";

interface Question {
  readonly answer: (isYes: boolean) => void;
}

interface Props<Asked extends Question> {
  /** Null while nothing is asked. */
  readonly question: Asked | null;
  readonly words: (question: Asked) => {
    readonly title: string;
    readonly content: ReactNode;
    readonly yes: string;
    /** It should not be done without need. */
    readonly isGrave?: boolean;
  };
}

export function QuestionDialog<Asked extends Question>({
  question,
  words,
}: Props<Asked>): ReactNode {
  // The last question stays visible while the dialog closes.
  const [shown, setShown] = useState(question);
  if (question && question !== shown) setShown(question);
  if (!shown) return null;
  const { title, content, yes, isGrave = false } = words(shown);
  const { answer } = shown;
  return (
    <Modal
      opened={question !== null}
      onClose={() => {
        answer(false);
      }}
      centered
      title={title}
      closeButtonProps={{ "aria-label": t("manager.close"), size: 36 }}
      transitionProps={{ duration: 100 }}
    >
      {content}
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
          {...(isGrave && { color: "red" })}
          onClick={() => {
            answer(true);
          }}
        >
          {yes}
        </Button>
      </Group>
    </Modal>
  );
}
