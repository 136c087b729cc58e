// Head of the details beside a list: what is selected, and the button that closes them.

import { ActionIcon } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { t } from "../../../locales/messages.ts";

interface Props {
  readonly title: ReactNode;
  /** Between the title and the button. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

export function DetailsHead({ title, children, onClose }: Props): ReactNode {
  return (
    <header className="details-head">
      <h2>{title}</h2>
      {children}
      <ActionIcon size={36} aria-label={t("inspector.close")} onClick={onClose}>
        <IconX size={18} aria-hidden />
      </ActionIcon>
    </header>
  );
}
