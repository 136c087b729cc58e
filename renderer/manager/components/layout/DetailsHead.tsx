// Head of the details beside a list: what is selected, and the button that closes them.

import { ActionIcon, Flex, Title } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { t } from "../../../locales/messages.ts";
import "./list-with-details.css";

interface Props {
  readonly title: ReactNode;
  /** Between the title and the button. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

export function DetailsHead({ title, children, onClose }: Props): ReactNode {
  return (
    <Flex
      component="header"
      className="details-head"
      align="center"
      gap={8}
      mx={-20}
      py={8}
      ps={20}
      pe={12}
    >
      <Title order={2} className="one-line" flex={1} fz={16} lh="22px">
        {title}
      </Title>
      {children}
      <ActionIcon size={36} aria-label={t("inspector.close")} onClick={onClose}>
        <IconX size={18} aria-hidden />
      </ActionIcon>
    </Flex>
  );
}
