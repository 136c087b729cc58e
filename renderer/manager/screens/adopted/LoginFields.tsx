// User name and password of an Anthias player.

import { PasswordInput, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../../locales/messages.ts";

interface Login {
  readonly username: string;
  readonly password: string;
}

export function LoginFields({
  username,
  password,
  onChange,
}: Login & { readonly onChange: (login: Login) => void }): ReactNode {
  return (
    <>
      <TextInput
        flex="1 1 140px"
        label={t("screens.adopted.username")}
        placeholder={t("screens.adopted.optional")}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={username}
        onChange={(event) => {
          onChange({ username: event.currentTarget.value, password });
        }}
      />
      <PasswordInput
        flex="1 1 140px"
        label={t("screens.adopted.password")}
        placeholder={t("screens.adopted.optional")}
        dir="ltr"
        autoComplete="new-password"
        maxLength={1000}
        value={password}
        onChange={(event) => {
          onChange({ username, password: event.currentTarget.value });
        }}
      />
    </>
  );
}
