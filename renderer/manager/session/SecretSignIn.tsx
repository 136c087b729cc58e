// Signs this browser in with the player's password or an access token (V2-780).

import { Button, PasswordInput, Stack, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { useFreshSecret } from "../components/secrets/fresh-secrets.ts";
import { SecretOnce } from "../components/secrets/SecretList.tsx";
import { notifyInternalError } from "../components/outcomes/outcome.ts";
import { t } from "../../locales/messages.ts";
import { useSignIn } from "./use-sign-in.ts";

export function SecretSignIn(): ReactNode {
  const [secret, setSecret] = useState("");
  // Made by this page, which requires one from that moment on.
  const [made, setMade] = useFreshSecret("player");
  const { signIn, isPending, error, forgetError } = useSignIn(
    t("session.wrong"),
  );
  return (
    <Stack
      component="form"
      gap={16}
      onSubmit={(event) => {
        event.preventDefault();
        signIn({ password: secret }).catch(notifyInternalError);
      }}
    >
      <Text c="dimmed" mt={4}>
        {t("session.hint")}
      </Text>
      {made ? (
        <SecretOnce
          title={t("settings.tokens.createdTitle", { name: made.name })}
          secret={made.secret}
          takesFocus={false}
          onKept={() => {
            setSecret(made.secret);
            setMade(null);
          }}
        />
      ) : null}
      <PasswordInput
        label={t("session.secret")}
        autoComplete="current-password"
        autoFocus
        required
        dir="ltr"
        value={secret}
        error={error?.reason}
        onChange={(event) => {
          setSecret(event.currentTarget.value);
          forgetError();
        }}
      />
      <Button type="submit" loading={isPending}>
        {t("session.signIn")}
      </Button>
    </Stack>
  );
}
