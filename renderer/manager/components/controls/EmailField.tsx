// Field for the email address of a person.

import { TextInput, type TextInputProps } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../../locales/messages.ts";

interface Props extends Pick<TextInputProps, "autoComplete" | "readOnly"> {
  readonly value: string;
  readonly onType: (text: string) => void;
}

export function EmailField({ onType, ...props }: Props): ReactNode {
  return (
    <TextInput
      label={t("service.email")}
      type="email"
      autoFocus
      required
      dir="ltr"
      {...props}
      onChange={(event) => {
        onType(event.currentTarget.value);
      }}
    />
  );
}
