// A button that copies a text and shows whether that succeeded.

import { ActionIcon, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { t } from "../../../locales/messages.ts";

interface Props {
  readonly text: string;
  /** Names what it copies: "Copy the address". */
  readonly label: string;
  readonly variant?: "default" | "subtle";
  readonly autoFocus?: boolean;
}

const feedbackMs = 2000;

export function CopyButton(props: Props): ReactNode {
  const { text, label, variant = "default", autoFocus = false } = props;
  const clipboard = useClipboard({ timeout: feedbackMs });
  const outcome = clipboard.copied
    ? t("manager.copied")
    : clipboard.error
      ? t("manager.copyFailed")
      : "";
  const Sign = clipboard.copied ? IconCheck : IconCopy;
  return (
    <>
      <Tooltip label={outcome || label}>
        <ActionIcon
          variant={variant}
          aria-label={label}
          autoFocus={autoFocus}
          onClick={() => {
            clipboard.copy(text);
          }}
        >
          <Sign size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <span role="status" className="only-aloud">
        {outcome}
      </span>
    </>
  );
}
