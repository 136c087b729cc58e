// The buttons at the end of a form in a dialog: cancel, and submit.

import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../../locales/messages.ts";

interface Props {
  readonly submitText: string;
  readonly isReady: boolean;
  readonly isUnderWay: boolean;
  /** It disturbs what is shown. */
  readonly isGrave?: boolean;
  readonly onCancel: () => void;
}

export function DialogButtons(props: Props): ReactNode {
  const { submitText, isReady, isUnderWay, isGrave = false, onCancel } = props;
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        {t("manager.cancel")}
      </Button>
      <Button
        type="submit"
        {...(isGrave && { color: "red" })}
        disabled={!isReady}
        loading={isUnderWay}
      >
        {submitText}
      </Button>
    </Group>
  );
}
