// A button that opens a dialog.

import { Button, Modal, type MantineSize } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";

interface Props {
  readonly icon: Icon;
  readonly text: string;
  readonly title: string;
  readonly size?: MantineSize;
  readonly children: (close: () => void) => ReactNode;
}

export function ModalButton(props: Props): ReactNode {
  const { icon: Sign, size = "md" } = props;
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => {
    setIsOpen(false);
  };
  return (
    <>
      <Button
        variant="default"
        leftSection={<Sign size={18} aria-hidden />}
        onClick={() => {
          setIsOpen(true);
        }}
      >
        {props.text}
      </Button>
      <Modal opened={isOpen} onClose={close} size={size} title={props.title}>
        {props.children(close)}
      </Modal>
    </>
  );
}
