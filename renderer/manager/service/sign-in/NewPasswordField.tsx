// Field for a password that a person sets by a link.

import { PasswordInput } from "@mantine/core";
import type { ReactNode } from "react";
import {
  passwordFault,
  passwordLength,
} from "../../../../server/core/password.ts";
import { t } from "../../../locales/messages.ts";

const { least, most } = passwordLength;

/** A sentence for people; null: it can be set. */
export function newPasswordFault(password: string): string | null {
  return passwordFault(password) === null
    ? null
    : t("settings.password.invalid", { least, most });
}

export function NewPasswordField({
  value,
  fault,
  autoFocus,
  onType,
}: {
  readonly value: string;
  readonly fault: string | null;
  readonly autoFocus: boolean;
  readonly onType: (text: string) => void;
}): ReactNode {
  return (
    <PasswordInput
      label={t("settings.password.new", { count: least })}
      autoComplete="new-password"
      autoFocus={autoFocus}
      required
      dir="ltr"
      value={value}
      error={fault}
      errorProps={{ role: "alert" }}
      onChange={(event) => {
        onType(event.currentTarget.value);
      }}
    />
  );
}
