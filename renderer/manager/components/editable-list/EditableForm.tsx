// The form of an entry of an editable list: one save at a time, and the reason when it is refused.

import { Box, Button, Group, Stack, Text } from "@mantine/core";
import { useState, type ReactNode, type SubmitEvent } from "react";
import { t } from "../../../locales/messages.ts";
import { reasonOf } from "../../api/reason.ts";
import { Note } from "../layout/Note.tsx";
import { notifyInternalError } from "../outcomes/outcome.ts";

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
  const [isSaving, setIsSaving] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (!isReady || isSaving) return;
    setIsSaving(true);
    try {
      await onSave();
      onClose();
    } catch (error) {
      setRefused({ draft, reason: reasonOf(error) });
    } finally {
      setIsSaving(false);
    }
  };
  return (
    <Box
      component="form"
      className="editable-form"
      aria-label={props.label}
      onSubmit={(event) => {
        submit(event).catch(notifyInternalError);
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
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("manager.cancel")}
          </Button>
          <Button type="submit" disabled={!isReady} loading={isSaving}>
            {props.submitText}
          </Button>
        </Group>
      </Stack>
    </Box>
  );
}
