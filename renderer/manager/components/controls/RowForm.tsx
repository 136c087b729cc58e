// A form in one row: its fields, and the button that submits them.

import { Button, Group } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";

interface Props {
  readonly icon: Icon;
  readonly submitText: string;
  readonly isUnderWay: boolean;
  readonly isDisabled?: boolean;
  readonly onSubmit: () => void;
  /** The fields, each with a label above it. */
  readonly children: ReactNode;
  readonly below?: ReactNode;
}

export function RowForm(props: Props): ReactNode {
  const { icon: Sign, isDisabled = false, onSubmit } = props;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Group align="flex-start" gap={8} py={12}>
        {props.children}
        <Button
          type="submit"
          mt={22}
          variant="default"
          leftSection={<Sign size={18} aria-hidden />}
          loading={props.isUnderWay}
          disabled={isDisabled}
        >
          {props.submitText}
        </Button>
      </Group>
      {props.below}
    </form>
  );
}
