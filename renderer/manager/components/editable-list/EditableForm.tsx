// The form of an entry of an editable list: one save at a time, and the reason when it is refused.

import { Box, Stack, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { reasonOf } from "../../api/reason.ts";
import { DialogButtons } from "../controls/DialogButtons.tsx";
import { Note } from "../layout/Note.tsx";
import { useAttempt } from "../outcomes/use-attempt.ts";

interface Props {
  readonly label: string;
  readonly submitText: string;
  readonly failedText: string;
  /** Once it has changed, an earlier refusal is no longer about it. */
  readonly draft: object;
  readonly isReady: boolean;
  readonly onSave: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function EditableForm(props: Props): ReactNode {
  const { draft, isReady, onSave, onClose } = props;
  const [refused, setRefused] = useState({ draft: {}, reason: "" });
  const { isUnderWay, attempt } = useAttempt((error) => {
    setRefused({ draft, reason: reasonOf(error) });
  });
  return (
    <Box
      component="form"
      className="editable-form"
      my={8}
      p={16}
      bd="1px solid var(--line)"
      bdrs={8}
      bg="var(--raised)"
      aria-label={props.label}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady)
          attempt(async () => {
            await onSave();
            onClose();
          });
      }}
    >
      <Stack gap={16}>
        {props.children}
        {refused.draft === draft ? (
          <Note tone="fault" role="alert">
            <div>
              <p>{props.failedText}</p>
              <Text c="dimmed" dir="auto">
                {refused.reason}
              </Text>
            </div>
          </Note>
        ) : null}
        <DialogButtons
          submitText={props.submitText}
          isReady={isReady}
          isUnderWay={isUnderWay}
          onCancel={onClose}
        />
      </Stack>
    </Box>
  );
}
