// A button that copies a text and shows whether that succeeded.

import { ActionIcon, Tooltip, VisuallyHidden } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useEffect, useState, type ReactNode } from "react";
import { copyText } from "../../place/copy-text.ts";
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
  const [isCopied, setIsCopied] = useState<boolean | null>(null);
  useEffect(() => {
    if (isCopied === null) return;
    const timer = setTimeout(() => {
      setIsCopied(null);
    }, feedbackMs);
    return () => {
      clearTimeout(timer);
    };
  }, [isCopied]);
  const outcome =
    isCopied === null
      ? ""
      : isCopied
        ? t("manager.copied")
        : t("manager.copyFailed");
  const Sign = isCopied === true ? IconCheck : IconCopy;
  return (
    <>
      <Tooltip label={outcome || label}>
        <ActionIcon
          variant={variant}
          aria-label={label}
          autoFocus={autoFocus}
          onClick={() => {
            copyText(text).then(
              () => {
                setIsCopied(true);
              },
              () => {
                setIsCopied(false);
              },
            );
          }}
        >
          <Sign size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <VisuallyHidden role="status">{outcome}</VisuallyHidden>
    </>
  );
}
